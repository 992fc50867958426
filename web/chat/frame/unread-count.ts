import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isMutedAt } from '#contract/rights.ts';
import { conversationsQuery } from '../conversations/queries.ts';

/** Shows the unread count of conversations that are not muted in the window title and on the icon of the installed app. */
export function useUnreadCount(): void {
  const { data: count = 0 } = useQuery({
    ...conversationsQuery,
    select: ({ conversations }) =>
      conversations.reduce((sum, one) => sum + (isMutedAt(one, Date.now()) ? 0 : one.unreadCount), 0),
  });
  useEffect(() => {
    // Browsers support it only for installed pages.
    navigator.setAppBadge?.(count).catch(() => {});
    // Every screen sets its own title.
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
