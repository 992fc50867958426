import { IconApi, IconBook, IconUser } from '@tabler/icons-react';
import { Outlet } from 'react-router';
import { MenuItem } from '../ui/parts/menu-item.tsx';
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
            <MenuItem icon={IconUser} label={t('ui.session.account')} to="/account" />
          </>
        }
      >
        <Outlet />
      </ConsoleFrame>
    </RequireSession>
  );
}
