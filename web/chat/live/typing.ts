import { callChat } from '../../ui/api.ts';
import { ShownForAWhile, useShown } from './for-a-while.ts';

/** Typing is sent again before this has passed. */
const TYPING_MS = 6_000;
const TELL_EVERY_MS = 4_000;

/** The people who are typing. */
export const typing = new ShownForAWhile<string>(TYPING_MS, (userId) => userId);

/** Who is typing in a conversation, in the order in which they started. */
export function useTyping(conversationId: string): readonly string[] {
  return useShown(typing, conversationId);
}

const sentAt = new Map<string, number>();

/** Tells the others that the person is typing, no more often than needed. */
export function tellTyping(conversationId: string): void {
  const now = Date.now();
  if (now - (sentAt.get(conversationId) ?? 0) < TELL_EVERY_MS) return;
  sentAt.set(conversationId, now);
  // A lost typing indicator does not matter.
  callChat('POST /conversations/:conversationId/typing', { params: { conversationId } }).catch(
    () => undefined,
  );
}

/** The message was sent: further typing is announced at once. */
export function doneTyping(conversationId: string): void {
  sentAt.delete(conversationId);
}
