import type { DeliveryState } from '#contract/webhooks.ts';
import type { WebhookAgent } from '#platform/safe-fetch/agent.ts';
import { type PostResult, safePost } from '#platform/safe-fetch/safe-post.ts';
import { attemptEntry, type NotMade } from './attempt-log.ts';
import type { Courier } from './courier.ts';
import type { LeasedDelivery, Settlement } from './queries.ts';
import { openBodyIfReadable } from './record-events.ts';
import { isDelivered, judgeReceiver, outcomeOf, type Receiver, type Target } from './rules.ts';
import { followWithOthers } from './service.ts';
import { signedHeaders } from './signing.ts';

/** Where a claimed delivery ends up: a state, or parked, or given back untouched, or not ours to record any more. */
export type DeliveryResult = DeliveryState | 'parked' | 'released' | 'lost';

/** A delivery that is ours until its lease ends, and has a slot in its application's lane. */
export interface Errand {
  delivery: LeasedDelivery;
  agent: WebhookAgent;
  leaseEndsAt: number;
}

/** Where an errand leaves its delivery. */
interface Ending {
  settlement: Settlement;
  result: DeliveryResult;
}

/**
 * Attempts one claimed delivery and records what came of it. Never rejects.
 *
 * @param receiver what its application is now; nothing when it is deleted
 */
export async function attempt(
  courier: Courier,
  errand: Errand,
  receiver: Receiver | undefined,
): Promise<DeliveryResult> {
  const { deliveryId, appId } = errand.delivery;
  try {
    const { settlement, result } = await run(courier, errand, receiver);
    const isSettled = await courier.settle(settlement);
    await tellBreaker(courier, appId, settlement);
    // Also when it was reactivated since we looked: whoever did so found nothing parked yet.
    if (result === 'parked' || result === 'cancelled') await followWithOthers(courier, appId);
    return isSettled ? result : 'lost';
  } catch (error) {
    // Nothing is lost: the lease runs out, and the attempt is made again.
    courier.log.error({ err: error, deliveryId }, 'a webhook attempt could not be recorded');
    return 'lost';
  }
}

/** What could not be posted says nothing about the endpoint. What waited for the breaker to close is due. */
async function tellBreaker(
  { breakers, dueDeliveries }: Courier,
  appId: string,
  { state, entry }: Settlement,
): Promise<void> {
  if (!entry?.timings) return;
  if (await breakers.note(appId, { isDelivered: state === 'delivered' })) dueDeliveries.raise();
}

/** Gives the slot of an errand back; whoever found no free one may look again. */
export function leaveLane(
  { lanes, dueDeliveries }: Courier,
  { delivery }: Errand,
  result?: PostResult,
): void {
  if (lanes.leave(delivery.appId, result)) dueDeliveries.raise();
}

async function run(courier: Courier, errand: Errand, receiver: Receiver | undefined): Promise<Ending> {
  let posted: PostResult | NotMade | undefined;
  try {
    const { delivery } = errand;
    const now = courier.clock.now();
    const settled = { delivery, state: delivery.state, attempts: delivery.attempts, nextAttemptAt: null };
    const target = judgeReceiver(receiver, now);
    if (target === 'cancelled') return { settlement: { ...settled, state: target }, result: target };
    if (target === 'parked') return { settlement: settled, result: target };
    if (courier.isClosing || now + courier.deadlineMs > errand.leaseEndsAt) {
      return { settlement: { ...settled, nextAttemptAt: now }, result: 'released' };
    }
    posted = target === 'unreadable_secret' ? target : await post(courier, errand, target);
    return endingOf(courier, delivery, posted, now);
  } finally {
    leaveLane(courier, errand, typeof posted === 'string' ? undefined : posted);
  }
}

function endingOf(
  { clock, recorder, log }: Courier,
  delivery: LeasedDelivery,
  posted: PostResult | NotMade,
  startedAt: number,
): Ending {
  const { deliveryId, appId } = delivery;
  const attempts = delivery.attempts + 1;
  const result = typeof posted === 'string' ? undefined : posted;
  recorder?.noteDelivery(appId, {
    isDelivered: result !== undefined && isDelivered(result),
    durationMs: result?.timings.total ?? 0,
  });
  const outcome = outcomeOf(result, attempts, clock.now());
  log.debug({ deliveryId, appId, attempts, state: outcome.state, result: posted }, 'webhook attempt');
  const entry = attemptEntry(attempts, startedAt, posted);
  return { settlement: { delivery, attempts, entry, ...outcome }, result: outcome.state };
}

class UnreadableEvent extends Error {}

/** One signed request, or why it could not be made. */
async function post(
  { clock, config, keyring, deadlineMs, log }: Courier,
  { delivery, agent }: Errand,
  { url, secrets }: Target,
): Promise<PostResult | NotMade> {
  const { type, msgId, deliveryId } = delivery;
  const { serviceName } = config;
  const write = () => {
    const body = openBodyIfReadable(keyring, delivery);
    if (!body) throw new UnreadableEvent();
    return {
      headers: signedHeaders({ secrets, eventId: msgId, type, body, at: clock.now(), serviceName }),
      body,
    };
  };
  try {
    return await safePost(agent, { url, write, deadlineMs });
  } catch (error) {
    if (error instanceof UnreadableEvent) return 'unreadable_event';
    log.error({ err: error, deliveryId }, 'a webhook request could not be made');
    return 'internal';
  }
}
