import { Anchor, AppShell, Group, Menu, Text, UnstyledButton } from '@mantine/core';
import { IconApi, IconBook, IconLogout, IconMessageCircle, IconUser } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, Outlet } from 'react-router';
import { callAuth } from '../ui/api.ts';
import { NoticeBar } from '../ui/notices/notices.tsx';
import { Avatar } from '../ui/parts/avatar.tsx';
import { showError } from '../ui/parts/faults.tsx';
import { Preferences } from '../ui/parts/preferences.tsx';
import { RequireSession } from '../ui/session/require-session.tsx';
import { useAccount, useChangeOfPerson } from '../ui/session/session.ts';
import { useTexts } from '../ui/texts.ts';

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
          <Group gap="lg" wrap="nowrap">
            <Anchor component={Link} to="/" c="inherit" underline="never">
              <Group gap="xs" wrap="nowrap">
                <img src="/icon.svg" width={26} height={26} alt="" />
                <Text fw={650}>
                  {t('ui.common.service')}{' '}
                  <Text span c="dimmed" fw={400} visibleFrom="xs">
                    {t('console.shell.console')}
                  </Text>
                </Text>
              </Group>
            </Anchor>
            <Anchor href="/docs/" size="sm" c="inherit" visibleFrom="sm">
              {t('console.shell.docs')}
            </Anchor>
            <Anchor href="/docs/reference/" size="sm" c="inherit" visibleFrom="sm">
              {t('console.shell.reference')}
            </Anchor>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Preferences />
            <AccountMenu />
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

function AccountMenu() {
  const t = useTexts();
  const account = useAccount();
  const changePerson = useChangeOfPerson();
  const leave = useMutation({
    mutationFn: () => callAuth('POST /sign-out'),
    onSuccess: () => changePerson(null),
    onError: showError,
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton>
          <Avatar name={account.name} seed={account.accountId} size={34} />
          <span className="visually-hidden">{t('console.shell.account')}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown maw="calc(100vw - 1rem)">
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>{account.email}</Menu.Label>
        <Menu.Item leftSection={<IconMessageCircle size={16} />} component="a" href="/">
          {t('console.shell.chat')}
        </Menu.Item>
        <Menu.Item leftSection={<IconBook size={16} />} component="a" href="/docs/" hiddenFrom="sm">
          {t('console.shell.docs')}
        </Menu.Item>
        <Menu.Item leftSection={<IconApi size={16} />} component="a" href="/docs/reference/" hiddenFrom="sm">
          {t('console.shell.reference')}
        </Menu.Item>
        <Menu.Item leftSection={<IconUser size={16} />} component={Link} to="/account">
          {t('console.shell.account')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => leave.mutate(undefined)}>
          {t('ui.session.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
