import { LIMITS } from '#contract/limits.ts';
import { type Account, SERVICE_ACCOUNT_ID } from '#features/accounts/index.ts';
import type { Contact } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import { type ApiError, failedPrecondition, notFound, permissionDenied } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { MessageRow } from './queries.ts';

/** No account has the id of a group: whoever sends one as a recipient means another field. @throws ApiError 404 */
export function refuseGroupId(to: string, field: string): void {
  if (isId('grp', to)) throw notFound('recipient.is-group', { field });
}

/** The recipient of a private message, as the rules need it. */
export interface Recipient {
  exists: boolean;
  isBot: boolean;
}

/**
 * Whether a bot may write to a person, in the order of checks of the decisions page: 404 recipient, 403
 * recipient is a bot, 403 blocked, 400 never wrote, 404 quoted message.
 *
 * @param field the field of the request that names the recipient
 * @returns the error that answers, or undefined if the message may be sent
 */
export function refuseFromBot(
  recipient: Recipient,
  contact: Pick<Contact, 'wroteAt' | 'blockedAt'> | undefined,
  isQuoteMissing: boolean,
  field = 'to',
): ApiError | undefined {
  if (!recipient.exists) return notFound('recipient.unknown', { field });
  if (recipient.isBot) return permissionDenied('recipient.is-bot', { field });
  if (contact?.blockedAt != null) return permissionDenied('recipient.blocked-bot');
  if (contact?.wroteAt == null) return failedPrecondition('recipient.never-wrote');
  if (isQuoteMissing) return quoteNotFound();
  return undefined;
}

/** One side of two people's conversation, if it has written or blocked. */
type Side = Pick<Contact, 'blockedAt'> | undefined;

/** Whether a person may write: they have to unblock a blocked account first, so that no answer gets lost. */
export function refuseFromPerson(
  recipient: Account | undefined,
  own: Side,
  theirs: Side,
  field = 'to',
): ApiError | undefined {
  if (!recipient || recipient.deletedAt !== null) return notFound('recipient.unknown', { field });
  if (recipient.accountId === SERVICE_ACCOUNT_ID) return permissionDenied('recipient.only-announces');
  return refuseBlocked(own, theirs);
}

/** The part of it that changes at any time. */
export function refuseBlocked(own: Side, theirs: Side): ApiError | undefined {
  if (own?.blockedAt != null) return permissionDenied('recipient.blocked-by-you');
  if (theirs?.blockedAt != null) return permissionDenied('recipient.not-taking');
  return undefined;
}

/**
 * The topic on which reading and typing in a group is published. None for broadcast lists, whose readers would learn of each other,
 * and for large groups, where it would be too much.
 */
export function audienceOfGroup({
  groupId,
  isBroadcast,
  memberCount,
}: Awaited<ReturnType<Groups['find']>>[number]): string | undefined {
  return isBroadcast || memberCount > LIMITS.receiptsGroupSize ? undefined : groupId;
}

export function quoteNotFound(): ApiError {
  return notFound('conversation.no-quoted-message');
}

/** Only messages of people can be changed: no tombstones, and no notices of the group. */
export function refuseMissing(message: MessageRow | undefined): ApiError | undefined {
  return message === undefined || ['deleted', 'notice'].includes(message.type)
    ? notFound('conversation.no-message')
    : undefined;
}
