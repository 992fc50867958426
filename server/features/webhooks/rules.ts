import type { Static } from 'typebox';
import type { DeliveryState } from '#contract/choices.ts';
import { LIMITS } from '#contract/limits.ts';
import type { ContentType, Location } from '#contract/messages.ts';
import type { EventMessage, EventPoll } from '#contract/webhooks/events.ts';
import type { DeliveryApplication } from '#features/applications/index.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { PostResult } from '#platform/safe-fetch/safe-post.ts';

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3_600_000;

/** The parts of an application that determine the handling of its events. */
export type Receiver = Pick<
  DeliveryApplication,
  'state' | 'hasWebhookUrl' | 'webhookUrl' | 'webhookSecret' | 'previousWebhookSecret'
>;

/** The states in which an event begins. */
export type FirstState = Extract<DeliveryState, 'pending' | 'unsent'>;

/** The first state of a new event of an application; undefined if it is not recorded (decisions: Webhooks). */
export function firstStateFor({
  state,
  hasWebhookUrl,
}: Pick<Receiver, 'state' | 'hasWebhookUrl'>): FirstState | undefined {
  if (state !== 'active') return undefined;
  return hasWebhookUrl ? 'pending' : 'unsent';
}

export interface Target {
  url: string;
  /** The newest, and the previous one during an overlap. */
  secrets: readonly [newest: string, ...older: string[]];
}

/** An unreadable value without which nothing can be sent. */
export type Unreadable = 'unreadable_url' | 'unreadable_secret';

/**
 * The target of a due delivery; or `parked` until the application receives events again, `unsent` if it has no URL any more,
 * `cancelled` for a deleted application, or the value that cannot be read.
 */
export function targetOf(
  receiver: Receiver | undefined,
  now: number,
): Target | Unreadable | 'parked' | 'unsent' | 'cancelled' {
  if (!receiver) return 'cancelled';
  const { state, hasWebhookUrl, webhookUrl, webhookSecret, previousWebhookSecret } = receiver;
  if (state !== 'active') return 'parked';
  if (!hasWebhookUrl) return 'unsent';
  if (webhookUrl === undefined) return 'unreadable_url';
  if (webhookSecret === undefined) return 'unreadable_secret';
  const isOverlapping = previousWebhookSecret !== undefined && now < previousWebhookSecret.until;
  const older = isOverlapping ? [previousWebhookSecret.secret] : [];
  return { url: webhookUrl, secrets: [webhookSecret, ...older] };
}

/** Only a 2xx whose whole answer arrived in time delivers; a redirect is a failure (contract §6). */
export function isDelivered(result: PostResult): boolean {
  return result.kind === 'response' && result.status >= 200 && result.status < 300;
}

/** The state of a delivery after an attempt. */
export interface Outcome {
  state: DeliveryState;
  nextAttemptAt: number | null;
}

/** Waits of 30 s, doubling up to 1 h, after the first failed attempt, the second, and so on (contract §3). */
export const WAITS_MS: readonly number[] = Array.from({ length: LIMITS.webhookAttempts - 1 }, (_, i) =>
  Math.min(FIRST_WAIT_MS * 2 ** i, LONGEST_WAIT_MS),
);

/**
 * The waits count from the end of the failed attempt, without jitter, whatever the receiver answers; the 8th
 * failure is the last (contract §3; decisions: Webhooks).
 *
 * @param result of the attempt that ended; missing after an internal fault
 * @param attempt its number, from 1
 */
export function outcomeOf(result: PostResult | undefined, attempt: number, endedAt: number): Outcome {
  if (result && isDelivered(result)) return { state: 'delivered', nextAttemptAt: null };
  const waitMs = WAITS_MS[attempt - 1];
  if (waitMs === undefined) return { state: 'abandoned', nextAttemptAt: null };
  return { state: 'retrying', nextAttemptAt: endedAt + waitMs };
}

/** The content of a message, whoever wrote it. */
export interface EventContent {
  type: ContentType | 'poll';
  body: {
    content?: string;
    fileUrl?: string;
    thumbnailUrl?: string;
    caption?: string;
    location?: Static<typeof Location>;
    poll?: EventPoll;
  };
  replyToMsgId?: string | undefined;
}

/** The conversation; `isMentioned` differs from bot to bot. */
export type EventConversation =
  | { chatId: string }
  | { groupId: string; mentionedUserIds: string[]; isMentioned: boolean };

interface EventOrigin {
  msgId: string;
  from: string;
  sentAt: number;
}

/** `data` of the event about a message (contract §6). Fields that the message lacks are omitted, never null. */
export function eventMessage(
  { type, body, replyToMsgId }: EventContent,
  { msgId, from, sentAt }: EventOrigin,
  conversation: EventConversation,
): EventMessage {
  return {
    msgId,
    type,
    textMsg: body.content ?? '',
    ...(body.fileUrl !== undefined && { fileUrl: body.fileUrl }),
    ...(body.caption !== undefined && { caption: body.caption }),
    // Decision "Webhooks": receivers of gifs may read either name.
    ...(type === 'gif' && body.fileUrl !== undefined && { gifUrl: body.fileUrl }),
    ...(body.thumbnailUrl !== undefined && { videoThumbnail: body.thumbnailUrl }),
    ...(body.location !== undefined && { location: withoutAbsent(body.location) }),
    ...(body.poll !== undefined && { poll: body.poll }),
    ...(replyToMsgId !== undefined && { replyToMsgId }),
    from,
    ...conversation,
    sentAt,
  };
}
