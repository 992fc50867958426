import type { Account } from '#features/accounts/index.ts';
import type { Contact } from '#features/contacts/index.ts';
import { type ApiError, failedPrecondition, notFound, permissionDenied } from '#platform/errors.ts';

/** What is known of the recipient of a private message. */
export interface Recipient {
  exists: boolean;
  isBot: boolean;
}

/**
 * Whether a bot may write to a person, in the order of checks of the decisions page: 404 recipient, 403 recipient is a
 * bot, 403 blocked, 400 never wrote, 404 quoted message.
 *
 * @param field the field of the request that names the recipient
 * @returns the error that answers, or undefined when the message may go
 */
export function refuseFromBot(
  recipient: Recipient,
  contact: Pick<Contact, 'wroteAt' | 'blockedAt'> | undefined,
  isQuoteMissing: boolean,
  field = 'to',
): ApiError | undefined {
  if (!recipient.exists) return notFound(`no account has the id in \`${field}\``);
  if (recipient.isBot) return permissionDenied(`${field} names a bot; bots do not write to bots`);
  if (contact?.blockedAt != null) return permissionDenied('the user blocked this bot');
  if (contact?.wroteAt == null) return failedPrecondition('the user never wrote to this bot');
  if (isQuoteMissing) return quoteNotFound();
  return undefined;
}

/** Whether a person may write: whoever was blocked is unblocked first, so that no answer is lost unseen. */
export function refuseFromPerson(
  recipient: Account | undefined,
  {
    hasBlocked,
    isBlocked,
    isQuoteMissing,
  }: { hasBlocked: boolean; isBlocked: boolean; isQuoteMissing: boolean },
  field = 'to',
): ApiError | undefined {
  if (!recipient || recipient.deletedAt !== null) return notFound(`no account has the id in \`${field}\``);
  if (hasBlocked) return permissionDenied('you blocked this account; unblock it to write');
  if (isBlocked) return permissionDenied('this person does not take messages from you');
  if (isQuoteMissing) return quoteNotFound();
  return undefined;
}

export function quoteNotFound(): ApiError {
  return notFound('replyToMsgId names no message of this conversation');
}
