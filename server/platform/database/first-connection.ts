import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable } from '../database.ts';
import type { Log } from '../log.ts';

/** A machine may boot the database after the server, and a busy one takes a while to accept the first connection. */
const WAIT_TIMEOUT_MS = 90_000;
const RETRY_MS = 1_000;

export interface FirstConnectionOptions {
  log: Pick<Log, 'warn'>;
  signal?: AbortSignal | undefined;
  waitTimeoutMs?: number;
}

/**
 * Repeats what needs the database at the start until it is reachable, and says once what it waits for.
 *
 * @throws the last error if it stays unreachable, and at once any error that waiting does not mend
 */
export async function onceReachable<T>(
  work: () => Promise<T>,
  { log, signal, waitTimeoutMs = WAIT_TIMEOUT_MS }: FirstConnectionOptions,
): Promise<T> {
  const until = performance.now() + waitTimeoutMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() >= until) throw error;
      if (isFirst) log.warn(`waiting for the database: ${(error as Error).message}`);
    }
    await pause(RETRY_MS, undefined, { signal });
  }
}
