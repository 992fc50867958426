import type { ChatMessage } from '#contract/chat.ts';
import { editableLength, isChangeable } from '#contract/rights.ts';

export function mayEdit(message: ChatMessage, accountId: string, now: number): boolean {
  const isText = editableLength(message.type) !== undefined && !message.isUnreadable;
  return isText && !message.forwardedFrom && message.from === accountId && isChangeable(message, now);
}

export function mayDelete(
  message: ChatMessage,
  { accountId, isAdmin, now }: { accountId: string; isAdmin: boolean; now: number },
): boolean {
  if (message.type === 'deleted') return false;
  return isAdmin || (message.from === accountId && isChangeable(message, now));
}
