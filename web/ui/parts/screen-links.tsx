import { Box, Button, Flex, Menu, NavLink, Stack } from '@mantine/core';
import { IconChevronDown, type IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { Link, matchPath, useLocation } from 'react-router';

/** A screen in the navigation. */
export interface ScreenLink {
  to: string;
  label: string;
  icon: ComponentType<IconProps>;
  /** Active only at this path, and not at those below it. */
  isExact?: boolean;
}

const CURRENT = { 'aria-current': 'page' } as const;

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
  const { pathname } = useLocation();
  const open = screens.find(({ to, isExact = false }) => matchPath({ path: to, end: isExact }, pathname));
  return (
    <Flex direction={{ base: 'column', md: 'row' }} gap={{ base: 'md', md: 'xl' }}>
      <Box component="nav" w={{ base: '100%', md: '15rem' }} flex="none" aria-label={label}>
        <Stack gap="xs">
          {heading}
          <Box visibleFrom="md">
            {screens.map((screen) => (
              <NavLink
                key={screen.to}
                component={Link}
                to={screen.to}
                bdrs="md"
                label={screen.label}
                leftSection={<screen.icon size={18} />}
                {...(screen === open && CURRENT)}
              />
            ))}
          </Box>
          <LinksMenu screens={screens} open={open ?? screens[0]} />
        </Stack>
      </Box>
      <Box flex={1} miw={0}>
        {children}
      </Box>
    </Flex>
  );
}

/** The navigation on narrow screens: the current screen, with the others in a menu. */
function LinksMenu({ screens, open }: { screens: readonly ScreenLink[]; open: ScreenLink | undefined }) {
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
            {...(other === open && { ...CURRENT, fw: 600 })}
          >
            {other.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
