import { useEffect } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { markRead } from '../conversations/queries.ts';

/** A message visible for less than this does not count as read. */
const GLANCE_MS = 400;

/** Marks messages as read while they are on screen in a visible window: everything up to `seenMsgId`. */
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
      // The live stream reports the result; if the request fails, the next message or visit repeats it.
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
