import { useEffect } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { markRead } from '../conversations/queries.ts';
import type { ThreadWindow } from '../history/window.ts';

/** A glance that is too short to read. */
const GLANCE_MS = 400;

/** Marks as read what the person has before the eyes: the end of the thread, in a window that is seen. */
export function useReading(
  { conversationId, unreadCount, readMsgId = '' }: Conversation,
  { messages, hasNewer }: ThreadWindow,
  isAtEnd: boolean,
): void {
  const newest = messages.at(-1)?.msgId;
  const isUnread = unreadCount > 0 && newest !== undefined && newest > readMsgId;
  useEffect(() => {
    if (!isUnread || !isAtEnd || hasNewer) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      clearTimeout(timer);
      // The answer comes by the live stream; when it fails, the next message or glance asks again.
      if (!document.hidden)
        timer = setTimeout(() => markRead(conversationId, newest).catch(() => {}), GLANCE_MS);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [conversationId, isUnread, newest, isAtEnd, hasNewer]);
}
