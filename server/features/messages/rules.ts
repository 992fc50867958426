import type { ContactRow } from '#features/contacts/service.ts';
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
 * @returns the error that answers, or undefined when the message may go
 */
export function refuseFromBot(
  recipient: Recipient,
  contact: Pick<ContactRow, 'wroteAt' | 'blockedAt'> | undefined,
  isQuoteMissing: boolean,
): ApiError | undefined {
  if (!recipient.exists) return notFound('to names nobody');
  if (recipient.isBot) return permissionDenied('to names a bot; bots do not write to bots');
  if (contact?.blockedAt != null) return permissionDenied('the user blocked this bot');
  if (contact?.wroteAt == null) return failedPrecondition('the user never wrote to this bot');
  if (isQuoteMissing) return quoteNotFound();
  return undefined;
}

export function quoteNotFound(): ApiError {
  return notFound('replyToMsgId names no message of this conversation');
}
