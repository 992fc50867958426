import { Anchor, AppShell, Group, Menu, Text } from '@mantine/core';
import { IconApi, IconBook, IconUser } from '@tabler/icons-react';
import { Link, Outlet } from 'react-router';
import { NoticeBar } from '../ui/notices/notices.tsx';
import { Preferences } from '../ui/parts/preferences.tsx';
import { AccountMenu } from '../ui/session/account-menu.tsx';
import { OperatingItems } from '../ui/session/operating.tsx';
import { RequireSession } from '../ui/session/require-session.tsx';
import { useTexts } from '../ui/texts.ts';
import { ApplicationSwitcher } from './application/switcher.tsx';
import { Palette } from './palette.tsx';

/** The frame of every screen of the console. */
export function Shell() {
  return (
    <RequireSession>
      <Frame />
    </RequireSession>
  );
}

function Frame() {
  const t = useTexts();
  return (
    <AppShell header={{ height: 56 }} padding="md">
      <a href="#content" className="skip-link">
        {t('console.shell.skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="md" wrap="nowrap" miw={0}>
            <Anchor
              component={Link}
              to="/"
              c="inherit"
              underline="never"
              aria-label={`${t('ui.common.service')} ${t('console.shell.console')}`}
            >
              <Group gap="xs" wrap="nowrap">
                <img src="/icon.svg" width={26} height={26} alt="" />
                <Text fw={650} visibleFrom="xs">
                  {t('ui.common.service')}{' '}
                  <Text span c="dimmed" fw={400}>
                    {t('console.shell.console')}
                  </Text>
                </Text>
              </Group>
            </Anchor>
            <ApplicationSwitcher />
            <Anchor href="/docs/" size="sm" c="inherit" visibleFrom="sm">
              {t('console.shell.docs')}
            </Anchor>
            <Anchor href="/docs/reference/" size="sm" c="inherit" visibleFrom="sm">
              {t('console.shell.reference')}
            </Anchor>
          </Group>
          <Group gap="xs" wrap="nowrap" style={{ flexShrink: 0 }}>
            <Palette />
            <Anchor href="/" size="sm" c="inherit" visibleFrom="sm">
              {t('ui.session.chat')}
            </Anchor>
            <Preferences />
            <AccountMenu>
              <OperatingItems />
              <Menu.Item leftSection={<IconBook size={16} />} component="a" href="/docs/" hiddenFrom="sm">
                {t('console.shell.docs')}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconApi size={16} />}
                component="a"
                href="/docs/reference/"
                hiddenFrom="sm"
              >
                {t('console.shell.reference')}
              </Menu.Item>
              <Menu.Item leftSection={<IconUser size={16} />} component={Link} to="/account">
                {t('ui.session.account')}
              </Menu.Item>
            </AccountMenu>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Main id="content" tabIndex={-1}>
        <NoticeBar isInset />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
