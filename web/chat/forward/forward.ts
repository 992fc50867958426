import type { ChatMessage, Conversation } from '#contract/chat.ts';
import { excerptOf } from '../conversations/excerpt.ts';
import { outbox } from '../outbox/outbox.ts';
import type { Unsent } from '../outbox/store.ts';
import { newAlbums } from './albums.ts';

/** Whether a message can be forwarded. */
export function mayForward({ type, isUnreadable }: ChatMessage): boolean {
  return !isUnreadable && type !== 'deleted' && type !== 'notice';
}

/** Adds messages to the outbox for each of the conversations, in their original order. */
export function forward(
  messages: readonly ChatMessage[],
  conversations: readonly Conversation[],
  { isAnonymous }: { isAnonymous: boolean },
): void {
  const ordered = messages.toSorted((one, other) => (one.msgId < other.msgId ? -1 : 1));
  for (const { conversationId, peer, group } of conversations) {
    const albumOf = newAlbums(ordered);
    for (const message of ordered) {
      const albumId = albumOf(message);
      outbox.add({
        conversationId,
        target: group ? { groupId: group.groupId } : { to: peer?.userId ?? '' },
        content: contentOf(message, albumId),
        forwarded: {
          conversationId: message.conversationId,
          msgId: message.msgId,
          isAnonymous,
          ...(albumId !== undefined && { albumId }),
        },
      });
    }
  }
}

const SHOWN = ['type', 'content', 'fileUrl', 'thumbnailUrl', 'caption', 'location'] as const;

/** Its appearance until it is sent. */
function contentOf(message: ChatMessage, albumId: string | undefined): Unsent['content'] {
  if (message.type === 'poll') return { type: 'text', content: excerptOf(message, undefined) };
  const shown = SHOWN.flatMap((field) => (message[field] === undefined ? [] : [[field, message[field]]]));
  const { albumId: _, ...details } = message.fileDetails ?? {};
  const fileDetails = { ...details, ...(albumId !== undefined && { albumId }) };
  return { ...Object.fromEntries(shown), ...(Object.keys(fileDetails).length > 0 && { fileDetails }) };
}
