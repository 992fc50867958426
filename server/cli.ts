import process from 'node:process';
import { parseArgs } from 'node:util';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { isUnavailable, openDatabase } from '#platform/database.ts';
import { Live } from '#platform/live.ts';
import { systemRandom } from '#platform/random.ts';
import { adminCommands } from './cli/admin.ts';
import { type Command, UsageError } from './cli/command.ts';
import { findDatabaseUrl } from './cli/database.ts';
import { keyCommands } from './cli/keys.ts';

const COMMANDS: readonly Command[] = [...adminCommands, ...keyCommands];

try {
  const { words, wantsHelp } = readWords(process.argv.slice(2));
  console.log(wantsHelp ? help() : await run(words));
} catch (error) {
  const isUsage = error instanceof UsageError;
  console.error(`parley: ${explain(error)}${isUsage ? `\n\n${help()}` : ''}`);
  process.exitCode = isUsage ? 2 : 1;
}

function readWords(args: string[]): { words: string[]; wantsHelp: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' } },
    });
    return { words: positionals, wantsHelp: values.help ?? false };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function run(words: string[]): Promise<string> {
  if (words.length === 0) throw new UsageError('which command?');
  const command = COMMANDS.find(({ name }) => words.slice(0, 2).join(' ') === name);
  if (!command) throw new UsageError(`there is no command "${words.join(' ')}"`);
  const args = words.slice(2);
  if (args.length !== command.parameters.length) {
    throw new UsageError(`${command.name} takes ${command.parameters.join(' and ') || 'nothing else'}`);
  }
  await using opened = new AsyncDisposableStack();
  const open = async () => {
    const db = openDatabase({ url: await findDatabaseUrl(readConfig(process.env)), poolSize: 1 });
    opened.defer(() => db.end({ timeout: 5 }));
    return db;
  };
  const deps = { clock: systemClock, random: systemRandom, live: new Live(), openDatabase: open };
  return await command.run(deps, args);
}

function help(): string {
  const calls = COMMANDS.map(({ name, parameters }) => [name, ...parameters].join(' '));
  const width = Math.max(...calls.map((call) => call.length));
  return [
    'Usage: npm run parley -- <command>',
    '',
    ...COMMANDS.map(({ about }, i) => `  ${calls[i]?.padEnd(width)}   ${about}`),
    '',
    'Works on the database of DATABASE_URL, or on that of the Parley that runs on DATA_DIR (default ./data).',
  ].join('\n');
}

function explain(error: unknown): string {
  if (isUnavailable(error)) return 'the database cannot be reached: is Parley, or its PostgreSQL, running?';
  return error instanceof Error ? error.message : String(error);
}
