import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { MarkDelivered } from '#contract/chat/receipts.ts';
import type { Conversation } from '#contract/chat.ts';
import { profileQuery } from '../../ui/account/queries.ts';
import { api } from '../../ui/api.ts';
import { conversationsQuery } from '../conversations/queries.ts';

/** Messages that come within this time are acknowledged at once; those that are read within it need no such notice. */
const TELL_AFTER_MS = 1_000;
/** As many as the server takes. */
const MOST_TOLD = 50;

/** Tells those who wrote to the person that a page of theirs has it, where the person tells how far they are. */
export function useDelivered(): void {
  const told = useRef(new Map<string, string>());
  const isTold = useQuery({ ...profileQuery, select: ({ readReceipts }) => readReceipts }).data === true;
  const { data: list } = useQuery({ ...conversationsQuery, select: ({ conversations }) => conversations });
  useEffect(() => {
    if (!isTold || !list) return;
    const upTo = list.flatMap(newestOf).filter((one) => told.current.get(one.conversationId) !== one.msgId);
    if (upTo.length === 0) return;
    const timer = setTimeout(() => {
      const now = upTo.slice(0, MOST_TOLD);
      for (const { conversationId, msgId } of now) told.current.set(conversationId, msgId);
      // When it fails, the next message or the next page tells it.
      api.post('/api/chat/delivered', { upTo: now } satisfies MarkDelivered).catch(() => undefined);
    }, TELL_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isTold, list]);
}

/** The newest message of a private chat with a person, where it is unread and theirs. */
function newestOf({ conversationId, peer, unreadCount, lastMessage }: Conversation): MarkDelivered['upTo'] {
  if (!peer || peer.isBot || unreadCount === 0 || lastMessage?.from !== peer.userId) return [];
  return [{ conversationId, msgId: lastMessage.msgId }];
}
