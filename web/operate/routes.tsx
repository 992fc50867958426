import { Button, Center } from '@mantine/core';
import {
  IconApps,
  IconBuilding,
  IconFlag,
  IconHeartbeat,
  IconHistory,
  IconLayoutDashboard,
  type IconProps,
  IconSpeakerphone,
  IconTerminal2,
  IconUser,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { Outlet, type RouteObject } from 'react-router';
import { ApiError } from '../ui/api.ts';
import { NotFound, PageFault, RouteFault } from '../ui/parts/faults.tsx';
import { MenuItem } from '../ui/parts/menu-item.tsx';
import { Screen } from '../ui/parts/screen.tsx';
import { WithScreenLinks } from '../ui/parts/screen-links.tsx';
import { Waiting } from '../ui/parts/waiting.tsx';
import { ConsoleFrame } from '../ui/session/console-frame.tsx';
import { RequireSession } from '../ui/session/require-session.tsx';
import { useTexts } from '../ui/texts.ts';
import { operateQuery } from './parts/queries.ts';

interface Section {
  path: 'people' | 'applications' | 'reports' | 'announcements' | 'policy' | 'providers' | 'health' | 'acts';
  icon: ComponentType<IconProps>;
  lazy: NonNullable<RouteObject['lazy']>;
  below?: RouteObject[];
}

/** The sections of the operator's console, in the order of the navigation; each screen is a chunk of its own. */
const SECTIONS: readonly Section[] = [
  {
    path: 'people',
    icon: IconUsers,
    lazy: () => import('./people/people.tsx'),
    below: [{ path: ':accountId', lazy: () => import('./people/person.tsx') }],
  },
  {
    path: 'applications',
    icon: IconApps,
    lazy: () => import('./applications/applications.tsx'),
    below: [{ path: ':appId', lazy: () => import('./applications/application.tsx') }],
  },
  {
    path: 'reports',
    icon: IconFlag,
    lazy: () => import('./reports/reports.tsx'),
    below: [
      { path: 'next', lazy: () => import('./reports/next.tsx') },
      { path: ':reportId', lazy: () => import('./reports/report.tsx') },
    ],
  },
  { path: 'announcements', icon: IconSpeakerphone, lazy: () => import('./announcements/announcements.tsx') },
  { path: 'policy', icon: IconUserPlus, lazy: () => import('./policy.tsx') },
  { path: 'providers', icon: IconBuilding, lazy: () => import('./providers/providers.tsx') },
  { path: 'health', icon: IconHeartbeat, lazy: () => import('./health.tsx') },
  { path: 'acts', icon: IconHistory, lazy: () => import('./acts.tsx') },
];

/** The operator's console, at `/operate`. */
export const routes: RouteObject[] = [
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: RouteFault,
    HydrateFallback: Waiting,
    children: [
      { index: true, lazy: () => import('./overview.tsx') },
      ...SECTIONS.map(({ path, lazy, below = [] }) => ({
        path,
        children: [{ index: true, lazy }, ...below],
      })),
      { path: '*', Component: NotFound },
    ],
  },
];

/** The frame of every operator screen; for everybody else, the page does not exist. */
function Shell() {
  return (
    <RequireSession>
      <Operating />
    </RequireSession>
  );
}

function Operating() {
  const self = useQuery(operateQuery('GET /me'));
  if (self.error instanceof ApiError && self.error.status === 404) return NotFound();
  if (self.error instanceof ApiError && self.error.status === 403) return <NeedsTwoFactor />;
  if (self.isLoadingError) return <PageFault error={self.error} retry={() => self.refetch()} />;
  return self.isPending ? <Waiting /> : <Frame />;
}

function NeedsTwoFactor() {
  const t = useTexts();
  return (
    <Center component="main" mih="80vh" p="md">
      <Screen
        title={t('operate.common.needsTwoFactor')}
        lead={t('operate.common.needsTwoFactorText')}
        size="sm"
      >
        <Button w="fit-content" component="a" href="/console/account">
          {t('operate.common.toAccount')}
        </Button>
      </Screen>
    </Center>
  );
}

function Frame() {
  const t = useTexts();
  const screens = [
    { to: '/', label: t('operate.overview.title'), icon: IconLayoutDashboard, isExact: true },
    ...SECTIONS.map(({ path, icon }) => ({ to: `/${path}`, label: t(`operate.section.${path}`), icon })),
  ];
  return (
    <ConsoleFrame
      name={t('operate.common.operate')}
      ways={[{ href: '/console', label: t('operate.common.console'), icon: IconTerminal2 }]}
      items={<MenuItem icon={IconUser} label={t('ui.session.account')} href="/console/account" />}
    >
      <WithScreenLinks label={t('operate.common.sections')} screens={screens}>
        <Outlet />
      </WithScreenLinks>
    </ConsoleFrame>
  );
}
