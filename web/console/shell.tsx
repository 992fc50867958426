import { Menu } from '@mantine/core';
import { IconApi, IconBook, IconUser } from '@tabler/icons-react';
import { Link, Outlet } from 'react-router';
import { ConsoleFrame } from '../ui/session/console-frame.tsx';
import { OperatingItems } from '../ui/session/operating.tsx';
import { RequireSession } from '../ui/session/require-session.tsx';
import { useTexts } from '../ui/texts.ts';
import { ApplicationSwitcher } from './application/switcher.tsx';
import { Palette } from './palette.tsx';

/** The frame of every screen of the console. */
export function Shell() {
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
            <Menu.Item leftSection={<IconUser size={16} />} component={Link} to="/account">
              {t('ui.session.account')}
            </Menu.Item>
          </>
        }
      >
        <Outlet />
      </ConsoleFrame>
    </RequireSession>
  );
}
