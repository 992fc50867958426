import type { Statement } from '#platform/database/statement.ts';
import { type Database, isUniqueViolation, type Tx } from '#platform/database.ts';
import type { Shards } from '#platform/partitioning/shards.ts';
import { insertAttempts } from '../attempts/queries.ts';
import type { WebhookDeps } from '../deps.ts';
import { deleteDelivered, type QueueState, type Settlement, updateSettled } from '../queries.ts';
import { type NewQueued, toQueued } from '../record-events.ts';
import { queueHeld } from './held-queries.ts';

/**
 * Records the outcomes of attempts, on Citus of one shard. Returns the events without another outcome since the
 * claim.
 */
export async function settleBatch(
  { db, shards }: WebhookDeps,
  settlements: Settlement[],
  isOnlyWorker = false,
): Promise<ReadonlySet<string>> {
  if (shards.isDistributed) return db.begin((tx) => settle(tx, settlements, shards));
  const { delivered = [], others = [] } = Object.groupBy(settlements, ({ state, entry }) =>
    state === 'delivered' && entry ? 'delivered' : 'others',
  );
  const settled = await Promise.all([
    delivered.length > 0 ? logDelivered(db, delivered, isOnlyWorker) : [],
    others.length > 0 ? db.begin((tx) => settle(tx, others, shards)) : [],
  ]);
  return new Set(settled.flatMap((ids) => [...ids]));
}

/**
 * Logs the attempts and removes delivered events from the queue, on Citus of one shard. Returns the events
 * without another outcome since the claim.
 */
export async function settle(
  tx: Tx,
  settlements: Settlement[],
  shards: Pick<Shards, 'isDistributed'>,
): Promise<ReadonlySet<string>> {
  const {
    delivered = [],
    failed = [],
    others = [],
  } = Object.groupBy(settlements, ({ delivery, state }) => {
    if (state === 'delivered') return 'delivered';
    return delivery.isHeld ? 'failed' : 'others';
  });
  const queued = failed.length > 0 ? await queueHeld(tx, failed.map(toRetry), shards) : undefined;
  // The queue before the attempts, as in `logDelivered`: otherwise two owners of one event deadlock.
  const settled = await Promise.all([
    idsOfHeld(delivered),
    queued?.added ?? [],
    delivered.length > 0 ? deleteDelivered(tx, delivered, shards) : [],
    others.length > 0 ? updateSettled(tx, others, shards) : [],
    insertAttempts(tx, attemptsOf(settlements)).then(() => []),
  ]);
  return new Set(settled.flat());
}

function attemptsOf(settlements: Settlement[]) {
  return settlements.flatMap(({ delivery, entry, answer }) =>
    entry ? [{ ...delivery, logged: delivery.logged + 1, entry, answer }] : [],
  );
}

function toRetry({ delivery, entry, answer: _, ...settlement }: Settlement): NewQueued {
  return {
    ...toQueued(delivery),
    ...settlement,
    state: settlement.state as QueueState,
    logged: Number(entry !== undefined),
  };
}

function idsOfHeld(settlements: Settlement[]): string[] {
  return settlements.flatMap(({ delivery }) => (delivery.isHeld ? [delivery.deliveryId] : []));
}

/**
 * The same for delivered events on a single PostgreSQL, in one statement at half the cost; on Citus no statement can write two
 * tables. That another owner has recorded one of them is rare, and asking it of each takes a fifth of the time.
 */
async function logDelivered(
  db: Database,
  settlements: Settlement[],
  isOnlyWorker: boolean,
): Promise<string[]> {
  try {
    return await db.write((tx) => insertDelivered(tx, settlements, { isOnlyWorker }));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const unlessLogged = db`on conflict (bucket, delivery_id, seq) do nothing`;
    return db.write((tx) => insertDelivered(tx, settlements, { unlessLogged }));
  }
}

/** An event that was sent from memory is in the queue only if another owner has put it there. */
async function insertDelivered(
  tx: Tx,
  settlements: Settlement[],
  { isOnlyWorker = false, unlessLogged = tx`` }: { isOnlyWorker?: boolean; unlessLogged?: Statement },
): Promise<string[]> {
  const deliveries = settlements.map(({ delivery }) => delivery);
  const held = idsOfHeld(settlements);
  const claimed = tx`
    unnest(
      ${deliveries.map(({ bucket }) => bucket)}::integer[],
      ${deliveries.map(({ deliveryId }) => deliveryId)}::text[],
      ${deliveries.map(({ attempts }) => attempts)}::integer[],
      ${deliveries.map(({ logged }) => logged)}::integer[],
      ${deliveries.map(({ replayedAt }) => replayedAt)}::bigint[],
      string_to_array(${settlements.map(({ entry }) => JSON.stringify(entry)).join('\n')}, e'\\n')
    ) as claimed (bucket, delivery_id, attempts, logged, replayed_at, attempt)`;
  const logged = tx`
    insert into event_attempts (bucket, delivery_id, seq, replayed_at, attempt)
    select bucket, delivery_id, logged + 1, replayed_at, attempt::json from`;
  if (isOnlyWorker && held.length === settlements.length) {
    await tx`${logged} ${claimed} ${unlessLogged}`;
    return held;
  }
  const deleted = await tx<{ deliveryId: string }[]>`
    with claimed as materialized (select * from ${claimed}), delivered as (
      delete from event_queue as delivered using claimed
      where delivered.bucket = claimed.bucket and delivered.delivery_id = claimed.delivery_id
        and delivered.attempts = claimed.attempts and delivered.logged = claimed.logged
      returning delivered.delivery_id
    ), logged as (${logged} claimed ${unlessLogged})
    select delivery_id from delivered`;
  return [...held, ...deleted.map(({ deliveryId }) => deliveryId)];
}
