import { type ParseArgsConfig, parseArgs } from 'node:util';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { isUnavailable, openDatabase } from '#platform/database.ts';
import { createIds } from '#platform/ids.ts';
import { NotedTopics } from '#platform/live/noted-topics.ts';
import { systemRandom } from '#platform/random.ts';
import { type Command, type Outcome, UsageError } from './command.ts';
import { findDatabaseUrl } from './database.ts';

const HINT = 'Commands use the database in DATABASE_URL, or the embedded one in DATA_DIR (default ./data).';

/** All commands, one per line. */
function overview(commands: readonly Command[]): string {
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
function usage({ name, parameters, options = {}, flags = {}, about, details }: Command): string {
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

/** Commands of one module, and their first words; a command missing here is found more slowly. */
interface Group {
  words: readonly string[];
  load(): Promise<readonly Command[]>;
}

/** In the order of the help. Loaded on demand: loading all of them takes up to three times as long as one. */
const GROUPS: readonly Group[] = [
  { words: ['start', 'migrate', 'demo'], load: async () => (await import('./run.ts')).runCommands },
  { words: ['doctor'], load: async () => [(await import('./doctor.ts')).doctorCommand] },
  { words: ['backup', 'restore'], load: async () => (await import('./backup.ts')).backupCommands },
  { words: ['keys'], load: async () => (await import('./keys.ts')).keyCommands },
  { words: ['admin'], load: async () => (await import('./admin.ts')).adminCommands },
  { words: ['export', 'import'], load: async () => (await import('./move.ts')).moveCommands },
  { words: ['scale'], load: async () => (await import('./scale.ts')).scaleCommands },
];

interface Typed {
  command: Command;
  args: string[];
  options: Record<string, string>;
  flags: Set<string>;
}

/** Where a command line was typed. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  print(line: string): void;
  printError(line: string): void;
  /** Aborted when the command has to stop. */
  signal: AbortSignal;
}

/** Runs the command given by the words of `npm run parley -- …`; returns the exit code. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  const named = await findCommand(words);
  const help = async () => (named ? usage(named) : overview(await loadCommands(GROUPS)));
  try {
    const typed = readTyped(words, named);
    if (typed !== 'help') return show(await run(typed, terminal), typed.flags.has('json'), terminal);
    terminal.print(await help());
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    terminal.printError(`parley: ${explain(error)}${isUsage ? `\n\n${await help()}` : ''}`);
    return isUsage ? 2 : 1;
  }
}

/** The longest matching name wins: `backup verify` is a different command from `backup`. */
async function findCommand(words: readonly string[]): Promise<Command | undefined> {
  const groups = GROUPS.filter((group) => group.words.includes(words[0] ?? ''));
  const commands = await loadCommands(groups.length > 0 ? groups : GROUPS);
  const named = commands.filter(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  return named.sort((a, b) => b.name.length - a.name.length)[0];
}

async function loadCommands(groups: readonly Group[]): Promise<Command[]> {
  return (await Promise.all(groups.map((group) => group.load()))).flat();
}

function readTyped(words: readonly string[], named: Command | undefined): Typed | 'help' {
  const known = Object.keys(named?.options ?? {}).map((name) => [name, { type: 'string' }] as const);
  const flags = [...Object.keys(named?.flags ?? {}), 'json'].map(
    (name) => [name, { type: 'boolean' }] as const,
  );
  const help = { type: 'boolean', short: 'h' } as const;
  const { values, positionals } = parse([...words], { ...Object.fromEntries([...known, ...flags]), help });
  if (values['help']) return 'help';
  if (positionals.length === 0) throw new UsageError('no command given');
  if (!named) throw new UsageError(`there is no command "${positionals.join(' ')}"`);
  const args = positionals.slice(named.name.split(' ').length);
  if (args.length !== named.parameters.length) {
    throw new UsageError(`${named.name} takes ${named.parameters.join(' and ') || 'nothing else'}`);
  }
  const given = Object.entries(values);
  return {
    command: named,
    args,
    options: Object.fromEntries(given.filter(([, value]) => typeof value === 'string')) as Record<
      string,
      string
    >,
    flags: new Set(given.filter(([, value]) => value === true).map(([name]) => name)),
  };
}

function parse(args: string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function run(
  { command, args, options, flags }: Typed,
  { environment, print, printError, signal }: Terminal,
): Promise<string | Outcome> {
  await using opened = new AsyncDisposableStack();
  const open = async () => {
    const db = openDatabase({ url: await findDatabaseUrl(readConfig(environment)), poolSize: 1 });
    opened.defer(() => db.end({ timeout: 5 }));
    return db;
  };
  const noted = new NotedTopics();
  const deps = {
    clock: systemClock,
    random: systemRandom,
    newId: createIds(systemClock, systemRandom),
    live: noted.live,
    openDatabase: open,
    environment,
    // With --json, only the result goes to standard output.
    print: (line: string) => (flags.has('json') ? printError(line) : print(line)),
    signal,
  };
  const outcome = await command.run(deps, args, options, flags);
  // If that fails, pages learn of it with their next request.
  await noted.store(deps, open).catch(() => undefined);
  return outcome;
}

function show(outcome: string | Outcome, asJson: boolean, { print }: Terminal): number {
  const {
    text,
    data,
    exitCode = 0,
  } = typeof outcome === 'string' ? { text: outcome, data: { message: outcome } } : outcome;
  const shown = asJson ? JSON.stringify(data, undefined, 2) : text;
  if (shown !== '') print(shown);
  return exitCode;
}

function explain(error: unknown): string {
  if (isUnavailable(error)) return 'the database cannot be reached: is Parley, or its PostgreSQL, running?';
  return error instanceof Error ? error.message : String(error);
}
