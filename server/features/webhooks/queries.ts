import type { MessageEventType } from '#contract/events.ts';
import type { DeliveryState } from '#contract/webhooks.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { AttemptEntry } from './log/attempt-log.ts';

export interface NewDelivery {
  bucket: number;
  deliveryId: string;
  appId: string;
  type: MessageEventType;
  msgId: string;
  body: Buffer;
  bodyKeyId: number;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: number | null;
  createdAt: number;
}

/** A delivery whose attempt belongs to whoever holds the lease. */
export interface LeasedDelivery extends Omit<NewDelivery, 'nextAttemptAt' | 'createdAt'> {
  leaseOwner: string;
}

export async function insertDeliveries(tx: Tx, rows: NewDelivery[]): Promise<void> {
  await tx`
    insert into deliveries ${tx(rows, 'bucket', 'deliveryId', 'appId', 'type', 'msgId', 'body', 'bodyKeyId', 'state', 'attempts', 'nextAttemptAt', 'createdAt')}`;
}

/**
 * The same for events in groups. Arrays, because a statement of the same text for any number of rows is prepared once;
 * each row is joined with its group, which has the same bucket, as Citus demands.
 */
export async function insertGroupDeliveries(
  tx: Tx,
  rows: (NewDelivery & { groupId: string })[],
): Promise<void> {
  await tx`
    insert into deliveries as recorded
      (bucket, delivery_id, app_id, type, msg_id, body, body_key_id, state, attempts, next_attempt_at, created_at)
    select found.bucket, event.delivery_id, event.app_id, event.type, event.msg_id, decode(event.body, 'hex'),
      event.body_key_id, event.state, 0, event.next_attempt_at, event.created_at
    from unnest(
        ${rows.map((row) => row.bucket)}::integer[], ${rows.map((row) => row.groupId)}::text[],
        ${rows.map((row) => row.msgId)}::text[], ${rows.map((row) => row.deliveryId)}::text[],
        ${rows.map((row) => row.appId)}::text[], ${rows.map((row) => row.type)}::text[],
        ${rows.map((row) => row.body.toString('hex'))}::text[], ${rows.map((row) => row.bodyKeyId)}::integer[],
        ${rows.map((row) => row.state)}::text[], ${rows.map((row) => row.nextAttemptAt)}::bigint[],
        ${rows.map((row) => row.createdAt)}::bigint[])
      as event (bucket, group_id, msg_id, delivery_id, app_id, type, body, body_key_id, state, next_attempt_at, created_at)
    cross join lateral (
      select bucket from groups
      where bucket = any(${[...new Set(rows.map((row) => row.bucket))]})
        and bucket = event.bucket and group_id = event.group_id
      limit 1
    ) found`;
}

export interface Claim {
  /** Those of one shard, on Citus. On plain PostgreSQL nothing: an array of all 1,024 quadruples the statement's cost. */
  buckets?: readonly number[];
  /** Applications are taken in turn, beginning with the one after this. */
  afterAppId: string;
  now: number;
  leaseOwner: string;
  leaseEndsAt: number;
  /** How many one application may get at most, where `free` does not say otherwise. */
  usual: number;
  free: ReadonlyMap<string, number>;
  limit: number;
}

/**
 * Takes due deliveries, the oldest of each application. Walks from application to application through the index and
 * stops once it has enough, so that the backlog of one costs nothing to the others.
 */
export async function claimDeliveries(tx: Tx, claim: Claim): Promise<LeasedDelivery[]> {
  const { buckets, now, leaseOwner, leaseEndsAt, free, usual } = claim;
  const inShard = buckets ? tx`bucket = any(${buckets as number[]}) and` : tx``;
  const claimedInShard = buckets ? tx`claimed.bucket = any(${buckets as number[]}) and` : tx``;
  return tx<LeasedDelivery[]>`
    with recursive queue (app_id) as (
      (select app_id from deliveries
       where ${inShard} state in ('pending', 'retrying') and app_id > ${claim.afterAppId}
       order by app_id limit 1)
      union all
      select next.app_id
      from queue cross join lateral (
        select app_id from deliveries
        where ${inShard} state in ('pending', 'retrying') and app_id > queue.app_id
        order by app_id limit 1
      ) next
    ), queues as materialized (
      select ${JSON.stringify(Object.fromEntries(free))}::text::jsonb as free
    ), due as materialized (
      select oldest.bucket, oldest.delivery_id
      from queue cross join lateral (
        select bucket, delivery_id from deliveries
        where ${inShard} app_id = queue.app_id and state in ('pending', 'retrying')
          and next_attempt_at <= ${now}
        order by next_attempt_at, delivery_id
        limit coalesce(((select free from queues) ->> queue.app_id)::integer, ${usual}::integer)
        for update skip locked
      ) oldest
      limit ${claim.limit}
    )
    update deliveries as claimed set lease_owner = ${leaseOwner}, next_attempt_at = ${leaseEndsAt}
    from due
    where ${claimedInShard} claimed.bucket = due.bucket and claimed.delivery_id = due.delivery_id
    returning claimed.bucket, claimed.delivery_id, claimed.app_id, claimed.type, claimed.msg_id, claimed.body,
      claimed.body_key_id, claimed.state, claimed.attempts, claimed.lease_owner`;
}

/** The outcome of an attempt, with which the holder of a lease gives it up. */
export interface Settlement {
  delivery: LeasedDelivery;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: number | null;
  /** Missing when none was made. */
  entry?: AttemptEntry;
}

/** How many finished attempts a delivery remembers: those of two replays and the first run. */
export const KEPT_ATTEMPTS = 24;

/**
 * Settles those whose lease and attempt are still the ones that were claimed. Only what is open has a lease; to ask for
 * the state as well would have PostgreSQL read all that is open, whenever it has not counted lately how much that is.
 *
 * @param buckets as for a claim
 */
export async function settleDeliveries(
  tx: Tx,
  settlements: Settlement[],
  { buckets }: Pick<Claim, 'buckets'> = {},
): Promise<string[]> {
  const deliveries = settlements.map(({ delivery }) => delivery);
  const inShard = buckets ? tx`settled.bucket = any(${buckets as number[]}) and` : tx``;
  const settled = await tx<{ deliveryId: string }[]>`
    update deliveries as settled
    set state = said.state, attempts = said.attempts, next_attempt_at = said.next_attempt_at, lease_owner = null,
      attempt_log = case
        when said.entry is null then settled.attempt_log
        when jsonb_array_length(settled.attempt_log) < ${KEPT_ATTEMPTS}::integer
          then settled.attempt_log || said.entry::jsonb
        else (settled.attempt_log - 0) || said.entry::jsonb
      end
    from unnest(
      ${deliveries.map(({ bucket }) => bucket)}::integer[],
      ${deliveries.map(({ deliveryId }) => deliveryId)}::text[],
      ${deliveries.map(({ leaseOwner }) => leaseOwner)}::text[],
      ${deliveries.map(({ attempts }) => attempts)}::integer[],
      ${settlements.map(({ state }) => state)}::text[],
      ${settlements.map(({ attempts }) => attempts)}::integer[],
      ${settlements.map(({ nextAttemptAt }) => nextAttemptAt)}::bigint[],
      ${settlements.map(({ entry }) => (entry ? JSON.stringify(entry) : null))}::text[]
    ) as said (bucket, delivery_id, lease_owner, claimed_attempts, state, attempts, next_attempt_at, entry)
    where ${inShard} settled.bucket = said.bucket and settled.delivery_id = said.delivery_id
      and settled.lease_owner = said.lease_owner and settled.attempts = said.claimed_attempts
    returning settled.delivery_id`;
  return settled.map(({ deliveryId }) => deliveryId);
}

/** How many of an application's open deliveries one statement changes at most. */
interface OpenSlice {
  appId: string;
  limit: number;
}

/**
 * Makes parked deliveries of an application due. Skips rows that somebody is changing: nobody waits for anybody. What is
 * locked is chosen in a materialized query, here as elsewhere: another one may be run again for each row that it is
 * joined with, and choose others each time.
 */
export async function unparkDeliveries(
  tx: Tx,
  { appId, at, limit }: OpenSlice & { at: number },
): Promise<number> {
  const unparked = await tx`
    with parked as materialized (
      select bucket, delivery_id from deliveries
      where app_id = ${appId} and state in ('pending', 'retrying') and next_attempt_at is null
      order by next_attempt_at, delivery_id
      limit ${tx.constant(limit)}
      for update skip locked
    )
    update deliveries as unparked set next_attempt_at = ${at}
    from parked
    where unparked.bucket = parked.bucket and unparked.delivery_id = parked.delivery_id`;
  return unparked.count;
}

/** Lets due deliveries of an application wait until it takes events again; an attempt under way is not due. */
export async function parkDueDeliveries(
  tx: Tx,
  { appId, dueBy, limit }: OpenSlice & { dueBy: number },
): Promise<number> {
  const parked = await tx`
    with due as materialized (
      select bucket, delivery_id from deliveries
      where app_id = ${appId} and state in ('pending', 'retrying') and next_attempt_at <= ${dueBy}
      order by next_attempt_at, delivery_id
      limit ${tx.constant(limit)}
      for update skip locked
    )
    update deliveries as parked set next_attempt_at = null, lease_owner = null
    from due
    where parked.bucket = due.bucket and parked.delivery_id = due.delivery_id`;
  return parked.count;
}

/** Ends what is open of an application. Rows that somebody is changing are left to the next claim, which sees why. */
export async function cancelOpenDeliveries(tx: Tx, { appId, limit }: OpenSlice): Promise<number> {
  const cancelled = await tx`
    with open as materialized (
      select bucket, delivery_id from deliveries
      where app_id = ${appId} and state in ('pending', 'retrying')
      order by next_attempt_at, delivery_id
      limit ${tx.constant(limit)}
      for update skip locked
    )
    update deliveries as cancelled set state = 'cancelled', next_attempt_at = null, lease_owner = null
    from open
    where cancelled.bucket = open.bucket and cancelled.delivery_id = open.delivery_id`;
  return cancelled.count;
}

/** From application to application through the index, however many events each has waiting. */
export async function findParkedApplications(db: Db): Promise<string[]> {
  const rows = await db<{ appId: string }[]>`
    with recursive queue (app_id) as (
      (select app_id from deliveries where state in ('pending', 'retrying') order by app_id limit 1)
      union all
      select next.app_id
      from queue cross join lateral (
        select app_id from deliveries
        where state in ('pending', 'retrying') and app_id > queue.app_id
        order by app_id limit 1
      ) next
    )
    select app_id from queue
    where exists (
      select from deliveries
      where deliveries.app_id = queue.app_id and state in ('pending', 'retrying') and next_attempt_at is null
    )`;
  return rows.map(({ appId }) => appId);
}
