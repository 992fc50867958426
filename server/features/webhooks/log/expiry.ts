import { eachAtOnce, eachByItself } from '#platform/concurrency/each-by-itself.ts';
import type { Tx } from '#platform/database.ts';
import { firstIdAt } from '#platform/ids.ts';
import { turnDayPartitions } from '#platform/partitioning/day-partitions.ts';
import {
  eachShardByItself,
  type ShardPart,
  type ShardScope,
  withinShard,
} from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { deleteAlertsBefore } from '../alerts/queries.ts';

const DAY_MS = 24 * 3_600_000;
/** Limits the time of one step; on a busy server, the next step continues. */
const MAX_ROUNDS = 500;
const NOT_ALL = 'not all events that have expired could be removed';

/**
 * Selects events that are still to be sent, and their attempts; reads only that day's open events instead of
 * all.
 */
const stillOpen = ({ from, to }: { from: string; to: string }) => `exists (
  select from event_queue open
  where open.bucket = past.bucket and open.delivery_id = past.delivery_id and open.state in ('pending', 'retrying')
    and open.delivery_id >= ${from} and open.delivery_id < ${to})`;

/**
 * One step of the worker: deletes expired events, a day at a time, and alerts. Undelivered events are kept,
 * however old: they wait for their application to be reactivated.
 */
export async function removeExpiredEvents(
  { db, clock, config, shards }: Pick<Platform, 'db' | 'clock' | 'config' | 'shards'>,
  { limit }: { limit: number },
): Promise<void> {
  const before = clock.now() - config.eventRetentionDays * DAY_MS;
  const beforeId = firstIdAt('dlv', before + 1);
  const deleteAll = (deleteSome: (tx: Tx, part: ShardPart) => Promise<number>) => () =>
    eachShardByItself(shards, async (part) => {
      for (let round = 0; round < MAX_ROUNDS; round++)
        if ((await db.write((tx) => deleteSome(tx, part))) < limit) break;
    });
  const turn = (table: string) =>
    turnDayPartitions({ db, clock, shards }, { table, idKind: 'dlv', kept: stillOpen }, before);
  const steps = [
    deleteAll((tx, part) => deleteEndedBefore(tx, { before, limit, shards, part })),
    // PostgreSQL answers only once the files of a day are removed: for 10,000,000 events that takes 2 s.
    () => eachAtOnce(['events', 'event_attempts'], turn, NOT_ALL),
    deleteAll((tx, part) => deleteEventsBefore(tx, { beforeId, limit, shards, part })),
    deleteAll((tx, part) => deleteAttemptsBefore(tx, { beforeId, limit, shards, part })),
    () => db.write((tx) => deleteAlertsBefore(tx, before)),
  ];
  await eachByItself(steps, (step) => step(), NOT_ALL);
}

/**
 * Abandoned, cancelled or fetched again. A deletion over all shards, for the sweeping worker. Skips locked
 * rows.
 */
async function deleteEndedBefore(
  tx: Tx,
  { before, limit, shards, part }: ShardScope & { before: number; limit: number },
): Promise<number> {
  const within = (table: string) => withinShard(tx, shards, part, table);
  const deleted = await tx`
    with ended as materialized (
      select bucket, delivery_id from event_queue
      where created_at <= ${before} and state in ('unsent', 'abandoned', 'cancelled')
        ${within('event_queue')}
      order by created_at
      limit ${tx.constant(limit)}
      for update skip locked
    )
    delete from event_queue as expired
    using ended
    where expired.bucket = ended.bucket and expired.delivery_id = ended.delivery_id ${within('expired')}`;
  return deleted.count;
}

/** Deletes events outside of daily partitions that no longer have to be sent. A deletion over all shards. */
async function deleteEventsBefore(
  tx: Tx,
  { beforeId, limit, shards, part }: ShardScope & { beforeId: string; limit: number },
): Promise<number> {
  const within = (table: string) => withinShard(tx, shards, part, table);
  const deleted = await tx`
    with ended as materialized (
      select bucket, delivery_id from events_other event
      where delivery_id <= ${beforeId} and not exists (
        select from event_queue open
        where open.bucket = event.bucket and open.delivery_id = event.delivery_id and open.state in ('pending', 'retrying') ${within('open')}
      ) ${within('event')}
      order by delivery_id
      limit ${tx.constant(limit)}
      for update skip locked
    )
    delete from events_other as expired
    using ended
    where expired.bucket = ended.bucket and expired.delivery_id = ended.delivery_id ${within('expired')}`;
  return deleted.count;
}

/** Deletes the attempts of such events. */
async function deleteAttemptsBefore(
  tx: Tx,
  { beforeId, limit, shards, part }: ShardScope & { beforeId: string; limit: number },
): Promise<number> {
  const within = (table: string) => withinShard(tx, shards, part, table);
  const deleted = await tx`
    with ended as materialized (
      select bucket, delivery_id, seq from event_attempts_other made
      where delivery_id <= ${beforeId} and not exists (
        select from events event where event.bucket = made.bucket and event.delivery_id = made.delivery_id ${within('event')}
      ) ${within('made')}
      order by delivery_id
      limit ${tx.constant(limit)}
      for update skip locked
    )
    delete from event_attempts_other as expired
    using ended
    where expired.bucket = ended.bucket and expired.delivery_id = ended.delivery_id and expired.seq = ended.seq ${within('expired')}`;
  return deleted.count;
}
