import process from 'node:process';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { isUnavailable, openDatabase } from '#platform/database.ts';
import { Live } from '#platform/live.ts';
import { systemRandom } from '#platform/random.ts';
import { adminCommands } from './cli/admin.ts';
import { type Command, UsageError } from './cli/command.ts';
import { findDatabaseUrl } from './cli/database.ts';
import { keyCommands } from './cli/keys.ts';
import { listenCommand } from './cli/listen.ts';
import { triggerCommand } from './cli/trigger.ts';

const COMMANDS: readonly Command[] = [...adminCommands, ...keyCommands, listenCommand, triggerCommand];

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

try {
  const typed = readTyped(process.argv.slice(2));
  console.log(typed === 'help' ? help() : await run(typed));
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(`parley: ${explain(error)}${isUsage ? `\n\n${help()}` : ''}`);
  process.exitCode = isUsage ? 2 : 1;
}

interface Typed {
  command: Command;
  args: string[];
  options: Record<string, string>;
}

function readTyped(words: string[]): Typed | 'help' {
  const named = COMMANDS.find(({ name }) => words.slice(0, name.split(' ').length).join(' ') === name);
  const known = Object.keys(named?.options ?? {}).map((name) => [name, { type: 'string' }] as const);
  const help = { type: 'boolean', short: 'h' } as const;
  const { values, positionals } = parse(words, { ...Object.fromEntries(known), help });
  if (values['help']) return 'help';
  if (positionals.length === 0) throw new UsageError('which command?');
  if (!named) throw new UsageError(`there is no command "${positionals.join(' ')}"`);
  const args = positionals.slice(named.name.split(' ').length);
  if (args.length !== named.parameters.length) {
    throw new UsageError(`${named.name} takes ${named.parameters.join(' and ') || 'nothing else'}`);
  }
  const { help: _, ...options } = values;
  return { command: named, args, options: options as Record<string, string> };
}

function parse(args: string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function run({ command, args, options }: Typed): Promise<string> {
  await using opened = new AsyncDisposableStack();
  const open = async () => {
    const db = openDatabase({ url: await findDatabaseUrl(readConfig(process.env)), poolSize: 1 });
    opened.defer(() => db.end({ timeout: 5 }));
    return db;
  };
  const deps = {
    clock: systemClock,
    random: systemRandom,
    live: new Live(),
    openDatabase: open,
    environment: process.env,
    print: (line: string) => console.log(line),
    signal: stopping.signal,
  };
  return await command.run(deps, args, options);
}

function help(): string {
  const calls = COMMANDS.map(({ name, parameters }) => [name, ...parameters].join(' '));
  const width = Math.max(...calls.map((call) => call.length));
  const indent = ' '.repeat(width + 5);
  return [
    'Usage: npm run parley -- <command>',
    '',
    ...COMMANDS.flatMap(({ about, options = {} }, i) => [
      `  ${calls[i]?.padEnd(width)}   ${about}`,
      ...Object.entries(options).map(([name, what]) => `${indent}--${name}: ${what}`),
    ]),
    '',
    'admin works on the database of DATABASE_URL, or on that of the Parley that runs on DATA_DIR (default ./data).',
  ].join('\n');
}

function explain(error: unknown): string {
  if (isUnavailable(error)) return 'the database cannot be reached: is Parley, or its PostgreSQL, running?';
  return error instanceof Error ? error.message : String(error);
}
