import { LIMITS } from '#contract/limits.ts';
import type { DeliveryApplication } from '#features/applications/service.ts';
import type { PostResult } from '#platform/safe-fetch/safe-post.ts';

/** Every state of a delivery (contract §3); the last three are final. */
export type DeliveryState = 'pending' | 'retrying' | 'delivered' | 'abandoned' | 'cancelled';

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3_600_000;

/** What an application is to its events at this moment. */
export type Receiver = Pick<DeliveryApplication, 'state' | 'webhookUrl' | 'webhookSecret'>;

/** Whether new events of an application are recorded (decisions: Webhooks). */
export function receivesEvents({ state, webhookUrl }: Pick<Receiver, 'state' | 'webhookUrl'>): boolean {
  return state === 'active' && webhookUrl !== undefined;
}

export interface Target {
  url: string;
  secret: string;
}

/**
 * Where a due delivery goes; or that it waits until the application takes events again; or that the application is
 * deleted.
 */
export function judgeReceiver(receiver: Receiver | undefined): Target | 'parked' | 'cancelled' {
  if (!receiver) return 'cancelled';
  const { state, webhookUrl, webhookSecret } = receiver;
  if (state !== 'active' || webhookUrl === undefined) return 'parked';
  return { url: webhookUrl, secret: webhookSecret };
}

/** Only a 2xx whose whole answer arrived in time delivers; a redirect is a failure (contract §6). */
export function isDelivered(result: PostResult): boolean {
  return result.kind === 'response' && result.status >= 200 && result.status < 300;
}

/** Where an attempt leaves its delivery. */
export interface Outcome {
  state: DeliveryState;
  nextAttemptAt: number | null;
}

/**
 * Waits of 30 s, doubling up to 1 h, counted from the end of the failed attempt, without jitter; the 8th failure is the
 * last (contract §3).
 *
 * @param attempt number of the attempt that ended, from 1
 */
export function outcomeOf(hasDelivered: boolean, attempt: number, endedAt: number): Outcome {
  if (hasDelivered) return { state: 'delivered', nextAttemptAt: null };
  if (attempt >= LIMITS.webhookAttempts) return { state: 'abandoned', nextAttemptAt: null };
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
  return { state: 'retrying', nextAttemptAt: endedAt + waitMs };
}
