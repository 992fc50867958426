import type { ChatMessage } from '#contract/chat.ts';
import type { Unsent } from '../outbox/store.ts';

/** An unsent message in the form of a sent one, under its temporary key. */
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
