import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { type LaunchPlan, launchCommand } from './launch.ts';
import { readServerMessage } from './server-messages.ts';
import { postgresSettings } from './settings.ts';

export type PostgresLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** A PostgreSQL server that is our child process and accepts connections. */
export interface Postmaster {
  /** Resolves with the reason when it exits, whatever the cause. */
  readonly ended: Promise<string>;
}

/** PostgreSQL ended before it accepted connections. */
export class PostmasterFailure extends Error {
  /** Whether another port, or a moment of waiting, may help: backends of a killed postmaster take a moment to notice. */
  readonly mayPass: boolean;

  constructor(reason: string) {
    super(`PostgreSQL did not start: ${reason}`);
    this.mayPass = /Address already in use|shared memory block .* is still in use/.test(reason);
  }
}

const SHUTDOWN_TIMEOUT_MS = 30_000;

/**
 * Starts PostgreSQL on a cluster and waits until it accepts connections, however long recovery takes. When the signal
 * aborts, at any time, it shuts down: sessions are ended and everything is written to disk.
 */
export async function startPostmaster(options: {
  postgres: string;
  plan: LaunchPlan;
  cluster: string;
  port: number;
  socketDirectory: string | undefined;
  isDurable: boolean;
  connections: number;
  log: PostgresLog;
  signal: AbortSignal;
}): Promise<Postmaster> {
  const { postgres, plan, cluster, port, socketDirectory, isDurable, connections, log, signal } = options;
  signal.throwIfAborted();
  const server = launchCommand(plan, postgres, [
    '-D',
    cluster,
    ...postgresSettings(port, { isDurable, connections, socketDirectory }),
  ]);
  const child = spawn(server.command, server.args, {
    ...server.spawnOptions,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let shutdownTimer: NodeJS.Timeout | undefined;
  const shutDown = () => {
    child.kill('SIGINT');
    shutdownTimer = setTimeout(() => {
      log.warn('PostgreSQL takes long to stop; cutting it short, the next start will recover');
      child.kill('SIGQUIT');
    }, SHUTDOWN_TIMEOUT_MS);
  };
  signal.addEventListener('abort', shutDown);
  process.once('exit', shutDown);
  const ended = new Promise<string>((resolve) => {
    const settle = (code: number | null, by: string | null) => {
      clearTimeout(shutdownTimer);
      signal.removeEventListener('abort', shutDown);
      process.off('exit', shutDown);
      resolve(by ?? `exit code ${code}`);
    };
    child.once('exit', settle);
    child.once('close', settle);
  });
  await untilReady(child, { log, signal });
  return { ended };
}

/** Resolves once connections are accepted, and keeps passing messages to the log until the server exits. */
function untilReady(
  child: ChildProcessByStdio<null, null, Readable>,
  { log, signal }: { log: PostgresLog; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isReady = false;
    const complaints: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      const { text, level } = readServerMessage(line);
      if (text === 'database system is ready to accept connections') {
        isReady = true;
        resolve();
      }
      // Until it is ready, anything above a warning may be the reason for the failure that we throw.
      if (!isReady && level !== 'warn') complaints.push(text);
      else if (level && !signal.aborted) log[level]({ from: 'postgres' }, text);
    });
    child.once('error', (error) => complaints.push(error.message));
    child.once('close', () => reject(new PostmasterFailure(complaints.join('; '))));
  });
}
