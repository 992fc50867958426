import { Navigate, type RouteObject } from 'react-router';
import { NotFound, RouteFault } from '../ui/parts/faults.tsx';
import { Waiting } from '../ui/parts/waiting.tsx';
import { SECTIONS } from './sections.ts';
import { Shell } from './shell.tsx';

/** The operator's console, at `/operate`. */
export const routes: RouteObject[] = [
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: RouteFault,
    HydrateFallback: Waiting,
    children: [
      { index: true, element: <Navigate to={`/${SECTIONS[0].path}`} replace /> },
      ...SECTIONS.map(({ path, screens }) => ({ path, children: [...screens] })),
      { path: '*', Component: NotFound },
    ],
  },
];
