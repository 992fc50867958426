import { Button, Menu, Text } from '@mantine/core';
import { IconApps, IconPlus, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useMatch } from 'react-router';
import { Avatar } from '../../ui/parts/avatar.tsx';
import { MenuItem } from '../../ui/parts/menu-item.tsx';
import { useTexts } from '../../ui/texts.ts';
import { homeQuery } from './queries.ts';

/** In an application: to the others, and back to all of them. */
export function ApplicationSwitcher() {
  const t = useTexts();
  const { appId } = useMatch('/applications/:appId/*')?.params ?? {};
  const { data: home } = useQuery({ ...homeQuery, enabled: appId !== undefined });
  const open = home?.applications.find((one) => one.appId === appId);
  if (!home || !open) return;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          size="compact-md"
          px="xs"
          maw={{ base: 130, xs: 220 }}
          miw={0}
          rightSection={<IconSelector size={16} />}
          aria-label={t('console.shell.switch', { name: open.name })}
        >
          <Text truncate size="sm" fw={550}>
            {open.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown maw="min(22rem, calc(100vw - 1rem))" mah="70vh" style={{ overflowY: 'auto' }}>
        <MenuItem icon={IconApps} label={t('console.shell.all')} to="/" />
        <Menu.Divider />
        {home.applications.map((one) => (
          <Menu.Item
            key={one.appId}
            leftSection={
              <Avatar
                name={one.name}
                seed={one.bot?.userId ?? one.appId}
                pictureUrl={one.bot?.pictureUrl}
                size={20}
              />
            }
            component={Link}
            to={`/applications/${one.appId}`}
            style={{ overflowWrap: 'anywhere' }}
            {...(one === open && { 'aria-current': 'true' as const, fw: 600 })}
          >
            {one.name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <MenuItem icon={IconPlus} label={t('console.home.create')} to="/new" />
      </Menu.Dropdown>
    </Menu>
  );
}
