import { Anchor, AppShell, Group, Text } from '@mantine/core';
import type { IconProps } from '@tabler/icons-react';
import { onlineManager } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { NoticeBar } from '../notices/notices.tsx';
import { MenuItem } from '../parts/menu-item.tsx';
import { Preferences } from '../parts/preferences.tsx';
import { useTexts } from '../texts.ts';
import { AccountMenu } from './account-menu.tsx';

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
            <AccountMenu>
              {ways.map(({ href, label, icon: Icon }) => (
                <MenuItem key={href} icon={Icon} label={label} href={href} hiddenFrom="sm" />
              ))}
              {items}
            </AccountMenu>
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

const subscribe = (tell: () => void) => onlineManager.subscribe(tell);

/** Without a connection, what is shown may be old, and changes are refused. */
function OfflineBar() {
  const t = useTexts();
  const isOnline = useSyncExternalStore(subscribe, () => onlineManager.isOnline());
  if (isOnline) return;
  return (
    <Text role="status" size="sm" ta="center" p="xs" mb="md" bdrs="md" bg="light-dark(#fff4d6, #3d3214)">
      {t('ui.session.offlineTitle')}. {t('ui.session.offlineText')}
    </Text>
  );
}
