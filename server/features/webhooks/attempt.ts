import type { DeliveryState } from '#contract/webhooks.ts';
import type { WebhookAgent } from '#platform/safe-fetch/agent.ts';
import { type PostResult, safePost } from '#platform/safe-fetch/safe-post.ts';
import { attemptEntry } from './attempt-log.ts';
import type { Courier } from './courier.ts';
import type { LeasedDelivery, Settlement } from './queries.ts';
import { openBody } from './record-events.ts';
import { isDelivered, judgeReceiver, outcomeOf, type Receiver, type Target } from './rules.ts';
import { resumeChanged } from './service.ts';
import { signedHeaders } from './signing.ts';

/** Where a claimed delivery ends up: a state, or parked, or given back untouched, or not ours to record any more. */
export type DeliveryResult = DeliveryState | 'parked' | 'released' | 'lost';

/** A delivery that is ours until its lease ends, and what its application is now. */
export interface Errand {
  delivery: LeasedDelivery;
  receiver: Receiver | undefined;
  leaseEndsAt: number;
}

/** Attempts one claimed delivery and records what came of it. Never rejects. */
export async function attempt(courier: Courier, errand: Errand): Promise<DeliveryResult> {
  try {
    return await handle(courier, errand);
  } catch (error) {
    // Nothing is lost: the lease runs out, and the attempt is made again.
    const { deliveryId } = errand.delivery;
    courier.log.error({ err: error, deliveryId }, 'a webhook attempt could not be recorded');
    return 'lost';
  }
}

async function handle(
  courier: Courier,
  { delivery, receiver, leaseEndsAt }: Errand,
): Promise<DeliveryResult> {
  const { state, attempts, appId } = delivery;
  const now = courier.clock.now();
  const target = judgeReceiver(receiver, now);
  if (target === 'cancelled') {
    return record(courier, { delivery, state: 'cancelled', attempts, nextAttemptAt: null }, 'cancelled');
  }
  if (target === 'parked') {
    const result = await record(courier, { delivery, state, attempts, nextAttemptAt: null }, 'parked');
    // Reactivated since we looked: whoever did so found nothing parked yet.
    await resumeChanged(courier, [appId]);
    return result;
  }
  if (courier.isClosing || now + courier.deadlineMs > leaseEndsAt) {
    return record(courier, { delivery, state, attempts, nextAttemptAt: now }, 'released');
  }
  return send(courier, delivery, target);
}

async function send(courier: Courier, delivery: LeasedDelivery, target: Target): Promise<DeliveryResult> {
  const { clock, lanes, log } = courier;
  const { deliveryId, appId } = delivery;
  const agent = lanes.enter(appId);
  const startedAt = clock.now();
  let result: PostResult | undefined;
  try {
    result = await post(courier, delivery, target, agent);
    const attempts = delivery.attempts + 1;
    courier.recorder?.noteDelivery(appId, {
      isDelivered: result !== undefined && isDelivered(result),
      durationMs: result?.timings.total ?? 0,
    });
    const outcome = outcomeOf(result, attempts, clock.now());
    log.debug({ deliveryId, appId, attempts, state: outcome.state, result }, 'webhook attempt');
    const entry = attemptEntry(attempts, startedAt, result);
    return await record(courier, { delivery, attempts, entry, ...outcome }, outcome.state);
  } finally {
    // Whoever found no free slot may look again.
    if (lanes.leave(appId, result)) courier.dueDeliveries.raise();
  }
}

/** One signed request; nothing when a fault of ours, such as a damaged row, keeps it from being made. */
async function post(
  { clock, config, keyring, deadlineMs, log }: Courier,
  delivery: LeasedDelivery,
  { url, secrets }: Target,
  agent: WebhookAgent,
): Promise<PostResult | undefined> {
  const { type, msgId, deliveryId } = delivery;
  try {
    const body = openBody(keyring, delivery);
    const { serviceName } = config;
    const headers = signedHeaders({ secrets, eventId: msgId, type, body, at: clock.now(), serviceName });
    return await safePost(agent, { url, headers, body, deadlineMs });
  } catch (error) {
    log.error({ err: error, deliveryId }, 'a webhook request could not be made');
    return undefined;
  }
}

async function record(
  courier: Courier,
  settlement: Settlement,
  result: DeliveryResult,
): Promise<DeliveryResult> {
  return (await courier.settle(settlement)) ? result : 'lost';
}
