import process from 'node:process';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { isUnavailable, openDatabase } from '#platform/database.ts';
import { createIds } from '#platform/ids.ts';
import { Live } from '#platform/live.ts';
import { systemRandom } from '#platform/random.ts';
import { adminCommands } from './cli/admin.ts';
import { backupCommands } from './cli/backup.ts';
import { type Command, type Outcome, UsageError } from './cli/command.ts';
import { findDatabaseUrl } from './cli/database.ts';
import { doctorCommand } from './cli/doctor.ts';
import { overview, usage } from './cli/help.ts';
import { keyCommands } from './cli/keys.ts';
import { listenCommand } from './cli/listen.ts';
import { moveCommands } from './cli/move.ts';
import { runCommands } from './cli/run.ts';
import { scaleCommands } from './cli/scale.ts';
import { triggerCommand } from './cli/trigger.ts';

const COMMANDS: readonly Command[] = [
  ...runCommands,
  doctorCommand,
  ...backupCommands,
  ...keyCommands,
  ...adminCommands,
  ...moveCommands,
  ...scaleCommands,
  listenCommand,
  triggerCommand,
];

interface Typed {
  command: Command;
  args: string[];
  options: Record<string, string>;
  flags: Set<string>;
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

const words = process.argv.slice(2);
// The longest name that fits wins: `backup verify` is another command than `backup`.
const named = COMMANDS.filter(({ name }) => `${words.join(' ')} `.startsWith(`${name} `)).sort(
  (a, b) => b.name.length - a.name.length,
)[0];
try {
  const typed = readTyped();
  if (typed === 'help') console.log(named ? usage(named) : overview(COMMANDS));
  else show(await run(typed), typed.flags.has('json'));
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(
    `parley: ${explain(error)}${isUsage ? `\n\n${named ? usage(named) : overview(COMMANDS)}` : ''}`,
  );
  process.exitCode = isUsage ? 2 : 1;
}

function readTyped(): Typed | 'help' {
  const known = Object.keys(named?.options ?? {}).map((name) => [name, { type: 'string' }] as const);
  const flags = [...Object.keys(named?.flags ?? {}), 'json'].map(
    (name) => [name, { type: 'boolean' }] as const,
  );
  const help = { type: 'boolean', short: 'h' } as const;
  const { values, positionals } = parse(words, { ...Object.fromEntries([...known, ...flags]), help });
  if (values['help']) return 'help';
  if (positionals.length === 0) throw new UsageError('which command?');
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

async function run({ command, args, options, flags }: Typed): Promise<string | Outcome> {
  await using opened = new AsyncDisposableStack();
  const open = async () => {
    const db = openDatabase({ url: await findDatabaseUrl(readConfig(process.env)), poolSize: 1 });
    opened.defer(() => db.end({ timeout: 5 }));
    return db;
  };
  const deps = {
    clock: systemClock,
    random: systemRandom,
    newId: createIds(systemClock, systemRandom),
    live: new Live(),
    openDatabase: open,
    environment: process.env,
    // With --json the answer alone goes to the standard output.
    print: (line: string) => (flags.has('json') ? console.error(line) : console.log(line)),
    signal: stopping.signal,
  };
  return await command.run(deps, args, options, flags);
}

function show(outcome: string | Outcome, asJson: boolean): void {
  const {
    text,
    data,
    exitCode = 0,
  } = typeof outcome === 'string' ? { text: outcome, data: { message: outcome } } : outcome;
  const shown = asJson ? JSON.stringify(data, undefined, 2) : text;
  if (shown !== '') console.log(shown);
  if (exitCode !== 0) process.exitCode = exitCode;
}

function explain(error: unknown): string {
  if (isUnavailable(error)) return 'the database cannot be reached: is Parley, or its PostgreSQL, running?';
  return error instanceof Error ? error.message : String(error);
}
