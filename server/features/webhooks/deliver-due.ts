import { findApplicationsForDelivery } from '#features/applications/service.ts';
import { attempt, type DeliveryResult } from './attempt.ts';
import type { Courier } from './courier.ts';
import type { Lanes } from './lanes.ts';
import { type Claim, claimDeliveries, type LeasedDelivery } from './queries.ts';
import type { Receiver } from './rules.ts';

/** A lease outlasts the longest attempt by this much; one that cannot begin in that time does not begin. */
const LEASE_MARGIN_MS = 5_000;

export type StepCounts = Partial<Record<DeliveryResult, number>>;

export interface DeliveryStep {
  claimed: number;
  /** There may be more to claim at once. */
  hasMore: boolean;
  /** Some may have got nothing only because too many began just before. */
  isPaced: boolean;
  /** Resolves when every claimed delivery is attempted and recorded. */
  finished: Promise<StepCounts>;
}

/**
 * One step of the delivery worker: claims what is due and begins the attempts. It does not wait for them, so that a
 * slow receiver delays no further step; and no transaction is open while a request is under way.
 */
export async function deliverDue(courier: Courier, { limit }: { limit: number }): Promise<DeliveryStep> {
  const { lanes, clock } = courier;
  const leaseEndsAt = clock.now() + courier.deadlineMs + LEASE_MARGIN_MS;
  const { isPaced } = lanes;
  const offer = { usual: lanes.freeOfUnknown, free: lanes.known() };
  const deliveries = await claimNext(courier, { ...offer, limit, leaseEndsAt });
  const receivers = await findReceivers(courier, deliveries);
  const results = deliveries.map((delivery) =>
    attempt(courier, { delivery, receiver: receivers.get(delivery.appId), leaseEndsAt }),
  );
  const isFull = deliveries.length >= limit;
  const hasMore = isFull || courier.afterAppId !== '' || hasRoomAgain(lanes, offer, deliveries);
  // Applications take turns: the next step begins after the last one that this step served.
  courier.afterAppId = isFull ? lastAppId(deliveries) : '';
  return { claimed: deliveries.length, hasMore, isPaced, finished: Promise.all(results).then(count) };
}

async function claimNext(
  { db, afterAppId, clock, random }: Courier,
  claim: Pick<Claim, 'limit' | 'usual' | 'free' | 'leaseEndsAt'>,
): Promise<LeasedDelivery[]> {
  return claimDeliveries(db, {
    afterAppId,
    now: clock.now(),
    leaseOwner: random.bytes(12).toString('base64url'),
    ...claim,
  });
}

/** Whether an application that got all it could in this step has a free slot by now. Later ones raise the signal. */
function hasRoomAgain(
  lanes: Lanes,
  { usual, free }: Pick<Claim, 'usual' | 'free'>,
  deliveries: LeasedDelivery[],
): boolean {
  const claimed = new Map<string, number>();
  for (const { appId } of deliveries) claimed.set(appId, (claimed.get(appId) ?? 0) + 1);
  for (const appId of new Set([...free.keys(), ...claimed.keys()])) {
    const offered = free.get(appId) ?? usual;
    if ((claimed.get(appId) ?? 0) >= offered && lanes.freeOf(appId) > 0) return true;
  }
  return false;
}

/** Read after the claim, so that a changed URL, secret or state counts for this very attempt. */
async function findReceivers(courier: Courier, deliveries: LeasedDelivery[]): Promise<Map<string, Receiver>> {
  if (deliveries.length === 0) return new Map();
  const appIds = new Set(deliveries.map(({ appId }) => appId));
  const found = await findApplicationsForDelivery(courier, [...appIds]);
  return new Map(found.map((receiver) => [receiver.appId, receiver]));
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
