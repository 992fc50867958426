import type { RouteObject } from 'react-router';
import { NotFound, RouteFault } from '../ui/parts/faults.tsx';
import { Waiting } from '../ui/parts/waiting.tsx';
import { Shell } from './shell.tsx';

/** The paths of the chat stand in the server's list as well: surfaces/web.ts. */
export const routes: RouteObject[] = [
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: RouteFault,
    HydrateFallback: Waiting,
    children: [
      { index: true, lazy: () => import('./frame/nothing-open.tsx') },
      {
        path: 'c/:conversationId',
        lazy: () => import('./thread/thread.tsx'),
        children: [{ path: 'info', lazy: () => import('./details/details.tsx') }],
      },
      { path: 'new/bot', lazy: () => import('./bots/find-bot.tsx') },
      { path: '*', Component: NotFound },
    ],
  },
];
