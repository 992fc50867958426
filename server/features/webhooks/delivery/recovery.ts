import { firstIdAt } from '#platform/ids.ts';
import { readEachShard } from '#platform/partitioning/shards.ts';
import type { DueEvent } from '../queries.ts';
import { toHeld, toQueued } from '../record-events.ts';
import { deleteWorker, findUnfinished, queueHeld, type WorkerRow } from './held-queries.ts';
import { COMMITS_MS } from './memory-queue.ts';
import type { Sender } from './sender.ts';

/** A worker takes no new events once its heartbeat is older than this. */
export const TAKES_MS = 30_000;
/** Before the first time and after the last one: the clocks of servers differ. */
const MARGIN_MS = 60_000;
const SLICE = 2_000;

type Recovering = Pick<
  Sender,
  'db' | 'clock' | 'shards' | 'log' | 'memoryQueue' | 'ownership' | 'underWay' | 'dueDeliveries'
>;

/** Finds the events that these dead workers had in memory: this worker sends those of its applications. */
export async function recoverHeld(sender: Recovering, dead: readonly WorkerRow[]): Promise<void> {
  const { db, clock } = sender;
  for (const worker of dead) {
    const isLast = worker.seenAt < clock.now() - TAKES_MS - COMMITS_MS;
    const hasFound = await recoverFrom(sender, worker);
    // Nothing of it can become visible any more, and nobody else is sending its events.
    if (isLast && !hasFound) await db.write((tx) => deleteWorker(tx, worker));
  }
}

/** Returns whether the worker has events that are not finished, whoever is to send them. */
async function recoverFrom(sender: Recovering, { workerId, seenAt, heldSince }: WorkerRow): Promise<boolean> {
  const { db, shards, log, memoryQueue, ownership, underWay } = sender;
  const to = firstIdAt('dlv', seenAt + TAKES_MS + MARGIN_MS);
  const from = firstIdAt('dlv', Math.max(0, heldSince - MARGIN_MS));
  const isFree = ({ deliveryId, appId }: DueEvent) =>
    ownership.owns(appId) && !memoryQueue.has(deliveryId) && !underWay.has(deliveryId);
  let hasFound = false;
  const found = await readEachShard(
    shards,
    async (part) => {
      // All at once: a worker has only so many bytes in memory.
      const rows = await findUnfinished(db, { workerId, from, to, shards, part });
      hasFound ||= rows.length > 0;
      return rows
        .map(toHeld)
        .filter(isFree)
        .filter((event) => !memoryQueue.adopt(event));
    },
    (err) => {
      hasFound = true;
      log.error({ err }, 'the events of a shard cannot be read');
    },
  );
  if (hasFound) memoryQueue.wake();
  await queueAll(sender, found);
  return hasFound;
}

/** Moves events into the queue, by shard; those of a shard that cannot be written stay where they are. */
export async function queueAll(
  { db, shards, log, memoryQueue, dueDeliveries }: Omit<Recovering, 'underWay' | 'ownership' | 'clock'>,
  events: readonly DueEvent[],
): Promise<void> {
  for (const ofShard of Map.groupBy(events, ({ bucket }) => shards.of(bucket)).values()) {
    for (let from = 0; from < ofShard.length; from += SLICE) {
      const slice = ofShard.slice(from, from + SLICE);
      try {
        const { existing } = await db.begin((tx) => queueHeld(tx, slice.map(toQueued), shards));
        const isExisting = new Set(existing);
        for (const event of slice) {
          if (isExisting.has(event.deliveryId)) memoryQueue.release(event.deliveryId);
          else memoryQueue.holdUncommitted(event);
        }
      } catch (err) {
        log.error({ err }, 'events that are in memory cannot be queued yet');
        for (const { deliveryId } of slice) memoryQueue.withdraw(deliveryId, 'queuing');
      }
    }
  }
  for (const appId of new Set(events.map((event) => event.appId))) memoryQueue.noteQueued(appId);
  if (events.length > 0) dueDeliveries.raise();
}
