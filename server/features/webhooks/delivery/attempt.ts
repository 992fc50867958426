import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryState } from '#contract/choices.ts';
import { hmacSha256 } from '#platform/crypto/hmac.ts';
import type { WebhookAgent } from '#platform/safe-fetch/agent.ts';
import { type PostResult, safePost } from '#platform/safe-fetch/safe-post.ts';
import { sealAnswer } from '../attempts/answer.ts';
import { attemptEntry, type NotMade } from '../attempts/attempt-log.ts';
import type { DueEvent, Settlement } from '../queries.ts';
import { openBodyIfReadable } from '../record-events.ts';
import { isDelivered, outcomeOf, type Receiver, type Target, targetOf } from '../rules.ts';
import { followAtOnce } from '../tasks/work.ts';
import type { Flight } from './in-flight.ts';
import type { Sender } from './sender.ts';

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
type Made = PostResult | NotMade | NotDue;
/** The application receives no events. */
type NotDue = 'parked' | 'unsent' | 'cancelled';

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
  const { breakers, dueDeliveries, memoryQueue } = sender;
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
    const url = typeof target === 'string' ? undefined : target.url;
    const host = url && hostOf(task.agent, url);
    const settlement = settlementOf(sender, delivery, { made, at, host });
    const settling = sender.settle(settlement);
    const isSettled = await settling.catch((error) => settleLater(sender, settlement, error));
    // A request that could not be made says nothing about the endpoint. Events that waited for the breaker to close are due.
    if (posted && url && (await breakers.note(appId, { url, isDelivered: isDelivered(posted) })))
      dueDeliveries.raise();
    // Also if it has been reactivated since it was read: the reactivation found nothing parked yet.
    if (isNotDue(made)) await followAtOnce(sender, appId);
    memoryQueue.release(deliveryId);
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

function isNotDue(made: Made): made is NotDue {
  return made === 'parked' || made === 'unsent' || made === 'cancelled';
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
  sender: Sender,
  { delivery: { deliveryId, appId } }: Task,
  result?: PostResult,
): void {
  const { queues, underWay, left, dueDeliveries, memoryQueue } = sender;
  underWay.delete(deliveryId);
  left.add(deliveryId);
  memoryQueue.withdraw(deliveryId, 'sending');
  const isRoomForOthers = queues.leave(appId, result);
  if (memoryQueue.isWaiting(isRoomForOthers ? undefined : appId)) memoryQueue.wake();
  if (isRoomForOthers && !sender.isQueueEmpty) dueDeliveries.raise();
}

/** The agent parsed the URL at the first post. */
function hostOf(agent: WebhookAgent, url: string): string {
  const target = agent.check(url);
  return 'fault' in target ? new URL(url).host : target.authority;
}

function settlementOf(
  { clock, applications, keyring, log }: Sender,
  delivery: DueEvent,
  { made, at, host }: { made: Made; at: number; host: string | undefined },
): Settlement {
  const { deliveryId, appId } = delivery;
  if (isNotDue(made)) {
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
  const entry = attemptEntry(attempts, at, made, host);
  const answer = sealAnswer(keyring, { deliveryId, seq: delivery.logged + 1 }, posted);
  return { delivery, state, attempts, nextAttemptAt, entry, answer };
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
    const body = delivery.isOpen ? delivery.body : openBodyIfReadable(keyring, delivery);
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

export interface SignedRequest {
  /** As displayed to the developer: `whsec_` and base64. The newest first; an older one signs for Standard Webhooks only. */
  secrets: readonly [newest: string, ...older: string[]];
  /** The same for every attempt, different for every event of a receiver. */
  eventId: string;
  type: string;
  body: Buffer;
  /** Time of the attempt in epoch milliseconds. */
  at: number;
  serviceName: string | undefined;
}

/**
 * Headers of one attempt (contract §6; decisions: Webhooks). The contract's signature is keyed with the secret
 * as it is displayed; that of Standard Webhooks with the decoded bytes of its base64 part. The contract's
 * header always has one `v1`: a receiver that parses it strictly would refuse two.
 */
export function signedHeaders(request: SignedRequest): Record<string, string> {
  const { secrets, eventId, type, body, at, serviceName } = request;
  const seconds = String(Math.floor(at / 1000));
  const signature = `t=${seconds},v1=${signatureOf(secrets[0], seconds, body)}`;
  const standardSignatures = secrets.map(
    (secret) => `v1,${standardSignatureOf(secret, `${eventId}.${seconds}.`, body)}`,
  );
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Parley-Webhooks/1',
    'X-Service-Event': type,
    'X-Service-Signature': signature,
    ...(serviceName && { [`X-${serviceName}-Event`]: type, [`X-${serviceName}-Signature`]: signature }),
    'webhook-id': eventId,
    'webhook-timestamp': seconds,
    'webhook-signature': standardSignatures.join(' '),
  };
}

/** The `v1` of the contract's header: hex, keyed with the secret as it is displayed. */
export function signatureOf(secret: string | Buffer, seconds: string, body: Buffer): string {
  const key = typeof secret === 'string' ? Buffer.from(secret) : secret;
  return hmacSha256(key, { prefix: `${seconds}.`, body }, 'hex');
}

function standardSignatureOf(secret: string, prefix: string, body: Buffer): string {
  return hmacSha256(Buffer.from(secret.replace(/^whsec_/, ''), 'base64'), { prefix, body }, 'base64');
}
