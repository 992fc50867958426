import type { ChatMessage } from '#contract/chat.ts';
import type { Unsent } from '../outbox/store.ts';

/** A message of a thread; one that is not sent yet has the form of a sent one, under its temporary key. */
export interface ShownMessage extends ChatMessage {
  unsent?: Unsent;
}

export function toMessage(unsent: Unsent, from: string): ShownMessage {
  const { key, conversationId, content, target, quote, forwarded, createdAt } = unsent;
  const given = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
  const mentionedUserIds = 'groupId' in target ? target.mentionedUserIds : undefined;
  return {
    ...(given as Pick<ChatMessage, 'type'>),
    msgId: key,
    conversationId,
    from,
    ...(quote && { quote }),
    ...(forwarded && { forwardedFrom: {} }),
    ...(mentionedUserIds && { mentionedUserIds }),
    sentAt: createdAt,
    unsent,
  };
}
