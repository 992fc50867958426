import { useEffect } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { markRead } from '../conversations/queries.ts';

/** A glance that is too short to read. */
const GLANCE_MS = 400;

/** Marks as read what the person has before the eyes, in a window that is seen: everything up to `seenMsgId`. */
export function useReading(
  { conversationId, unreadCount, readMsgId = '' }: Conversation,
  seenMsgId: string | undefined,
): void {
  const isUnread = unreadCount > 0 && seenMsgId !== undefined && seenMsgId > readMsgId;
  useEffect(() => {
    if (!isUnread) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      clearTimeout(timer);
      // The answer comes by the live stream; when it fails, the next message or glance asks again.
      if (!document.hidden)
        timer = setTimeout(() => markRead(conversationId, seenMsgId).catch(() => {}), GLANCE_MS);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [conversationId, isUnread, seenMsgId]);
}
