import type { ChatMessage } from '#contract/chat.ts';
import { editableLength, isChangeable } from '#contract/rights.ts';
import { api } from '../../ui/api.ts';

type Key = Pick<ChatMessage, 'conversationId' | 'msgId'>;

const pathOf = ({ conversationId, msgId }: Key) =>
  `/api/chat/conversations/${conversationId}/messages/${msgId}`;

export const editMessage = (key: Key, text: string) => api.patch<ChatMessage>(pathOf(key), { text });

export const deleteForEverybody = (key: Key) => api.delete<Key>(pathOf(key));

export const deleteForMe = (key: Key) => api.post<Key>(`${pathOf(key)}/hide`, {});

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
