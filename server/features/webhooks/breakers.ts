import { setTimeout as pause } from 'node:timers/promises';
import type { Reason } from '#contract/reasons.ts';
import type { Applications } from '#features/applications/index.ts';
import { eachByItself } from '#platform/concurrency/each-by-itself.ts';
import type { Db, Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { sliceAfterSlice, withinShard } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { insertAttempts } from './attempts/queries.ts';
import type { WebhookDeps } from './deps.ts';
import type { OpenSlice, QueuedEvent } from './queries.ts';
import { firstStateFor, WAITS_MS } from './rules.ts';

/** Time for a probe to close the breaker before other due attempts count as failed. */
export const PROBE_FIRST_MS = 2_000;
/** Small, so that other statements do not wait long for the disk or a processor. */
const SLICE = 500;
/** The entry in the event log for an attempt that was not made. */
const ENTRY = {
  errorClass: 'circuit_open',
  reason: 'attempt.circuit-open' satisfies Reason,
};
/** Consecutive failed attempts of one endpoint. */
export const FAILURES_TO_OPEN = 5;

/**
 * One worker's view of the circuit breakers. An endpoint with consecutive failed attempts gets one event at a
 * time until one succeeds (docs/decisions/0036-circuit-breaker.md). They are stored in the database, so that
 * they survive restarts and changes of workers; `refresh` reads the changes of others.
 */
export class Breakers {
  readonly #deps: WebhookDeps;
  readonly #failures = new Map<string, { url: string; count: number }>();
  #open = new Set<string>();
  /**
   * Incremented with each change of `#open`, so that a refresh in progress notices that it read too early.
   */
  #version = 0;

  constructor(deps: WebhookDeps) {
    this.#deps = deps;
  }

  /** How many attempts may be in progress at once; undefined when the breaker is closed. */
  allowance(appId: string): number | undefined {
    return this.#open.has(appId) ? 1 : undefined;
  }

  /** The applications whose breakers are open. */
  open(): string[] {
    return [...this.#open];
  }

  /**
   * Records the result of an attempt. Never rejects: the next refresh repairs failed writes. At a new URL the count starts over.
   *
   * @returns true when that closed the breaker
   */
  note(
    appId: string,
    { url, isDelivered }: { url: string; isDelivered: boolean },
  ): boolean | Promise<boolean> {
    if (isDelivered) {
      this.#failures.delete(appId);
      return this.#open.has(appId) && this.#change(appId, false);
    }
    if (this.#open.has(appId)) return false;
    const before = this.#failures.get(appId);
    const count = before?.url === url ? before.count + 1 : 1;
    this.#failures.set(appId, { url, count });
    return count >= FAILURES_TO_OPEN && this.#change(appId, true);
  }

  /** Reads which breakers others opened and closed. */
  async refresh(): Promise<void> {
    const version = this.#version;
    const open = await findOpenBreakers(this.#deps.db);
    if (version !== this.#version) return;
    for (const appId of this.#open) this.#failures.delete(appId);
    this.#open = new Set(open);
  }

  /** Returns whether it is closed now. */
  async #change(appId: string, isOpen: boolean): Promise<boolean> {
    const { db, clock, log } = this.#deps;
    if (isOpen) this.#open.add(appId);
    else this.#open.delete(appId);
    this.#version++;
    const openedAt = clock.now();
    await db
      .begin((tx) => (isOpen ? insertBreaker(tx, { appId, openedAt }) : deleteBreaker(tx, appId)))
      .catch((err) => log.error({ err }, 'a circuit breaker could not be written'));
    if (isOpen)
      log.info({ appId }, 'the endpoint of an application does not answer: its circuit breaker is open');
    return !isOpen;
  }
}

/** A worker that sends. */
interface Sending extends Pick<Platform, 'db' | 'clock' | 'shards'> {
  applications: Applications;
  breakers: Breakers;
  /** For which applications it sends. */
  ownership: { owns(appId: string): boolean };
  /** The events that it is sending, with the application of each. */
  underWay: ReadonlyMap<string, string>;
  readonly isClosing: boolean;
}

/**
 * Counts due attempts as failed for this worker's endpoints with an open breaker, in slices that take at most
 * half of the time, so that other events are not delayed.
 *
 * @returns how many attempts were counted
 */
export async function failAllOverdue(sender: Sending): Promise<number> {
  let failed = 0;
  const appIds = sender.breakers.open().filter((appId) => sender.ownership.owns(appId));
  const failAll = async (appId: string) => {
    let count: number;
    do {
      const startedAt = performance.now();
      count = await failSlice(sender, appId);
      failed += count;
      if (count === SLICE) await pause(performance.now() - startedAt);
    } while (count === SLICE && !sender.isClosing);
  };
  await eachByItself(appIds, failAll, 'not all that is overdue could be counted as failed');
  return failed;
}

/** Locks the breaker, so that closing it waits, and nothing counts as failed afterwards. */
async function failSlice(
  { db, clock, shards, underWay, applications }: Sending,
  appId: string,
): Promise<number> {
  const at = clock.now();
  const failed = await db.begin(async (tx) => {
    if (!(await lockBreaker(tx, appId))) return 0;
    // The events of an application that is disabled, suspended or deleted keep their attempts.
    const [receiver] = await applications.findEventReceivers([appId], tx);
    if (!receiver || firstStateFor(receiver) !== 'pending') return 0;
    const slice = {
      appId,
      dueBy: at - PROBE_FIRST_MS,
      at,
      underWay: Array.from(underWay).flatMap(([deliveryId, owner]) => (owner === appId ? [deliveryId] : [])),
      shards,
    };
    return sliceAfterSlice(shards, SLICE, async (part, limit) => {
      const events = await failOverdue(tx, { ...slice, limit, part });
      await insertAttempts(
        tx,
        events.map(({ attempts, ...event }) => ({ ...event, entry: { attempt: attempts, at, ...ENTRY } })),
      );
      return events.length;
    });
  });
  const failure = { isDelivered: false, durationMs: undefined };
  for (let i = 0; i < failed; i++) applications.recorder.noteDelivery(appId, failure);
  return failed;
}

/** The applications whose breakers are open; a read over all shards, for the workers. */
export async function findOpenBreakers(db: Db): Promise<string[]> {
  const rows = await db<{ appId: string }[]>`select app_id from open_breakers`;
  return rows.map(({ appId }) => appId);
}

interface OpenBreaker {
  appId: string;
  openedAt: number;
}

/** The breakers that have been open for longest; a read over all shards. */
export async function selectLongestOpen(db: Db, limit: number): Promise<OpenBreaker[]> {
  return db<OpenBreaker[]>`
    select app_id, opened_at from open_breakers order by opened_at, app_id limit ${limit}`;
}

/** The open breakers of these applications, and since when. A read over many shards. */
export async function selectOpenBreakers(db: Db, appIds: string[]): Promise<OpenBreaker[]> {
  return db<OpenBreaker[]>`select app_id, opened_at from open_breakers where app_id = any(${appIds})`;
}

/** Does not change an open one. `owner` and `owned_until` are for the previous version. */
async function insertBreaker(tx: Tx, { appId, openedAt }: OpenBreaker): Promise<void> {
  await tx`
    insert into open_breakers (app_id, opened_at, owner, owned_until)
    values (${appId}, ${openedAt}, '', ${openedAt})
    on conflict (app_id) do nothing`;
}

export async function deleteBreaker(tx: Tx, appId: string): Promise<void> {
  await tx`delete from open_breakers where app_id = ${appId}`;
}

/** Locks it until the transaction ends; returns whether it is open. */
async function lockBreaker(tx: Tx, appId: string): Promise<boolean> {
  const rows = await tx`select from open_breakers where app_id = ${appId} for update`;
  return rows.length === 1;
}

interface Overdue extends OpenSlice {
  /** Counts events that were due then or earlier. */
  dueBy: number;
  at: number;
  /** Events whose attempt is in progress. */
  underWay: readonly string[];
}

/** Counts due attempts of an application as failed, the oldest first. Returns their new state. */
async function failOverdue(tx: Tx, overdue: Overdue): Promise<FailedEvent[]> {
  const { appId, dueBy, at, underWay, limit, shards, part } = overdue;
  const within = (table: string) => withinShard(tx, shards, part, table);
  return tx<FailedEvent[]>`
    with overdue as materialized (
      select bucket, delivery_id from event_queue
      where app_bucket = ${bucketOf(appId)} and app_id = ${appId} and state in ('pending', 'retrying')
        and next_attempt_at <= ${dueBy} and delivery_id <> all(${underWay as string[]}) ${within('event_queue')}
      order by next_attempt_at, delivery_id
      limit ${tx.constant(limit)}
      for update skip locked
    )
    update event_queue as failed
    set attempts = failed.attempts + 1, logged = failed.logged + 1,
      state = case when failed.attempts < ${WAITS_MS.length}::integer then 'retrying' else 'abandoned' end,
      next_attempt_at = ${at}::bigint + (${[...WAITS_MS]}::bigint[])[failed.attempts + 1]
    from overdue
    where failed.bucket = overdue.bucket and failed.delivery_id = overdue.delivery_id ${within('failed')}
    returning failed.bucket, failed.delivery_id, failed.attempts, failed.logged, failed.replayed_at`;
}

/** With the number of the attempt that has just failed. */
type FailedEvent = Pick<QueuedEvent, 'bucket' | 'deliveryId' | 'attempts' | 'logged' | 'replayedAt'>;
