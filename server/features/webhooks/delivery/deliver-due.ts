import { LIMITS } from '#contract/limits.ts';
import { type Claim, claimDeliveries, type LeasedDelivery } from '../queries.ts';
import type { Receiver } from '../rules.ts';
import { attempt, type DeliveryResult, leaveQueue, type Task } from './attempt.ts';
import type { EndpointQueues } from './endpoint-queues.ts';
import type { Sender } from './sender.ts';

/** A lease outlasts the longest attempt by this much; one that cannot begin in that time does not begin. */
const LEASE_MARGIN_MS = 5_000;
/** No lease is longer, but in tests. */
export const LEASE_MS = LIMITS.webhookTimeoutMs + LEASE_MARGIN_MS;

export type StepCounts = Partial<Record<DeliveryResult, number>>;

export interface DeliveryStep {
  /** It got as many as it could. */
  isFull: boolean;
  /** There may be more to claim at once. */
  hasMore: boolean;
  /** Some may have got nothing only because too many began just before. */
  isPaced: boolean;
  /** Resolves when every claimed delivery is attempted and recorded. */
  finished: Promise<StepCounts>;
}

/**
 * One step of the delivery worker: claims what is due and begins the tasks. It does not wait for them, so that the
 * next claim is under way while this one's receivers are read and posted to, and a slow one delays no further step; and
 * no transaction is open while a request is under way.
 */
export async function deliverDue(sender: Sender, { limit }: { limit: number }): Promise<DeliveryStep> {
  const { queues, clock } = sender;
  const leaseEndsAt = clock.now() + sender.deadlineMs + LEASE_MARGIN_MS;
  const { isPaced } = queues;
  const offer = { usual: queues.freeOfUnknown, free: queues.known() };
  const deliveries = await claimNext(sender, { ...offer, limit, leaseEndsAt });
  const tasks = deliveries.map((delivery) => {
    return { delivery, agent: queues.enter(delivery.appId), leaseEndsAt };
  });
  const finished = attemptAll(sender, tasks);
  const isFull = deliveries.length >= limit;
  const hasMore = isFull || sender.afterAppId !== '' || hasRoomAgain(queues, offer, deliveries);
  // Applications take turns: the next step begins after the last one that this step served.
  sender.afterAppId = isFull ? lastAppId(deliveries) : '';
  return { isFull, hasMore, isPaced, finished };
}

/** Never rejects. */
async function attemptAll(sender: Sender, tasks: Task[]): Promise<StepCounts> {
  const receivers = await findReceivers(sender, tasks);
  if (receivers) {
    return count(
      await Promise.all(tasks.map((task) => attempt(sender, task, receivers.get(task.delivery.appId)))),
    );
  }
  // The leases run out, and the attempts are made then.
  for (const task of tasks) leaveQueue(sender, task);
  return { lost: tasks.length };
}

async function claimNext(
  { db, afterAppId, clock, random }: Sender,
  claim: Pick<Claim, 'limit' | 'usual' | 'free' | 'leaseEndsAt'>,
): Promise<LeasedDelivery[]> {
  const leaseOwner = random.bytes(12).toString('base64url');
  return db.write((tx) => claimDeliveries(tx, { afterAppId, now: clock.now(), leaseOwner, ...claim }));
}

/** Whether an application that got all it could in this step has a free slot by now. Later ones raise the signal. */
function hasRoomAgain(
  queues: EndpointQueues,
  { usual, free }: Pick<Claim, 'usual' | 'free'>,
  deliveries: LeasedDelivery[],
): boolean {
  const claimed = new Map<string, number>();
  for (const { appId } of deliveries) claimed.set(appId, (claimed.get(appId) ?? 0) + 1);
  for (const appId of new Set([...free.keys(), ...claimed.keys()])) {
    const offered = free.get(appId) ?? usual;
    if ((claimed.get(appId) ?? 0) >= offered && queues.freeOf(appId) > 0) return true;
  }
  return false;
}

/** Read after the claim, so that a changed URL, secret or state counts for this very attempt. */
async function findReceivers(sender: Sender, tasks: Task[]): Promise<Map<string, Receiver> | undefined> {
  if (tasks.length === 0) return new Map();
  const appIds = new Set(tasks.map(({ delivery }) => delivery.appId));
  try {
    const found = await sender.applications.findForDelivery([...appIds]);
    return new Map(found.map((receiver) => [receiver.appId, receiver]));
  } catch (error) {
    sender.log.error({ err: error }, 'the delivery worker could not read whom to send to');
    return undefined;
  }
}

function lastAppId(deliveries: LeasedDelivery[]): string {
  return deliveries
    .map(({ appId }) => appId)
    .sort()
    .at(-1) as string;
}

function count(results: DeliveryResult[]): StepCounts {
  const counts: StepCounts = {};
  for (const result of results) counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}
