import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { conversationsQuery } from '../conversations/queries.ts';

/** Shows how much is unread, in conversations that are not muted, in the window's title and on the installed application's icon. */
export function useUnreadCount(): void {
  const { data: count = 0 } = useQuery({
    ...conversationsQuery,
    select: ({ conversations }) =>
      conversations.reduce((sum, { isMuted, unreadCount }) => sum + (isMuted ? 0 : unreadCount), 0),
  });
  useEffect(() => {
    // Browsers have it only for installed pages.
    navigator.setAppBadge?.(count).catch(() => {});
    // Every screen sets a title of its own.
    const show = () => {
      const bare = document.title.replace(/^\(\d+\) /, '');
      const title = count > 0 ? `(${count}) ${bare}` : bare;
      if (document.title !== title) document.title = title;
    };
    show();
    const observer = new MutationObserver(show);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [count]);
}
