import type { RouteObject } from 'react-router';
import { NotFound, RouteFault } from '../ui/parts/faults.tsx';
import { Waiting } from '../ui/parts/waiting.tsx';
import { Shell } from './shell.tsx';

/** The operator's console, at `/operate`. */
export const routes: RouteObject[] = [
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: RouteFault,
    HydrateFallback: Waiting,
    children: [
      { index: true, lazy: () => import('./people/people.tsx') },
      { path: 'people/:accountId', lazy: () => import('./people/person.tsx') },
      { path: 'applications', lazy: () => import('./applications/applications.tsx') },
      { path: 'applications/:appId', lazy: () => import('./applications/application.tsx') },
      { path: 'acts', lazy: () => import('./acts/acts.tsx') },
      { path: '*', Component: NotFound },
    ],
  },
];
