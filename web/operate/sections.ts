import {
  IconApps,
  IconFlag,
  IconHeartbeat,
  IconHistory,
  type IconProps,
  IconSpeakerphone,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';

interface Section {
  path: 'people' | 'applications' | 'reports' | 'announcements' | 'policy' | 'health' | 'acts';
  icon: ComponentType<IconProps>;
  screens: readonly RouteObject[];
}

/** The sections of the operator's console, in the order of the navigation; each screen is a chunk of its own. */
export const SECTIONS = [
  {
    path: 'people',
    icon: IconUsers,
    screens: [
      { index: true, lazy: () => import('./people/people.tsx') },
      { path: ':accountId', lazy: () => import('./people/person.tsx') },
    ],
  },
  {
    path: 'applications',
    icon: IconApps,
    screens: [
      { index: true, lazy: () => import('./applications/applications.tsx') },
      { path: ':appId', lazy: () => import('./applications/application.tsx') },
    ],
  },
  {
    path: 'reports',
    icon: IconFlag,
    screens: [
      { index: true, lazy: () => import('./reports/reports.tsx') },
      { path: ':reportId', lazy: () => import('./reports/report.tsx') },
    ],
  },
  {
    path: 'announcements',
    icon: IconSpeakerphone,
    screens: [{ index: true, lazy: () => import('./announcements/announcements.tsx') }],
  },
  {
    path: 'policy',
    icon: IconUserPlus,
    screens: [{ index: true, lazy: () => import('./policy/policy.tsx') }],
  },
  {
    path: 'health',
    icon: IconHeartbeat,
    screens: [{ index: true, lazy: () => import('./health/health.tsx') }],
  },
  { path: 'acts', icon: IconHistory, screens: [{ index: true, lazy: () => import('./acts/acts.tsx') }] },
] as const satisfies readonly Section[];
