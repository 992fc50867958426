import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryState } from '#contract/webhooks.ts';
import type { WebhookAgent } from '#platform/safe-fetch/agent.ts';
import { type PostResult, safePost } from '#platform/safe-fetch/safe-post.ts';
import { attemptEntry, type NotMade } from '../log/attempt-log.ts';
import type { DueEvent, Settlement } from '../queries.ts';
import { openBodyIfReadable } from '../record-events.ts';
import { isDelivered, judgeReceiver, outcomeOf, type Receiver, type Target } from '../rules.ts';
import { followAtOnce } from '../tasks/work.ts';
import type { Sender } from './sender.ts';
import { signedHeaders } from './signing.ts';

const RECORD_AGAIN_MS = 1_000;

/** Where a claimed event ends up: a state, or parked, or left as it is, or not ours to record any more. */
export type DeliveryResult = DeliveryState | 'parked' | 'released' | 'lost';

/** An event that has a slot in its application's queue. */
export interface Task {
  delivery: DueEvent;
  agent: WebhookAgent;
}

/** Where a task leaves its delivery. */
interface Ending {
  settlement: Settlement;
  result: DeliveryResult;
  /** Missing when no request was made. */
  posted?: PostResult;
}

/**
 * Attempts one claimed delivery and records what came of it. Never rejects.
 *
 * @param receiver what its application is now; nothing when it is deleted
 */
export async function attempt(
  sender: Sender,
  task: Task,
  receiver: Receiver | undefined,
): Promise<DeliveryResult> {
  const { deliveryId, appId } = task.delivery;
  let posted: PostResult | undefined;
  const flight = sender.queues.isQuick(appId) ? await sender.inFlight.begin(appId) : undefined;
  try {
    if (sender.isClosing) return 'released';
    const { settlement, result, ...ending } = await run(sender, task, receiver);
    posted = ending.posted;
    if (flight) flight.isAnswered = true;
    const isSettled = await record(sender, settlement);
    await tellBreaker(sender, appId, settlement);
    // Also when it was reactivated since we looked: whoever did so found nothing parked yet.
    if (result === 'parked' || result === 'cancelled') await followAtOnce(sender, appId);
    return isSettled ? result : 'lost';
  } catch (error) {
    // Nothing is lost: the event is still in the queue, and the attempt is made again.
    sender.log.error({ err: error, deliveryId }, 'a webhook attempt could not be recorded');
    return 'lost';
  } finally {
    // Only now: no more events are under way than slots, so that few are sent twice after a crash.
    if (flight) sender.inFlight.end(flight);
    leaveQueue(sender, task, posted);
  }
}

/** The event is under way until its attempt is recorded: free, it would be sent again at once. */
async function record(sender: Sender, settlement: Settlement): Promise<boolean> {
  for (;;) {
    try {
      return await sender.settle(settlement);
    } catch (error) {
      if (sender.isClosing) throw error;
      const { deliveryId } = settlement.delivery;
      sender.log.error({ err: error, deliveryId }, 'a webhook attempt could not be recorded yet');
      await pause(RECORD_AGAIN_MS);
    }
  }
}

/** A request that could not be made says nothing about the endpoint. Events that waited for the breaker to close are due. */
async function tellBreaker(
  { breakers, dueDeliveries }: Sender,
  appId: string,
  { state, entry }: Settlement,
): Promise<void> {
  if (!entry?.timings) return;
  if (await breakers.note(appId, { isDelivered: state === 'delivered' })) dueDeliveries.raise();
}

/** Gives the slot of a task back; whoever found no free one may look again. */
export function leaveQueue(
  { queues, underWay, dueDeliveries }: Sender,
  { delivery: { deliveryId, appId } }: Task,
  result?: PostResult,
): void {
  underWay.delete(deliveryId);
  if (queues.leave(appId, result)) dueDeliveries.raise();
}

async function run(sender: Sender, task: Task, receiver: Receiver | undefined): Promise<Ending> {
  const { delivery } = task;
  const now = sender.clock.now();
  const settled = { delivery, state: delivery.state, attempts: delivery.attempts, nextAttemptAt: null };
  const target = judgeReceiver(receiver, now);
  if (target === 'cancelled') return { settlement: { ...settled, state: target }, result: target };
  if (target === 'parked') return { settlement: settled, result: target };
  const posted = typeof target === 'string' ? target : await post(sender, task, target);
  return endingOf(sender, delivery, {
    posted,
    at: now,
    url: typeof target === 'string' ? undefined : target.url,
  });
}

function endingOf(
  { clock, applications, log }: Sender,
  delivery: DueEvent,
  { posted, at, url }: { posted: PostResult | NotMade; at: number; url: string | undefined },
): Ending {
  const { deliveryId, appId } = delivery;
  const attempts = delivery.attempts + 1;
  const result = typeof posted === 'string' ? undefined : posted;
  applications.recorder.noteDelivery(appId, {
    isDelivered: result !== undefined && isDelivered(result),
    durationMs: result?.timings.total ?? 0,
  });
  const outcome = outcomeOf(result, attempts, clock.now());
  log.debug({ deliveryId, appId, attempts, state: outcome.state, result: posted }, 'webhook attempt');
  const entry = attemptEntry(attempts, at, posted, url);
  return {
    settlement: { delivery, attempts, entry, ...outcome },
    result: outcome.state,
    ...(result && { posted: result }),
  };
}

class UnreadableEvent extends Error {}

/** One signed request, or why it could not be made. */
async function post(
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
  try {
    return await safePost(agent, { url, write, deadlineMs });
  } catch (error) {
    if (error instanceof UnreadableEvent) return 'unreadable_event';
    log.error({ err: error, deliveryId }, 'a webhook request could not be made');
    return 'internal';
  }
}
