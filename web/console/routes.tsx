import type { RouteObject } from 'react-router';
import { NotFound, RouteFault } from '../ui/parts/faults.tsx';
import { Waiting } from '../ui/parts/waiting.tsx';
import { Shell } from './shell.tsx';

/** Every screen loads its own script when it is first opened. */
export const routes: RouteObject[] = [
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: RouteFault,
    HydrateFallback: Waiting,
    children: [
      { index: true, lazy: () => import('./home/home.tsx') },
      { path: '*', Component: NotFound },
    ],
  },
];
