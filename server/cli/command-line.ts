import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { isUnavailable, openPatiently } from '#platform/database.ts';
import { createIds } from '#platform/ids.ts';
import { NotedTopics } from '#platform/live/noted-topics.ts';
import { systemRandom } from '#platform/random.ts';
import { type Group, type Outcome, type Output, runProgram, type Typed } from '../../sdk/cli/kit.ts';
import type { Command, CommandDeps } from './command.ts';
import { findDatabaseUrl } from './database.ts';

/** In the order of the help. Loaded on demand: loading all of them takes up to three times as long as one. */
const GROUPS: readonly Group<CommandDeps>[] = [
  { words: ['start', 'migrate', 'demo'], load: async () => (await import('./run.ts')).runCommands },
  { words: ['doctor'], load: async () => [(await import('./doctor.ts')).doctorCommand] },
  { words: ['backup', 'restore'], load: async () => (await import('./backup.ts')).backupCommands },
  { words: ['keys'], load: async () => (await import('./keys.ts')).keyCommands },
  { words: ['admin'], load: async () => (await import('./admin.ts')).adminCommands },
  { words: ['export', 'import'], load: loadImports },
  { words: ['scale'], load: async () => (await import('./scale.ts')).scaleCommands },
];

async function loadImports(): Promise<readonly Command[]> {
  const [{ moveCommands }, { historyCommands }, { exportCommands }] = await Promise.all([
    import('./move.ts'),
    import('./import.ts'),
    import('./export.ts'),
  ]);
  return [...moveCommands, ...historyCommands, ...exportCommands];
}

/** Where a command line was typed. */
export interface Terminal extends Output {
  environment: Record<string, string | undefined>;
  /** Aborted when the command has to stop. */
  signal: AbortSignal;
}

/** Runs the command given by the words of `npm run parley -- …`; returns the exit code. */
export function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram<CommandDeps>(
    {
      call: 'npm run parley --',
      groups: GROUPS,
      notes: [
        'Exit codes: 0 done; 1 failed, or a fault was found; 2 wrong usage.',
        'Commands use the database in DATABASE_URL, or the embedded one in DATA_DIR (default ./data).',
      ],
      run: (command, typed, isJson) => run(command, typed, isJson, terminal),
      explain,
    },
    words,
    terminal,
  );
}

async function run(
  command: Command,
  typed: Typed,
  isJson: boolean,
  { environment, print, printError, signal }: Terminal,
): Promise<string | Outcome> {
  await using opened = new AsyncDisposableStack();
  const open = async () => {
    const db = openPatiently(await findDatabaseUrl(readConfig(environment)));
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
    print: (line: string) => (isJson ? printError(line) : print(line)),
    printError,
    signal,
  };
  const outcome = await command.run(deps, typed);
  // If that fails, pages learn of it with their next request.
  await noted.store(deps, open).catch(() => undefined);
  return outcome;
}

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (isOutdated(error))
    return `the database has no schema of this version (${message}): start the server, or run "parley migrate"`;
  if (!isUnavailable(error) || isAboutFile(error)) return message;
  const isAnswer = error instanceof Error && 'severity' in error;
  return isAnswer
    ? `the database cannot be used: ${message}`
    : 'the database cannot be reached: is Parley, or its PostgreSQL, running?';
}

/** A table or a column is missing. */
function isOutdated(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === '42P01' || code === '42703';
}

/** A missing file and a full disk have the codes of a missing socket and a full database. */
function isAboutFile(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall !== 'connect' && (code === 'ENOENT' || code === 'ENOSPC' || code === 'EDQUOT');
}
