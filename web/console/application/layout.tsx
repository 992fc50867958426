import { Alert, Box, Button, Flex, Group, Menu, NavLink, Stack, Text } from '@mantine/core';
import {
  IconBell,
  IconChartLine,
  IconChevronDown,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconLogin2,
  IconMessageChatbot,
  IconRobot,
  IconSettings,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link, Outlet, NavLink as RouterLink, useLocation, useParams } from 'react-router';
import type { Application } from '#contract/applications.ts';
import { Waiting } from '../../ui/parts/waiting.tsx';
import { useTexts } from '../../ui/texts.ts';
import classes from './layout.module.css';
import { applicationQuery } from './queries.ts';
import { StateBadge } from './state-badge.tsx';
import { applicationTexts } from './texts.ts';

const SCREENS = [
  { path: '', key: 'overview', icon: IconLayoutDashboard },
  { path: 'credentials', key: 'credentials', icon: IconKey },
  { path: 'bot', key: 'bot', icon: IconRobot },
  { path: 'events', key: 'events', icon: IconWebhook },
  { path: 'simulator', key: 'simulator', icon: IconMessageChatbot },
  { path: 'requests', key: 'requests', icon: IconListDetails },
  { path: 'usage', key: 'usage', icon: IconChartLine },
  { path: 'oauth', key: 'oauth', icon: IconLogin2 },
  { path: 'alerts', key: 'alerts', icon: IconBell },
  { path: 'audit', key: 'audit', icon: IconHistory },
  { path: 'team', key: 'team', icon: IconUsers },
  { path: 'settings', key: 'settings', icon: IconSettings },
] as const;

/** The id of what tells viewers that they change nothing. */
export const VIEWER_NOTICE = 'viewer-notice';

/** The frame of an application's screens: its name, its state, and the navigation. */
export function Component() {
  return (
    <Suspense fallback={<Waiting />}>
      <Frame />
    </Suspense>
  );
}

/** For the screens within: the application that the address names. */
export function useApplication(): Application {
  const { appId = '' } = useParams();
  return useSuspenseQuery(applicationQuery(appId)).data;
}

function Frame() {
  const t = useTexts(applicationTexts);
  const { name, state, role } = useApplication();
  return (
    <Flex direction={{ base: 'column', md: 'row' }} gap={{ base: 'md', md: 'xl' }}>
      <Box className={classes.side} component="nav" aria-label={t.screens}>
        <Stack gap="xs">
          <Group justify="space-between" wrap="nowrap" px="xs">
            <Text fw={650} truncate title={name}>
              {name}
            </Text>
            <StateBadge state={state} />
          </Group>
          <ScreenLinks />
          <ScreenMenu />
        </Stack>
      </Box>
      <Box flex={1} miw={0}>
        {role === 'viewer' && (
          <Alert id={VIEWER_NOTICE} variant="default" p="xs" mb="md" maw={760}>
            {t.viewer}
          </Alert>
        )}
        <Outlet />
      </Box>
    </Flex>
  );
}

function ScreenLinks() {
  const t = useTexts(applicationTexts);
  const { appId } = useApplication();
  return (
    <Box className={classes.links} visibleFrom="md">
      {SCREENS.map(({ path, key, icon: Icon }) => (
        <RouterLink key={key} to={addressOf(appId, path)} end={path === ''}>
          {({ isActive }) => (
            <NavLink
              component="span"
              className={classes.link ?? ''}
              active={isActive}
              label={t[key]}
              leftSection={<Icon size={18} />}
            />
          )}
        </RouterLink>
      ))}
    </Box>
  );
}

/** The same on a narrow screen: where one is, and the others behind it. */
function ScreenMenu() {
  const t = useTexts(applicationTexts);
  const { appId } = useApplication();
  const { pathname } = useLocation();
  const open = pathname.split('/')[3] ?? '';
  const { key, icon: Icon } = SCREENS.find(({ path }) => path === open) ?? SCREENS[0];
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <Button
          hiddenFrom="md"
          variant="default"
          justify="space-between"
          leftSection={<Icon size={18} />}
          rightSection={<IconChevronDown size={16} />}
        >
          {t[key]}
        </Button>
      </Menu.Target>
      <Menu.Dropdown hiddenFrom="md">
        {SCREENS.map(({ path, key: other, icon: OtherIcon }) => (
          <Menu.Item
            key={other}
            component={Link}
            to={addressOf(appId, path)}
            leftSection={<OtherIcon size={18} />}
            {...(other === key && { 'aria-current': 'page' as const, fw: 600 })}
          >
            {t[other]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function addressOf(appId: string, path: string): string {
  return `/applications/${appId}${path && `/${path}`}`;
}
