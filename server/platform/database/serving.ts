import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import type { Sql } from './statement.ts';

/**
 * How a conversion gets exclusive use of the database while servers run: each server's claim holds the lock
 * SERVING, shared. Taking the lock WANTED asks them to pause, and each releases SERVING once nothing is in
 * progress. Session locks end with their session, so that nobody waits for a dead process.
 */
const SERVING = 0x5061726c657a;
const WANTED = 0x5061726c657b;

const ASK_EVERY_MS = 100;
/** A statement in progress may take 30 s. */
const LONGEST_WAIT_MS = 45_000;
/** A killed command is noticed within a second; a server that checks holds WANTED for a moment. */
const LONGEST_OTHER_MS = 5_000;

/** The statements of a dedicated connection. */
type Session = Pick<Connection, 'sql'>;

/** @returns false while somebody has exclusive use of the database */
export async function startServing({ sql }: Session): Promise<boolean> {
  const [row] = await sql<{ isFree: boolean }[]>`
    select pg_try_advisory_lock_shared(${SERVING}::bigint) as is_free`;
  return row?.isFree === true;
}

export async function stopServing({ sql }: Session): Promise<void> {
  await sql`select pg_advisory_unlock_shared(${SERVING}::bigint)`;
}

export async function isWantedByAnother({ sql }: Session): Promise<boolean> {
  const [row] = await sql<{ isFree: boolean }[]>`
    select case when pg_try_advisory_lock_shared(${WANTED}::bigint)
      then pg_advisory_unlock_shared(${WANTED}::bigint) else false end as is_free`;
  return row?.isFree !== true;
}

/** Resolves once no command wants exclusive use any more, including one that is still waiting for it. */
export async function untilServing(session: Session): Promise<void> {
  while ((await isWantedByAnother(session)) || !(await startServing(session))) await pause(ASK_EVERY_MS);
}

/**
 * Waits until every server has paused; they continue when the session ends.
 *
 * @throws when another command has asked for it, or a server does not pause
 */
export async function stopServers({ sql }: Session): Promise<void> {
  if (!(await takeWithin({ sql }, WANTED, LONGEST_OTHER_MS)))
    throw new Error('the database is being changed by another command already');
  if (!(await takeWithin({ sql }, SERVING, LONGEST_WAIT_MS)))
    throw new Error(
      'a server has statements under way that do not end; nothing has changed: try again later',
    );
}

async function takeWithin({ sql }: Session, lock: number, ms: number): Promise<boolean> {
  for (const until = performance.now() + ms; ; await pause(ASK_EVERY_MS)) {
    const [row] = await sql<{ isTaken: boolean }[]>`
      select pg_try_advisory_lock(${lock}::bigint) as is_taken`;
    if (row?.isTaken === true) return true;
    if (performance.now() > until) return false;
  }
}

/**
 * Whether a server has claimed the database without taking part in this protocol: one of an older version. A server that has
 * just paused for an earlier command takes part again shortly.
 */
export async function isAnyUnaware(sql: Sql, claim: number): Promise<boolean> {
  for (const until = performance.now() + LONGEST_OTHER_MS; ; await pause(ASK_EVERY_MS)) {
    const [row] = await sql<{ count: number }[]>`
      select count(distinct pid) filter (where key = ${claim}::bigint)
        - count(distinct pid) filter (where key = ${SERVING}::bigint) as count
      from (
        select pid, (classid::bigint << 32) | objid::bigint as key from pg_locks
        where locktype = 'advisory' and granted
          and database = (select oid from pg_database where datname = current_database())
      ) held`;
    if (Number(row?.count ?? 0) <= 0) return false;
    if (performance.now() > until) return true;
  }
}
