import type { ChatMessage } from '#contract/chat.ts';
import type { Unsent } from '../outbox/store.ts';

/** How a message looks until it is sent, under the key that it has until then. */
export function toMessage(
  { key, conversationId, content, target, createdAt }: Unsent,
  from: string,
): ChatMessage {
  const given = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
  const mentionedUserIds = 'groupId' in target ? target.mentionedUserIds : undefined;
  return {
    ...(given as Pick<ChatMessage, 'type'>),
    msgId: key,
    conversationId,
    from,
    ...(mentionedUserIds && { mentionedUserIds }),
    sentAt: createdAt,
  };
}
