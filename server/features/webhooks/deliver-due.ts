import { LIMITS } from '#contract/limits.ts';
import { findApplicationsForDelivery } from '#features/applications/service.ts';
import { attempt, type DeliveryResult, type Errand, leaveLane } from './attempt.ts';
import type { Courier } from './courier.ts';
import type { Lanes } from './lanes.ts';
import { type Claim, claimDeliveries, type LeasedDelivery } from './queries.ts';
import type { Receiver } from './rules.ts';

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
 * One step of the delivery worker: claims what is due and begins the errands. It does not wait for them, so that the
 * next claim is under way while this one's receivers are read and posted to, and a slow one delays no further step; and
 * no transaction is open while a request is under way.
 */
export async function deliverDue(courier: Courier, { limit }: { limit: number }): Promise<DeliveryStep> {
  const { lanes, clock } = courier;
  const leaseEndsAt = clock.now() + courier.deadlineMs + LEASE_MARGIN_MS;
  const { isPaced } = lanes;
  const offer = { usual: lanes.freeOfUnknown, free: lanes.known() };
  const deliveries = await claimNext(courier, { ...offer, limit, leaseEndsAt });
  const errands = deliveries.map((delivery) => {
    return { delivery, agent: lanes.enter(delivery.appId), leaseEndsAt };
  });
  const finished = attemptAll(courier, errands);
  const isFull = deliveries.length >= limit;
  const hasMore = isFull || courier.afterAppId !== '' || hasRoomAgain(lanes, offer, deliveries);
  // Applications take turns: the next step begins after the last one that this step served.
  courier.afterAppId = isFull ? lastAppId(deliveries) : '';
  return { isFull, hasMore, isPaced, finished };
}

/** Never rejects. */
async function attemptAll(courier: Courier, errands: Errand[]): Promise<StepCounts> {
  const receivers = await findReceivers(courier, errands);
  if (receivers) {
    return count(
      await Promise.all(
        errands.map((errand) => attempt(courier, errand, receivers.get(errand.delivery.appId))),
      ),
    );
  }
  // The leases run out, and the attempts are made then.
  for (const errand of errands) leaveLane(courier, errand);
  return { lost: errands.length };
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
async function findReceivers(
  courier: Courier,
  errands: Errand[],
): Promise<Map<string, Receiver> | undefined> {
  if (errands.length === 0) return new Map();
  const appIds = new Set(errands.map(({ delivery }) => delivery.appId));
  try {
    const found = await findApplicationsForDelivery(courier, [...appIds]);
    return new Map(found.map((receiver) => [receiver.appId, receiver]));
  } catch (error) {
    courier.log.error({ err: error }, 'the delivery worker could not read whom to send to');
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
