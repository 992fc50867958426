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
    children: [{ path: '*', Component: NotFound }],
  },
];
