import { setTimeout as pause } from 'node:timers/promises';
import { bucketOf } from '#platform/ids.ts';

import { idsInReach, readEachShard, type ShardScope } from '#platform/partitioning/shards.ts';
import { type Claim, type DueEvent, findDue, type Turn } from '../queries.ts';
import type { Receiver } from '../rules.ts';
import { attempt, type DeliveryResult, leaveQueue, type Task } from './attempt.ts';
import { countByApplication, type Offers } from './backlogs/backlogs.ts';
import type { EndpointQueues } from './endpoint-queues.ts';
import { FIRST_TURN, type Sender } from './sender.ts';

/** The database answered a moment ago. */
const READ_AGAIN_MS = 1_000;

export type StepCounts = Partial<Record<DeliveryResult, number>>;

export interface DeliveryStep {
  /** It claimed as many as it could. */
  isFull: boolean;
  /** There may be more to claim immediately. */
  hasMore: boolean;
  /** Some applications may have got nothing only because too many attempts had just begun. */
  isPaced: boolean;
  /** It found nothing to send. */
  isIdle: boolean;
  /** Resolves when every claimed delivery is attempted and recorded. */
  finished: Promise<StepCounts>;
}

/**
 * One step of the delivery worker: claims due events and begins the tasks. It does not wait for them, so that
 * the next claim runs while these are sent, and a slow receiver does not delay the next step; and no
 * transaction is open during a request.
 */
export async function deliverDue(sender: Sender, { limit }: { limit: number }): Promise<DeliveryStep> {
  const { queues, backlogs, underWay, left } = sender;
  const { isPaced } = queues;
  const offers = backlogs.offers();
  left.clear();
  const found = await claimNext(sender, { ...offers, limit: limit + offers.known });
  const isFree = ({ deliveryId }: DueEvent) => !underWay.has(deliveryId) && !left.has(deliveryId);
  const deliveries = found.filter(isFree).slice(0, limit);
  const tasks = deliveries.map((delivery) => {
    underWay.set(delivery.deliveryId, delivery.appId);
    return { delivery, agent: queues.enter(delivery.appId) };
  });
  const isFull = deliveries.length >= limit;
  const isWhole = !isFull && sender.after === FIRST_TURN;
  backlogs.note(found, deliveries, { ...offers, isWhole });
  noteQueues(sender, { ...offers, isWhole }, found);
  const finished = attemptAll(sender, tasks);
  const hasMore = isFull || sender.after !== FIRST_TURN || hasRoomAgain(queues, offers, found);
  // Applications take turns: the next step begins after the last one that this step served.
  sender.after = isFull ? lastTurn(deliveries) : FIRST_TURN;
  return { isFull, hasMore, isPaced, isIdle: found.length === 0, finished };
}

/** Which applications have more due events than those in progress. */
function noteQueues(
  sender: Sender,
  { usual, offers, isWhole }: Offers & { isWhole: boolean },
  found: DueEvent[],
): void {
  const { memoryQueue, queues } = sender;
  const counts = countByApplication(found);
  const isRead = (appId: string) => (counts.get(appId) ?? 0) < (offers.get(appId)?.limit ?? usual);
  for (const appId of counts.keys()) if (!isRead(appId)) memoryQueue.noteQueued(appId);
  if (isWhole) for (const appId of [...memoryQueue.queued()]) if (isRead(appId)) memoryQueue.noteEmpty(appId);
  const mayBegin = isWhole && usual > 0 && !queues.isPaced && [...offers.keys()].every(isRead);
  sender.isQueueEmpty = mayBegin && found.length === 0;
}

/** Begins events that this process has in memory, as many as there are slots. Returns undefined if there were none. */
export function sendHeld(sender: Sender): Promise<StepCounts> | undefined {
  const { queues, underWay, memoryQueue, ownership } = sender;
  const tasks: Task[] = [];
  const mayBegin = (appId: string) => queues.free > 0 && queues.freeOf(appId) > 0 && ownership.owns(appId);
  for (const delivery of memoryQueue.begin(mayBegin)) {
    underWay.set(delivery.deliveryId, delivery.appId);
    tasks.push({ delivery, agent: queues.enter(delivery.appId) });
  }
  return tasks.length > 0 ? attemptAll(sender, tasks) : undefined;
}

/** Never rejects. */
async function attemptAll(sender: Sender, tasks: Task[]): Promise<StepCounts> {
  const receivers = await findReceivers(sender, tasks);
  const attempted = tasks.map((task) => {
    const { appId } = task.delivery;
    return receivers.has(appId) ? attempt(sender, task, receivers.get(appId)) : leaveForLater(sender, task);
  });
  return count(await Promise.all(attempted));
}

/** If the receivers cannot be read, the attempt is made a little later: the event is still in the queue. */
async function leaveForLater(sender: Sender, task: Task): Promise<DeliveryResult> {
  if (!sender.isClosing) await pause(READ_AGAIN_MS);
  leaveQueue(sender, task);
  return 'lost';
}

/**
 * No other worker sends for these applications, and events in progress are known: nothing has to be written.
 */
async function claimNext(
  sender: Sender,
  { limit, usual, offers }: Pick<Claim, 'limit' | 'usual' | 'offers'>,
): Promise<DueEvent[]> {
  const { ownership, after, clock } = sender;
  const found: DueEvent[] = [];
  for (const { from, to } of ownership.ranges()) {
    const begin = { appBucket: from, appId: '' };
    const claim = {
      usual,
      offers,
      after: compareTurns(begin, after) > 0 ? begin : after,
      before: to,
      now: clock.now(),
      limit: limit - found.length,
    };
    if (claim.limit > 0 && claim.after.appBucket < to) found.push(...(await claimRange(sender, claim)));
  }
  return found;
}

/**
 * On Citus a read of each shard, reduced to the result of one read of all. Events of a shard whose node is down
 * wait for it; the others do not.
 */
async function claimRange(
  { db, shards, log }: Sender,
  claim: Omit<Claim, keyof ShardScope>,
): Promise<DueEvent[]> {
  const found = await readEachShard(
    shards,
    (part) => findDue(db, { ...claim, shards, part }),
    (err) => log.error({ err }, 'the events of a shard cannot be read'),
  );
  return inTurns(found, claim);
}

/** The oldest events of each application, up to its limit, application by application. */
function inTurns(
  found: DueEvent[],
  { usual, offers, limit }: Pick<Claim, 'usual' | 'offers' | 'limit'>,
): DueEvent[] {
  const ofApplications = [...Map.groupBy(found, ({ appId }) => appId)].sort(([one], [other]) =>
    compareTurns(turnOf(one), turnOf(other)),
  );
  return ofApplications
    .flatMap(([appId, events]) => events.sort(compareDue).slice(0, offers.get(appId)?.limit ?? usual))
    .slice(0, limit);
}

function compareDue(one: DueEvent, other: DueEvent): number {
  return one.nextAttemptAt - other.nextAttemptAt || (one.deliveryId < other.deliveryId ? -1 : 1);
}

function turnOf(appId: string): Turn {
  return { appBucket: bucketOf(appId), appId };
}

function compareTurns(one: Turn, other: Turn): number {
  return one.appBucket - other.appBucket || (one.appId < other.appId ? -1 : Number(one.appId > other.appId));
}

/**
 * Whether an application that reached its limit in this step already has a free slot. Slots that become free
 * later trigger the wake-up.
 */
function hasRoomAgain(queues: EndpointQueues, { usual, offers }: Offers, found: DueEvent[]): boolean {
  const counts = countByApplication(found);
  for (const appId of new Set([...offers.keys(), ...counts.keys()])) {
    const { limit } = offers.get(appId) ?? { limit: usual };
    if ((counts.get(appId) ?? 0) >= limit && queues.freeOf(appId) > 0) return true;
  }
  return false;
}

/** Undefined for a deleted application; missing if it could not be read. */
type Receivers = ReadonlyMap<string, Receiver | undefined>;

/** Read after the claim, so that a changed URL, secret or state applies to this attempt. */
async function findReceivers(sender: Sender, tasks: Task[]): Promise<Receivers> {
  const appIds = [...new Set(tasks.map(({ delivery }) => delivery.appId))];
  try {
    return await readReceivers(sender, appIds);
  } catch (error) {
    sender.log.error({ err: error }, 'the delivery worker could not read whom to send to');
    if (!sender.shards.isDistributed) return new Map();
  }
  // Separately: a node that is down fails only its own applications.
  const reads = await Promise.allSettled(appIds.map((appId) => readReceivers(sender, [appId])));
  return new Map(reads.flatMap((read) => (read.status === 'fulfilled' ? [...read.value] : [])));
}

async function readReceivers({ applications, shards }: Sender, asked: string[]): Promise<Receivers> {
  const appIds = await idsInReach(shards, 'applications', asked);
  if (appIds.length === 0) return new Map();
  const found = new Map(
    (await applications.findForDelivery(appIds)).map((receiver) => [receiver.appId, receiver]),
  );
  return new Map(appIds.map((appId) => [appId, found.get(appId)]));
}

function lastTurn(deliveries: DueEvent[]): Turn {
  const turns = deliveries.map(({ appId }) => turnOf(appId));
  return turns.sort(compareTurns).at(-1) as Turn;
}

function count(results: DeliveryResult[]): StepCounts {
  const counts: StepCounts = {};
  for (const result of results) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}
