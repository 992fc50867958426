import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../database.ts';
import type { Log } from '../log.ts';

/** Any number will do, as long as nothing else of this database is locked by it. */
const LOCK = 0x5061726c6579;
const ASK_EVERY_MS = 250;
const RENEW_EVERY_MS = 5_000;
/** A server that was told to stop drains: its last attempts take 10 s. */
const PATIENCE_MS = 15_000;

const TAKEN =
  'another Parley server uses this database, and quotas and live events are not shared without Redis: ' +
  'stop the other, or set REDIS_URL for both';

export interface ClaimOptions {
  url: string;
  log: Log;
  /** The server shares what it counts with others. */
  isShared: boolean;
  patienceMs?: number;
}

/**
 * Claims the database for a server: one that shares nothing has it for itself, those with Redis have it together. The
 * claim is a lock of a session, so that it ends with the server, however that ends.
 *
 * @throws Error when the other has not ended in time
 */
export async function claimDatabase({
  url,
  log,
  isShared,
  patienceMs = PATIENCE_MS,
}: ClaimOptions): Promise<AsyncDisposable> {
  const db = openDatabase({ url, poolSize: 1 });
  const take = async () => {
    const [row] = await db<{ isTaken: boolean }[]>`
      select case
        when exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) then true
        when ${isShared} then pg_try_advisory_lock_shared(${LOCK}::bigint)
        else pg_try_advisory_lock(${LOCK}::bigint)
      end as is_taken`;
    return row?.isTaken === true;
  };
  try {
    await takeInTime(take, log, patienceMs);
  } catch (error) {
    await db.end({ timeout: 1 });
    throw error;
  }
  // A connection that was lost took the lock with it.
  const renewing = setInterval(() => {
    take().then(
      (isTaken) => isTaken || log.error(TAKEN),
      () => {},
    );
  }, RENEW_EVERY_MS).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(renewing);
      await db.end({ timeout: 1 });
    },
  };
}

async function takeInTime(take: () => Promise<boolean>, log: Log, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  for (let isFirst = true; !(await take()); isFirst = false) {
    if (performance.now() >= until) throw new Error(TAKEN);
    if (isFirst) log.info('waiting for another server of this database to end');
    await pause(ASK_EVERY_MS);
  }
}
