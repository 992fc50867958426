import { type DeliveryApplication, findApplicationForDelivery } from '#features/applications/service.ts';
import { type PostResult, safePost } from '#platform/safe-fetch/safe-post.ts';
import type { Courier } from './courier.ts';
import { claimDeliveries, type LeasedDelivery, type Settlement } from './queries.ts';
import { openBody } from './record-events.ts';
import { isDelivered, judgeReceiver, outcomeOf } from './rules.ts';
import { resumeDeliveries } from './service.ts';
import { signedHeaders } from './signing.ts';

/** An attempt ends 5 s before its lease does, or it does not begin: another worker never sends the same one. */
const LEASE_MARGIN_MS = 5_000;

/** How a claimed delivery left the step. `released`: untouched, for others to claim; `lost`: settled by somebody else. */
export type StepResult =
  | 'delivered'
  | 'retrying'
  | 'abandoned'
  | 'cancelled'
  | 'parked'
  | 'released'
  | 'lost';

export type StepCounts = Record<StepResult, number>;

export interface DeliveryStep {
  claimed: number;
  /** There may be more to claim at once. */
  hasMore: boolean;
  /** Resolves when each claimed delivery is attempted and recorded; a slow receiver delays no next step. */
  finished: Promise<StepCounts>;
}

/**
 * One step of the delivery worker: claims what is due, as far as slots are free, and begins the attempts. No
 * transaction is open while a request is under way.
 */
export async function deliverDue(courier: Courier, { limit }: { limit: number }): Promise<DeliveryStep> {
  const leaseEndsAt = courier.clock.now() + courier.deadlineMs + LEASE_MARGIN_MS;
  const deliveries = await claimNext(courier, limit, leaseEndsAt);
  const hasMore = deliveries.length === limit || courier.afterAppId !== '';
  courier.afterAppId =
    deliveries.length === limit ? deliveries.reduce((last, { appId }) => (appId > last ? appId : last), '') : '';
  const applications = await findApplications(courier, deliveries);
  const finished = Promise.all(
    deliveries.map((delivery) => handle(courier, delivery, applications.get(delivery.appId), leaseEndsAt)),
  );
  return { claimed: deliveries.length, hasMore, finished: finished.then(count) };
}

async function claimNext(courier: Courier, limit: number, leaseEndsAt: number): Promise<LeasedDelivery[]> {
  const { buckets, afterAppId, clock, random, lanes } = courier;
  if (limit <= 0) return [];
  return claimDeliveries(courier.db, {
    buckets,
    afterAppId,
    now: clock.now(),
    leaseOwner: random.bytes(12).toString('base64url'),
    leaseEndsAt,
    perApplication: lanes.limits.perApplication,
    free: lanes.taken(),
    limit,
  });
}

/** Read after the claim, so that a changed URL, secret or state serves this very attempt. */
async function findApplications(
  { db, keyring }: Courier,
  deliveries: LeasedDelivery[],
): Promise<Map<string, DeliveryApplication | undefined>> {
  const appIds = [...new Set(deliveries.map(({ appId }) => appId))];
  const applications = await Promise.all(appIds.map((appId) => findApplicationForDelivery({ db, keyring }, appId)));
  return new Map(appIds.map((appId, i) => [appId, applications[i]]));
}

async function handle(
  courier: Courier,
  delivery: LeasedDelivery,
  application: DeliveryApplication | undefined,
  leaseEndsAt: number,
): Promise<StepResult> {
  try {
    const verdict = judgeReceiver(application);
    if (verdict === 'cancel') return await settle(courier, 'cancelled', cancelled(delivery));
    if (verdict === 'park') return await park(courier, delivery);
    const isLate = courier.clock.now() + courier.deadlineMs > leaseEndsAt;
    if (courier.isClosing || isLate) {
      return await settle(courier, 'released', untouched(delivery, courier.clock.now()));
    }
    return await attempt(courier, delivery, application as ReachableApplication);
  } catch (error) {
    // Its lease runs out, and then it is claimed again.
    courier.log.warn({ err: error, deliveryId: delivery.deliveryId }, 'a webhook delivery could not be recorded');
    return 'lost';
  }
}
