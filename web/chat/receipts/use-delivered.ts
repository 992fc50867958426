import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { MarkDelivered } from '#contract/chat/receipts.ts';
import type { Conversation } from '#contract/chat.ts';
import { profileQuery } from '../../ui/account/queries.ts';
import { callChat } from '../../ui/api.ts';
import { conversationsQuery } from '../conversations/queries.ts';

/** Messages within this time are acknowledged together; those read within it are not acknowledged separately. */
const TELL_AFTER_MS = 1_000;
/** The server's limit for one request. */
const MAX_PER_REQUEST = 50;

/** Acknowledges delivery to senders once a page has their message, if the person shares that. */
export function useDelivered(): void {
  const sent = useRef(new Map<string, string>());
  const isEnabled = useQuery({ ...profileQuery, select: ({ readReceipts }) => readReceipts }).data === true;
  const { data: list } = useQuery({ ...conversationsQuery, select: ({ conversations }) => conversations });
  useEffect(() => {
    if (!isEnabled || !list) return;
    const upTo = list.flatMap(newestOf).filter((one) => sent.current.get(one.conversationId) !== one.msgId);
    if (upTo.length === 0) return;
    const timer = setTimeout(() => {
      const now = upTo.slice(0, MAX_PER_REQUEST);
      for (const { conversationId, msgId } of now) sent.current.set(conversationId, msgId);
      // If it fails, the next message or page load reports it.
      callChat('POST /delivered', { body: { upTo: now } satisfies MarkDelivered }).catch(() => undefined);
    }, TELL_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isEnabled, list]);
}

/** The newest message of a private chat with a person, if it is unread and theirs. */
function newestOf({ conversationId, peer, unreadCount, lastMessage }: Conversation): MarkDelivered['upTo'] {
  if (!peer || peer.isBot || unreadCount === 0 || lastMessage?.from !== peer.userId) return [];
  return [{ conversationId, msgId: lastMessage.msgId }];
}
