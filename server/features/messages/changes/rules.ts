import { LIMITS } from '#contract/limits.ts';
import { editableLength, isChangeable } from '#contract/rights.ts';
import { type ApiError, failedPrecondition, invalidArgument, permissionDenied } from '#platform/errors.ts';
import type { MessageRow } from '../queries.ts';

/** Who changes a message, and when. */
interface Changing {
  accountId: string;
  now: number;
}

/** One's own messages, for a limited number of hours. */
export function refuseToEdit(message: MessageRow, { accountId, now }: Changing): ApiError | undefined {
  if (message.senderId !== accountId) return permissionDenied('message.not-yours');
  if (editableLength(message.type) === undefined) return failedPrecondition('message.no-text');
  return refuseOld(message, now);
}

/** The new text of a message of this type: a caption may also be removed. */
export function refuseText(type: string, text: string): ApiError | undefined {
  if (type === 'text' && text.trim() === '') return invalidArgument('text', 'blank');
  const limit = editableLength(type) ?? 0;
  return [...text].length > limit ? invalidArgument('text', 'too-long', { limit }) : undefined;
}

/** One's own, for a limited number of hours; administrators of a group delete any message, at any time. */
export function refuseToDelete(
  message: MessageRow,
  { accountId, now, isAdmin }: Changing & { isAdmin: boolean },
): ApiError | undefined {
  if (isAdmin) return undefined;
  return message.senderId === accountId ? refuseOld(message, now) : permissionDenied('message.not-yours');
}

function refuseOld(message: MessageRow, now: number): ApiError | undefined {
  return isChangeable(message, now)
    ? undefined
    : failedPrecondition('message.too-old', { count: LIMITS.changeHours });
}
