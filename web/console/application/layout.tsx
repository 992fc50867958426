import { Box, Flex, Group, NavLink, ScrollArea, Stack, Text } from '@mantine/core';
import {
  IconBell,
  IconChartLine,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconLogin2,
  IconMessageChatbot,
  IconRobot,
  IconWebhook,
} from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Outlet, NavLink as RouterLink, useParams } from 'react-router';
import type { Application } from '#contract/applications.ts';
import { Waiting } from '../../ui/parts/waiting.tsx';
import { useTexts } from '../../ui/texts.ts';
import { applicationQuery } from '../applications.ts';
import classes from './layout.module.css';
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
] as const;

/** What surrounds the screens of one application: its name and state, and the way from screen to screen. */
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
  const { appId, name, state } = useApplication();
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
          <ScrollArea type="never" className={classes.scroll}>
            <div className={classes.links}>
              {SCREENS.map(({ path, key, icon: Icon }) => (
                <RouterLink
                  ref={(link) => {
                    if (link?.ariaCurrent === 'page')
                      link.scrollIntoView({ block: 'nearest', inline: 'center' });
                  }}
                  key={key}
                  to={`/applications/${appId}${path && `/${path}`}`}
                  end={path === ''}
                >
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
            </div>
          </ScrollArea>
        </Stack>
      </Box>
      <Box flex={1} miw={0}>
        <Outlet />
      </Box>
    </Flex>
  );
}
