import { LIMITS } from '#contract/limits.ts';
import { editableLength, isChangeable } from '#contract/rights.ts';
import {
  type ApiError,
  failedPrecondition,
  invalidArgument,
  notFound,
  permissionDenied,
} from '#platform/errors.ts';
import type { MessageRow } from '../queries.ts';

interface Changing {
  accountId: string;
  isBot: boolean;
  now: number;
}

/** One's own messages, for a limited number of hours. */
export function refuseToEdit(message: MessageRow, changing: Changing): ApiError | undefined {
  if (message.senderId !== changing.accountId) return refuseForeign(changing);
  if (editableLength(message.type) === undefined) return failedPrecondition('message.no-text');
  return refuseOld(message, changing.now);
}

/** Bots change only their own messages. */
function refuseForeign({ isBot }: Changing): ApiError {
  return isBot ? notFound('conversation.no-message') : permissionDenied('message.not-yours');
}

/**
 * The new text in a request of a bot, under the name that it has in messages of this type.
 *
 * @throws ApiError 400 for another one
 */
export function readEdit(type: string, edit: { content?: string | null; caption?: string | null }): string {
  const [used, unused] =
    type === 'text' ? (['content', 'caption'] as const) : (['caption', 'content'] as const);
  if (edit[unused] != null) throw invalidArgument(unused, 'not-of-type');
  const text = edit[used];
  if (text == null) throw invalidArgument(used, 'required');
  return text;
}

/** The new text of a message of this type: a caption may also be removed. */
export function refuseText(type: string, text: string): ApiError | undefined {
  if (type === 'text' && text.trim() === '') return invalidArgument('text', 'blank');
  const limit = editableLength(type) ?? 0;
  return [...text].length > limit ? invalidArgument('text', 'too-long', { limit }) : undefined;
}

/**
 * One's own, for a limited number of hours; administrators of a group at any time, and people among them any message.
 */
export function refuseToDelete(
  message: MessageRow,
  changing: Changing & { isAdmin: boolean },
): ApiError | undefined {
  const { accountId, isBot, now, isAdmin } = changing;
  const isOwn = message.senderId === accountId;
  if (isAdmin && (isOwn || !isBot)) return undefined;
  return isOwn ? refuseOld(message, now) : refuseForeign(changing);
}

function refuseOld(message: MessageRow, now: number): ApiError | undefined {
  return isChangeable(message, now)
    ? undefined
    : failedPrecondition('message.too-old', { count: LIMITS.changeHours });
}
