import type { ChatMessage } from '#contract/chat.ts';
import { editableLength, isChangeable } from '#contract/rights.ts';
import { callChat } from '../../ui/api.ts';

type Key = Pick<ChatMessage, 'conversationId' | 'msgId'>;

export const editMessage = ({ conversationId, msgId }: Key, text: string) =>
  callChat('PATCH /conversations/:conversationId/messages/:msgId', {
    params: { conversationId, msgId },
    body: { text },
  });

export const deleteForEverybody = ({ conversationId, msgId }: Key) =>
  callChat('DELETE /conversations/:conversationId/messages/:msgId', { params: { conversationId, msgId } });

export const deleteForMe = ({ conversationId, msgId }: Key) =>
  callChat('POST /conversations/:conversationId/messages/:msgId/hide', { params: { conversationId, msgId } });

export function mayEdit(message: ChatMessage, accountId: string, now: number): boolean {
  const isText = editableLength(message.type) !== undefined && !message.isUnreadable;
  return isText && message.from === accountId && isChangeable(message, now);
}

export function mayDelete(
  message: ChatMessage,
  { accountId, isAdmin, now }: { accountId: string; isAdmin: boolean; now: number },
): boolean {
  if (message.type === 'deleted') return false;
  return isAdmin || (message.from === accountId && isChangeable(message, now));
}
