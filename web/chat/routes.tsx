import type { RouteObject } from 'react-router';
import { NotFound, RouteFault } from '../ui/parts/faults.tsx';
import { Waiting } from '../ui/parts/waiting.tsx';
import { Shell } from './shell.tsx';

/** The paths of the chat must also be in the server's list: surfaces/web.ts. */
export const routes: RouteObject[] = [
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: RouteFault,
    HydrateFallback: Waiting,
    children: [
      {
        ErrorBoundary: PaneFault,
        children: [
          { index: true, lazy: () => import('./frame/nothing-open.tsx') },
          {
            path: 'c/:conversationId',
            lazy: () => import('./thread/thread.tsx'),
            children: [{ path: 'info', lazy: () => import('./details/details.tsx') }],
          },
          { path: 'search', lazy: () => import('./search/search.tsx') },
          { path: 'new/bot', lazy: () => import('./bots/find-bot.tsx') },
          { path: 'new/group', lazy: () => import('./groups/create-group.tsx') },
          { path: 'new/broadcast', lazy: () => import('./groups/create-group.tsx') },
          { path: 'stories/new', lazy: () => import('./stories/publish.tsx') },
          { path: 'stories/:userId', lazy: () => import('./stories/viewer.tsx') },
          { path: 'settings', lazy: () => import('./settings/menu.tsx') },
          { path: 'settings/account', lazy: () => import('./settings/account.tsx') },
          { path: 'settings/invite', lazy: () => import('./settings/invite.tsx') },
          { path: 'settings/notifications', lazy: () => import('./settings/notifications.tsx') },
          { path: 'settings/appearance', lazy: () => import('./settings/appearance.tsx') },
          { path: 'settings/privacy', lazy: () => import('./settings/privacy.tsx') },
          { path: 'settings/media', lazy: () => import('./settings/media.tsx') },
          { path: 'settings/applications', lazy: () => import('./settings/applications.tsx') },
          { path: 'settings/blocked', lazy: () => import('./settings/blocked.tsx') },
          { path: 'i/:token', lazy: () => import('./invite/invite.tsx') },
          { path: '*', Component: NotFound },
        ],
      },
    ],
  },
];

/** An error beside the list leaves the list in place. */
function PaneFault() {
  return <RouteFault component="div" />;
}
