import { Anchor, AppShell, Group, Menu, Text, UnstyledButton } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconLogout, IconMessageCircle, type IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { Link } from 'react-router';
import { NoticeBar } from '../notices/notices.tsx';
import { Avatar } from '../parts/avatar.tsx';
import { MenuItem } from '../parts/menu-item.tsx';
import { Preferences } from '../parts/preferences.tsx';
import { useTexts } from '../texts.ts';
import { useAccount, useSignOut } from './session.ts';

/** The frame of every screen of a console: the header, the notices of the server, and the screen. */
export function ConsoleFrame({
  name,
  beside,
  ways,
  tools,
  items,
  children,
}: {
  name: string;
  /** Beside the name, which is hidden on a phone then. */
  beside?: ReactNode;
  /** To other parts: in the header, or on a phone in the menu. */
  ways: readonly { href: string; label: string; icon: ComponentType<IconProps> }[];
  tools?: ReactNode;
  /** The console's own items of the account menu. */
  items: ReactNode;
  children: ReactNode;
}) {
  const t = useTexts();
  const account = useAccount();
  const leave = useSignOut();
  return (
    <AppShell header={{ height: 56 }} padding="md">
      <a href="#content" className="skip-link">
        {t('ui.session.skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="md" wrap="nowrap" miw={0}>
            <Anchor
              component={Link}
              to="/"
              c="inherit"
              underline="never"
              aria-label={`${t('ui.common.service')} ${name}`}
            >
              <Group gap="xs" wrap="nowrap">
                <img src="/icon.svg" width={26} height={26} alt="" />
                <Text fw={650} {...(beside !== undefined && { visibleFrom: 'xs' })}>
                  {t('ui.common.service')}{' '}
                  <Text span c="dimmed" fw={400}>
                    {name}
                  </Text>
                </Text>
              </Group>
            </Anchor>
            {beside}
            {ways.map(({ href, label }) => (
              <Anchor key={href} href={href} size="sm" c="inherit" visibleFrom="sm">
                {label}
              </Anchor>
            ))}
          </Group>
          <Group gap="xs" wrap="nowrap" style={{ flexShrink: 0 }}>
            {tools}
            <Anchor href="/" size="sm" c="inherit" visibleFrom="sm">
              {t('ui.session.chat')}
            </Anchor>
            <Preferences />
            <Menu position="bottom-end">
              <Menu.Target>
                <UnstyledButton>
                  <Avatar name={account.name} seed={account.accountId} size={34} />
                  <span className="visually-hidden">{t('ui.session.account')}</span>
                </UnstyledButton>
              </Menu.Target>
              <Menu.Dropdown maw="calc(100vw - 1rem)">
                <Menu.Label style={{ overflowWrap: 'anywhere' }}>{account.email}</Menu.Label>
                <MenuItem icon={IconMessageCircle} label={t('ui.session.chat')} href="/" />
                {ways.map((way) => (
                  <MenuItem key={way.href} {...way} hiddenFrom="sm" />
                ))}
                {items}
                <MenuItem
                  icon={IconLogout}
                  label={t('ui.session.signOut')}
                  onClick={() => leave.mutate(undefined)}
                />
              </Menu.Dropdown>
            </Menu>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Main id="content" tabIndex={-1}>
        <OfflineBar />
        <NoticeBar isInset />
        {children}
      </AppShell.Main>
    </AppShell>
  );
}

/** Without a connection, what is shown may be old, and changes are refused. */
function OfflineBar() {
  const t = useTexts();
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <Text size="sm" ta="center" p="xs" mb="md" bdrs="md" bg="light-dark(#fff4d6, #3d3214)">
          {t('ui.session.offlineTitle')}. {t('ui.session.offlineText')}
        </Text>
      )}
    </div>
  );
}
