import type { ErrorCode } from './errors.ts';
import type { OAuthErrorCode } from './oauth.ts';
import {
  type FaultValuesOf,
  type FieldFault,
  type Reason,
  type Said,
  say,
  sayOfField,
  type ValuesOf,
} from './reasons.ts';

/** An error that only some operations give, as their entries name it. */
export interface Refusal {
  code: ErrorCode;
  /** Why it is given, in a few words; the document derives the name of the example from it. */
  cause: string;
  said: Said;
  /** Only on the OAuth endpoints, whose errors have both formats (decisions: OAuth). */
  error?: OAuthErrorCode;
}

/** The code and the cause of every reason that entries name; the compiler compares the code with what the server throws. */
export const REFUSALS = {
  'conversation.no-quoted-message': { code: 'not-found', cause: 'unknown quoted message' },
  'conversation.no-message': { code: 'not-found', cause: 'unknown message, or one of somebody else' },
  'conversation.not-a-participant': { code: 'permission-denied', cause: 'not a participant' },
  'conversation.unknown': { code: 'not-found', cause: 'not a conversation of the bot' },
  'group.administrators-write': { code: 'permission-denied', cause: 'only administrators write' },
  'group.creator-stays': { code: 'failed-precondition', cause: 'the creator leaves a broadcast list' },
  'group.creator-writes': { code: 'permission-denied', cause: 'only the creator broadcasts' },
  'group.full': { code: 'resource-exhausted', cause: 'the group is full' },
  'group.newcomer-blocked-bot': { code: 'permission-denied', cause: 'a user blocked the bot' },
  'group.newcomer-never-wrote': { code: 'permission-denied', cause: 'a user never wrote to the bot' },
  'group.newcomer-not-addable': { code: 'permission-denied', cause: 'a user does not want to be added' },
  'group.newcomer-unknown': { code: 'not-found', cause: 'unknown user' },
  'group.no-administrators': { code: 'failed-precondition', cause: 'a broadcast list has no roles' },
  'group.not-a-member': { code: 'permission-denied', cause: 'not a member of the group' },
  'group.not-an-administrator': { code: 'permission-denied', cause: 'not an administrator of the group' },
  'group.only-administrator': { code: 'failed-precondition', cause: 'the only administrator is demoted' },
  'group.unknown': { code: 'not-found', cause: 'unknown group' },
  'group.unknown-member': { code: 'not-found', cause: 'unknown member' },
  'http.too-many-streams': { code: 'resource-exhausted', cause: 'too many open streams' },
  'http.too-many-bodies': { code: 'resource-exhausted', cause: 'too many requests whose lines go on' },
  'media.day-is-full': { code: 'resource-exhausted', cause: 'too much in a day' },
  'media.too-many': { code: 'resource-exhausted', cause: 'too many uploads at once' },
  'message.forwarded': { code: 'failed-precondition', cause: 'a forwarded message' },
  'message.no-reactions': { code: 'failed-precondition', cause: 'a broadcast list' },
  'message.no-text': { code: 'failed-precondition', cause: 'a message without a text' },
  'message.too-many-reactions': { code: 'failed-precondition', cause: 'too many emoji' },
  'message.too-old': { code: 'failed-precondition', cause: 'the message is too old' },
  'message.unreadable': { code: 'failed-precondition', cause: 'the message cannot be read' },
  'person.adding-many': { code: 'RATE_LIMIT_EXCEEDED', cause: 'the user adds too many strangers' },
  'person.many-groups': { code: 'RATE_LIMIT_EXCEEDED', cause: 'the user creates too many groups' },
  'person.sending-fast': { code: 'RATE_LIMIT_EXCEEDED', cause: 'the user sends too many messages' },
  'poll.closed': { code: 'failed-precondition', cause: 'the poll is closed' },
  'poll.not-the-creator': { code: 'permission-denied', cause: 'not the creator of the poll' },
  'poll.unknown': { code: 'not-found', cause: 'unknown poll' },
  'poll.unreadable': { code: 'failed-precondition', cause: 'the poll cannot be read' },
  'recipient.blocked-bot': { code: 'permission-denied', cause: 'the user blocked the bot' },
  'recipient.is-bot': { code: 'permission-denied', cause: 'the recipient is a bot' },
  'recipient.not-known': { code: 'not-found', cause: 'not somebody whom the bot knows' },
  'recipient.never-wrote': { code: 'failed-precondition', cause: 'the user never wrote to the bot' },
  'recipient.unknown': { code: 'not-found', cause: 'unknown recipient' },
  'story.not-yours': { code: 'permission-denied', cause: 'a story of another user' },
  'story.unknown': { code: 'not-found', cause: 'unknown story' },
  'webhook.no-url': { code: 'failed-precondition', cause: 'nothing is sent' },
} as const satisfies Partial<Record<Reason, { code: ErrorCode; cause: string }>>;

type Refusals = typeof REFUSALS;

/** The reasons that may be thrown with a code: all but those that are documented with another one. */
export type ReasonOf<C extends ErrorCode> = Exclude<
  Reason,
  { [R in keyof Refusals]: Refusals[R]['code'] extends C ? never : R }[keyof Refusals]
>;

/**
 * Names a refusal in an entry.
 *
 * @param values for the example, one for each placeholder of the message
 */
export function refusal<R extends keyof Refusals>(reason: R, ...values: ValuesOf<R>): Refusal {
  return { ...REFUSALS[reason], said: say(reason, ...values) };
}

/** Names a fault of a field in an entry: `fault('unknown option', 'optionId', 'unknown-option')`. */
export function fault<F extends FieldFault>(
  cause: string,
  field: string,
  kind: F,
  ...values: FaultValuesOf<F>
): Refusal {
  return { code: 'invalid-argument', cause, said: sayOfField(field, kind, ...values) };
}
