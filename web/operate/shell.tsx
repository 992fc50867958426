import { Anchor, AppShell, Button, Center, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from 'react-router';
import { ApiError } from '../ui/api.ts';
import { NoticeBar } from '../ui/notices/notices.tsx';
import { NotFound } from '../ui/parts/faults.tsx';
import { Preferences } from '../ui/parts/preferences.tsx';
import { QueryView } from '../ui/parts/query-view.tsx';
import { Screen } from '../ui/parts/screen.tsx';
import { WithScreenLinks } from '../ui/parts/screen-links.tsx';
import { RequireSession } from '../ui/session/require-session.tsx';
import { useTexts } from '../ui/texts.ts';
import { selfQuery } from './parts/queries.ts';
import { SECTIONS } from './sections.ts';

/** The frame of every operator screen; for everybody else, the page does not exist. */
export function Shell() {
  return (
    <RequireSession>
      <Operating />
    </RequireSession>
  );
}

function Operating() {
  const self = useQuery(selfQuery);
  if (self.error instanceof ApiError && self.error.status === 404) return NotFound();
  if (self.error instanceof ApiError && self.error.status === 403) return <NeedsTwoFactor />;
  return <QueryView query={self}>{() => <Frame />}</QueryView>;
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
        <div>
          <Button component="a" href="/console/account">
            {t('operate.common.toAccount')}
          </Button>
        </div>
      </Screen>
    </Center>
  );
}

function Frame() {
  const t = useTexts();
  const screens = SECTIONS.map(({ path, icon }) => ({
    to: `/${path}`,
    label: t(`operate.section.${path}`),
    icon,
  }));
  return (
    <AppShell header={{ height: 56 }} padding="md">
      <a href="#content" className="skip-link">
        {t('operate.common.skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Anchor component={Link} to="/" c="inherit" underline="never">
            <Group gap="xs" wrap="nowrap">
              <img src="/icon.svg" width={26} height={26} alt="" />
              <Text fw={650}>
                {t('ui.common.service')}{' '}
                <Text span c="dimmed" fw={400}>
                  {t('operate.common.operate')}
                </Text>
              </Text>
            </Group>
          </Anchor>
          <Group gap="md" wrap="nowrap">
            <Anchor href="/" size="sm" c="inherit" visibleFrom="sm">
              {t('operate.common.chat')}
            </Anchor>
            <Anchor href="/console" size="sm" c="inherit" visibleFrom="sm">
              {t('operate.common.console')}
            </Anchor>
            <Preferences />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Main id="content" tabIndex={-1}>
        <NoticeBar isInset />
        <WithScreenLinks label={t('operate.common.sections')} screens={screens}>
          <Outlet />
        </WithScreenLinks>
      </AppShell.Main>
    </AppShell>
  );
}
