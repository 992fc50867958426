import type { Command } from './command.ts';

const HINT = 'Commands use the database in DATABASE_URL, or the embedded one in DATA_DIR (default ./data).';

/** All commands, one per line. */
export function overview(commands: readonly Command[]): string {
  const calls = commands.map(({ name, parameters }) => [name, ...parameters].join(' '));
  const width = Math.max(...calls.map((call) => call.length));
  return [
    'Usage: npm run parley -- <command>',
    '',
    ...commands.map(({ about }, i) => `  ${calls[i]?.padEnd(width)}   ${about}`),
    '',
    'Every command has --help, which lists its options, and --json, which prints the result as JSON.',
    'Exit codes: 0 done; 1 failed, or a fault was found; 2 wrong usage.',
    HINT,
  ].join('\n');
}

/** All about one command. */
export function usage({ name, parameters, options = {}, flags = {}, about, details }: Command): string {
  const rows = [
    ...Object.entries(options).map(([option, what]) => [`--${option} <value>`, what] as const),
    ...Object.entries({ ...flags, json: 'print as JSON', help: 'print this' }).map(
      ([flag, what]) => [`--${flag}`, what] as const,
    ),
  ];
  const width = Math.max(...rows.map(([call]) => call.length));
  return [
    `Usage: npm run parley -- ${[name, ...parameters].join(' ')} [options]`,
    '',
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    ...(details ? ['', details] : []),
    '',
    ...rows.map(([call, what]) => `  ${call.padEnd(width)}   ${what}`),
  ].join('\n');
}
