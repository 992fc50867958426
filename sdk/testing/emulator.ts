import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** How to start the server. */
export interface EmulatorOptions {
  /** Settings of the server, as documented: `{ REQUESTS_PER_MINUTE: '60' }`. */
  settings?: Record<string, string>;
}

/** The server, in its own process. */
export interface Emulator {
  url: string;
  /** Advances its clock; work that is due by then starts at once. Returns the new time. */
  advance(ms: number): Promise<number>;
  stop(): Promise<void>;
}

interface Answer {
  url?: string;
  now: number;
}

/** Tests write fast and to many people; to test a limit, set it. */
const UNLIMITED = Object.fromEntries(
  [
    'REQUESTS_PER_MINUTE',
    'SIGN_UPS_PER_HOUR',
    'MESSAGES_PER_MINUTE',
    'UNANSWERED_MESSAGES_PER_HOUR',
    'NEW_PEOPLE_PER_DAY',
    'NEW_PEOPLE_ADDED_PER_DAY',
    'GROUPS_PER_DAY',
    'UPLOADS_PER_MINUTE',
  ].map((name) => [name, '1000000']),
);

const KEPT_CHARACTERS = 4_000;

const MAIN = ['../server/emulator.js', '../../server/emulator.ts']
  .map((file) => fileURLToPath(new URL(file, import.meta.url)))
  .find((file) => existsSync(file)) as string;

export async function startEmulator({ settings = {} }: EmulatorOptions): Promise<Emulator> {
  const child = fork(MAIN, [], {
    execPath: findNode(),
    execArgv: [],
    env: {
      PATH: process.env['PATH'],
      TMPDIR: process.env['TMPDIR'],
      PORT: '0',
      LOG_LEVEL: 'error',
      // A bot in the same test receives its webhooks on this machine.
      WEBHOOK_TRUSTED_HOSTS: 'localhost,127.0.0.1',
      ...UNLIMITED,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (text) => {
      printed = (printed + text).slice(-KEPT_CHARACTERS);
    });
  const { url } = await answerOf(child, () => printed);
  // A test that did not stop it can still exit; the server ends with it.
  for (const handle of [child, child.channel, child.stdout, child.stderr])
    (handle as { unref?: () => void } | null)?.unref?.();
  return {
    url: url as string,
    async advance(ms) {
      child.ref();
      child.channel?.ref();
      child.send({ advanceMs: ms });
      const { now } = await answerOf(child, () => printed);
      child.unref();
      child.channel?.unref();
      return now;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}

function answerOf(child: ChildProcess, printed: () => string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const failed = () => reject(new Error(`Parley exited:\n${printed()}`));
    child.once('exit', failed);
    child.once('message', (answer: Answer) => {
      child.off('exit', failed);
      resolve(answer);
    });
  });
}

/** The package includes Node 24, which runs the server, whatever runs the tests. */
function findNode(): string {
  try {
    return createRequire(import.meta.url).resolve('node/bin/node');
  } catch (cause) {
    const what =
      'Node 24, which runs Parley, is missing: the install script of the npm package node did not run';
    const remedy =
      'Allow it (npm 12: npm install-scripts approve node), and run: npm rebuild node (or pnpm approve-builds)';
    throw new Error(`${what}. ${remedy}`, { cause });
  }
}
