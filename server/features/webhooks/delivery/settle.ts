import type { Tx } from '#platform/database.ts';
import type { Shards } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { insertAttempts } from '../attempts/queries.ts';
import type { WebhookDeps } from '../deps.ts';
import { deleteDelivered, type QueueState, type Settlement, updateSettled } from '../queries.ts';
import { type NewQueued, toQueued } from '../record-events.ts';
import { queueHeld } from './held-queries.ts';

/**
 * Records the outcomes of attempts, on Citus of one shard. Returns the events that were unchanged since the
 * claim.
 */
export async function settleBatch(
  { db, shards }: WebhookDeps,
  settlements: Settlement[],
): Promise<ReadonlySet<string>> {
  if (shards.isDistributed) return db.begin((tx) => settle(tx, settlements, shards));
  const {
    held = [],
    delivered = [],
    others = [],
  } = Object.groupBy(settlements, ({ delivery, state, entry }) => {
    if (state !== 'delivered' || !entry) return 'others';
    return delivery.isHeld ? 'held' : 'delivered';
  });
  const settled = await Promise.all([
    held.length > 0 ? db.write((tx) => insertFirstAttempts(tx, held)) : [],
    settleDelivered(db, delivered),
    others.length > 0 ? db.begin((tx) => settle(tx, others, shards)) : [],
  ]);
  return new Set(settled.flatMap((ids) => [...ids]));
}

/** All that a delivered event leaves if it was sent from memory. An existing row is from another owner, who has sent it, too. */
async function insertFirstAttempts(tx: Tx, settlements: Settlement[]): Promise<string[]> {
  const deliveries = settlements.map(({ delivery }) => delivery);
  const deliveryIds = deliveries.map(({ deliveryId }) => deliveryId);
  await tx`
    insert into event_attempts (bucket, delivery_id, seq, entry)
    select bucket, delivery_id, 1, entry::jsonb from unnest(
      ${deliveries.map(({ bucket }) => bucket)}::integer[], ${deliveryIds}::text[],
      string_to_array(${settlements.map(({ entry }) => JSON.stringify(entry)).join('\n')}, e'\\n')
    ) as made (bucket, delivery_id, entry)
    on conflict (bucket, delivery_id, seq) do nothing`;
  return deliveryIds;
}

async function settleDelivered(db: Platform['db'], settlements: Settlement[]): Promise<ReadonlySet<string>> {
  if (settlements.length === 0) return new Set();
  const strange = new Set(await db.write((tx) => logDelivered(tx, settlements)));
  // Others have recorded or stopped them, but the attempts were made.
  if (strange.size > 0) {
    const made = settlements.filter(({ delivery }) => strange.has(delivery.deliveryId));
    await db.begin((tx) => insertAttempts(tx, attemptsOf(made)));
  }
  const ids = settlements.map(({ delivery }) => delivery.deliveryId);
  return new Set(ids.filter((deliveryId) => !strange.has(deliveryId)));
}

/**
 * Logs the attempts and removes delivered events from the queue, on Citus of one shard. Returns the events that
 * were unchanged since the claim.
 */
export async function settle(
  tx: Tx,
  settlements: Settlement[],
  shards: Pick<Shards, 'isDistributed'>,
): Promise<ReadonlySet<string>> {
  const {
    held = [],
    failed = [],
    delivered = [],
    others = [],
  } = Object.groupBy(settlements, ({ delivery, state }) => {
    if (delivery.isHeld) return state === 'delivered' ? 'held' : 'failed';
    return state === 'delivered' ? 'delivered' : 'others';
  });
  const queued = failed.length > 0 ? await queueHeld(tx, failed.map(toRetry), shards) : undefined;
  // The queue before the attempts, as in `logDelivered`: otherwise two owners of one event deadlock.
  const settled = await Promise.all([
    held.map(({ delivery }) => delivery.deliveryId),
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

/**
 * The same for delivered events on a single PostgreSQL, in one statement at half the cost; on Citus no
 * statement can write two tables. Returns the events that had changed since the claim, for which nothing is
 * logged.
 */
async function logDelivered(tx: Tx, settlements: Settlement[]): Promise<string[]> {
  const deliveries = settlements.map(({ delivery }) => delivery);
  const strange = await tx<{ deliveryId: string }[]>`
    with claimed as materialized (
      select bucket, delivery_id, attempts, next_attempt_at, entry from unnest(
        ${deliveries.map(({ bucket }) => bucket)}::integer[],
        ${deliveries.map(({ deliveryId }) => deliveryId)}::text[],
        ${deliveries.map(({ attempts }) => attempts)}::integer[],
        ${deliveries.map(({ nextAttemptAt }) => nextAttemptAt)}::bigint[],
        string_to_array(${settlements.map(({ entry }) => JSON.stringify(entry)).join('\n')}, e'\\n')
      ) as claimed (bucket, delivery_id, attempts, next_attempt_at, entry)
    ), delivered as (
      delete from event_queue as delivered using claimed
      where delivered.bucket = claimed.bucket and delivered.delivery_id = claimed.delivery_id
        and delivered.attempts = claimed.attempts and delivered.next_attempt_at = claimed.next_attempt_at
      returning delivered.bucket, delivered.delivery_id, delivered.logged, delivered.replayed_at, claimed.entry
    ), logged as (
      insert into event_attempts (bucket, delivery_id, seq, replayed_at, entry)
      select bucket, delivery_id, logged + 1, replayed_at, entry::jsonb from delivered
    )
    select delivery_id from claimed where not exists (
      select from delivered where delivered.delivery_id = claimed.delivery_id
    )`;
  return strange.map(({ deliveryId }) => deliveryId);
}
