import { IconApi, IconBook, IconUser } from '@tabler/icons-react';
import { Outlet, type RouteObject } from 'react-router';
import type { Parts } from '#contract/texts.ts';
import { startApp } from '../ui/app/app.tsx';
import { NotFound, RouteFault } from '../ui/parts/faults.tsx';
import { MenuItem } from '../ui/parts/menu-item.tsx';
import { Waiting } from '../ui/parts/waiting.tsx';
import { ConsoleFrame } from '../ui/session/console-frame.tsx';
import { OperatingItems } from '../ui/session/operating.tsx';
import { RequireSession } from '../ui/session/require-session.tsx';
import { sessionQuery } from '../ui/session/session.ts';
import { useTexts } from '../ui/texts.ts';
import { ApplicationSwitcher } from './application/switcher.tsx';
import { Palette } from './palette.tsx';

/** Every screen is a chunk of its own, loaded when it is first opened. */
const routes: RouteObject[] = [
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: RouteFault,
    HydrateFallback: Waiting,
    children: [
      { index: true, lazy: () => import('./home/home.tsx') },
      { path: 'new', lazy: () => import('./wizard/wizard.tsx') },
      { path: 'join', lazy: () => import('./team/join.tsx') },
      { path: 'account', lazy: () => import('../ui/account/account.tsx') },
      {
        path: 'applications/:appId',
        lazy: () => import('./application/layout.tsx'),
        ErrorBoundary: RouteFault,
        children: [
          { index: true, lazy: () => import('./overview.tsx') },
          { path: 'credentials', lazy: () => import('./credentials/credentials.tsx') },
          { path: 'bot', lazy: () => import('./bot/bot.tsx') },
          { path: 'events', lazy: () => import('./events/events.tsx') },
          { path: 'events/:eventId', lazy: () => import('./events/event.tsx') },
          { path: 'simulator', lazy: () => import('./simulator/simulator.tsx') },
          { path: 'requests', lazy: () => import('./requests/requests.tsx') },
          { path: 'usage', lazy: () => import('./usage/usage.tsx') },
          { path: 'audit', lazy: () => import('./audit.tsx') },
          { path: 'team', lazy: () => import('./team/team.tsx') },
          { path: 'settings', lazy: () => import('./settings.tsx') },
          { path: 'oauth', lazy: () => import('./oauth/oauth.tsx') },
          { path: 'integrations', lazy: () => import('./integrations.tsx') },
          { path: 'alerts', lazy: () => import('./alerts/alerts.tsx') },
        ],
      },
      { path: '*', Component: NotFound },
    ],
  },
];

// One page for both consoles, so that their shared code is loaded only once.
if (location.pathname.startsWith('/operate')) {
  const operate = await import('../operate/routes.tsx');
  await startApp(operate.routes, {
    basename: '/operate',
    texts: import.meta.glob<Parts>('../../locales/*.json', { query: '?parts=ui,operate', import: 'default' }),
    first: sessionQuery,
  });
} else {
  await startApp(routes, {
    basename: '/console',
    texts: import.meta.glob<Parts>('../../locales/*.json', { query: '?parts=ui,console', import: 'default' }),
    first: sessionQuery,
  });
}

/** The frame of every screen of the console. */
function Shell() {
  const t = useTexts();
  return (
    <RequireSession>
      <ConsoleFrame
        name={t('console.shell.console')}
        beside={<ApplicationSwitcher />}
        ways={[
          { href: '/docs/', label: t('console.shell.docs'), icon: IconBook },
          { href: '/docs/reference/', label: t('console.shell.reference'), icon: IconApi },
        ]}
        tools={<Palette />}
        items={
          <>
            <OperatingItems />
            <MenuItem icon={IconUser} label={t('ui.session.account')} to="/account" />
          </>
        }
      >
        <Outlet />
      </ConsoleFrame>
    </RequireSession>
  );
}
