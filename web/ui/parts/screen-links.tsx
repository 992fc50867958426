import { Box, Button, Flex, Menu, NavLink, Stack } from '@mantine/core';
import { IconChevronDown, type IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { Link, NavLink as RouterLink, useLocation } from 'react-router';
import classes from './screen-links.module.css';

/** A screen in the navigation. */
export interface ScreenLink {
  to: string;
  label: string;
  icon: ComponentType<IconProps>;
  /** Active only at this path, and not at those below it. */
  isExact?: boolean;
}

/** Screens with a navigation: beside the open one or, on narrow screens, in a menu above it. */
export function WithScreenLinks({
  label,
  heading,
  screens,
  children,
}: {
  label: string;
  /** Above the links. */
  heading?: ReactNode;
  screens: readonly ScreenLink[];
  children: ReactNode;
}) {
  return (
    <Flex direction={{ base: 'column', md: 'row' }} gap={{ base: 'md', md: 'xl' }}>
      <Box className={classes.side} component="nav" aria-label={label}>
        <Stack gap="xs">
          {heading}
          <Links screens={screens} />
          <LinksMenu screens={screens} />
        </Stack>
      </Box>
      <Box flex={1} miw={0}>
        {children}
      </Box>
    </Flex>
  );
}

function Links({ screens }: { screens: readonly ScreenLink[] }) {
  return (
    <Box className={classes.links} visibleFrom="md">
      {screens.map(({ to, label, icon: Icon, isExact = false }) => (
        <RouterLink key={to} to={to} end={isExact}>
          {({ isActive }) => (
            <NavLink
              component="span"
              className={classes.link ?? ''}
              active={isActive}
              label={label}
              leftSection={<Icon size={18} />}
            />
          )}
        </RouterLink>
      ))}
    </Box>
  );
}

/** The navigation on narrow screens: the current screen, with the others in a menu. */
function LinksMenu({ screens }: { screens: readonly ScreenLink[] }) {
  const { pathname } = useLocation();
  const open =
    screens.find(({ to, isExact }) => pathname === to || (!isExact && pathname.startsWith(`${to}/`))) ??
    screens[0];
  if (!open) return;
  const { label, icon: Icon } = open;
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
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown hiddenFrom="md">
        {screens.map((other) => (
          <Menu.Item
            key={other.to}
            component={Link}
            to={other.to}
            leftSection={<other.icon size={18} />}
            {...(other === open && { 'aria-current': 'page' as const, fw: 600 })}
          >
            {other.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
