import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryState } from '#contract/webhooks.ts';
import type { WebhookAgent } from '#platform/safe-fetch/agent.ts';
import { type PostResult, safePost } from '#platform/safe-fetch/safe-post.ts';
import { attemptEntry, type NotMade } from '../attempts/attempt-log.ts';
import type { DueEvent, Settlement } from '../queries.ts';
import { openBodyIfReadable } from '../record-events.ts';
import { isDelivered, outcomeOf, type Receiver, type Target, targetOf } from '../rules.ts';
import { followAtOnce } from '../tasks/work.ts';
import type { Flight } from './in-flight.ts';
import type { Sender } from './sender.ts';
import { signedHeaders } from './signing.ts';

const RECORD_AGAIN_MS = 1_000;

/** The result for a claimed event: its new state, parked, unchanged, or no longer recorded by this worker. */
export type DeliveryResult = DeliveryState | 'parked' | 'released' | 'lost';

/** An event that has a slot in its application's queue. */
export interface Task {
  delivery: DueEvent;
  agent: WebhookAgent;
}

/**
 * The outcome of a claimed event: a request, the reason why there was none, or that its application receives no
 * events.
 */
type Made = PostResult | NotMade | 'parked' | 'cancelled';

/**
 * Attempts one claimed delivery and records the result. Never rejects.
 *
 * @param receiver the current state of its application; undefined if it is deleted
 */
export async function attempt(
  sender: Sender,
  task: Task,
  receiver: Receiver | undefined,
): Promise<DeliveryResult> {
  const { breakers, dueDeliveries } = sender;
  const { delivery } = task;
  const { deliveryId, appId } = delivery;
  let posted: PostResult | undefined;
  const flight = await beginFlight(sender, appId);
  try {
    if (sender.isClosing) return 'released';
    const at = sender.clock.now();
    const target = targetOf(receiver, at);
    const made = typeof target === 'string' ? target : await post(sender, task, target);
    sender.inFlight.answer(flight);
    if (typeof made !== 'string') posted = made;
    const host = typeof target === 'string' ? undefined : hostOf(task.agent, target.url);
    const settlement = settlementOf(sender, delivery, { made, at, host });
    const settling = sender.settle(settlement);
    const isSettled = await settling.catch((error) => settleLater(sender, settlement, error));
    // A request that could not be made says nothing about the endpoint. Events that waited for the breaker to close are due.
    if (posted && (await breakers.note(appId, { isDelivered: isDelivered(posted) }))) dueDeliveries.raise();
    // Also if it has been reactivated since it was read: the reactivation found nothing parked yet.
    if (made === 'parked' || made === 'cancelled') await followAtOnce(sender, appId);
    if (!isSettled) return 'lost';
    return made === 'parked' ? made : settlement.state;
  } catch (error) {
    // The event is still in the queue and will be attempted again.
    sender.log.error({ err: error, deliveryId }, 'a webhook attempt could not be recorded');
    return 'lost';
  } finally {
    // Only now, so that no more events are in progress than there are slots, and few are sent twice after a
    // crash.
    sender.inFlight.end(flight);
    leaveQueue(sender, task, posted);
  }
}

function beginFlight({ queues, inFlight }: Sender, appId: string): Flight | Promise<Flight> {
  return queues.isSlow(appId) ? inFlight.beginSlow() : inFlight.begin(appId);
}

/** The event stays in progress until its attempt is recorded: otherwise it would be sent again at once. */
async function settleLater(sender: Sender, settlement: Settlement, failure: unknown): Promise<boolean> {
  for (let error = failure; !sender.isClosing; ) {
    const { deliveryId } = settlement.delivery;
    sender.log.error({ err: error, deliveryId }, 'a webhook attempt could not be recorded yet');
    await pause(RECORD_AGAIN_MS);
    try {
      return await sender.settle(settlement);
    } catch (again) {
      error = again;
    }
  }
  throw failure;
}

/** Frees the slot of a task, so that claims that found none can try again. */
export function leaveQueue(
  { queues, underWay, left, dueDeliveries }: Sender,
  { delivery: { deliveryId, appId } }: Task,
  result?: PostResult,
): void {
  underWay.delete(deliveryId);
  left.add(deliveryId);
  if (queues.leave(appId, result)) dueDeliveries.raise();
}

/** The agent parsed the URL at the first post. */
function hostOf(agent: WebhookAgent, url: string): string {
  const target = agent.check(url);
  return 'fault' in target ? new URL(url).host : target.authority;
}

function settlementOf(
  { clock, applications, log }: Sender,
  delivery: DueEvent,
  { made, at, host }: { made: Made; at: number; host: string | undefined },
): Settlement {
  const { deliveryId, appId } = delivery;
  if (made === 'parked' || made === 'cancelled') {
    const state = made === 'parked' ? delivery.state : made;
    return { delivery, state, attempts: delivery.attempts, nextAttemptAt: null };
  }
  const posted = typeof made === 'string' ? undefined : made;
  applications.recorder.noteDelivery(appId, {
    isDelivered: posted !== undefined && isDelivered(posted),
    durationMs: posted?.timings.total ?? 0,
  });
  const attempts = delivery.attempts + 1;
  const { state, nextAttemptAt } = outcomeOf(posted, attempts, clock.now());
  log.debug({ deliveryId, appId, attempts, state, result: made }, 'webhook attempt');
  return { delivery, state, attempts, nextAttemptAt, entry: attemptEntry(attempts, at, made, host) };
}

class UnreadableEvent extends Error {}

/** One signed request, or the reason why it could not be made. */
function post(
  { clock, config, keyring, deadlineMs, log }: Sender,
  { delivery, agent }: Task,
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
  return safePost(agent, { url, write, deadlineMs }).catch((error) => {
    if (error instanceof UnreadableEvent) return 'unreadable_event';
    log.error({ err: error, deliveryId }, 'a webhook request could not be made');
    return 'internal';
  });
}
