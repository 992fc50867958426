import { Menu, type MenuItemProps } from '@mantine/core';
import type { IconProps } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { Link } from 'react-router';

/** An item of a menu: a link within the app or out of it, or a button. */
export function MenuItem({
  icon: Icon,
  label,
  to,
  href,
  ...item
}: MenuItemProps & {
  icon: ComponentType<IconProps>;
  label: string;
  to?: string;
  href?: string;
  onClick?: () => void;
}) {
  const shown = { leftSection: <Icon size={16} />, children: label, ...item };
  if (to !== undefined) return <Menu.Item component={Link} to={to} {...shown} />;
  return href === undefined ? <Menu.Item {...shown} /> : <Menu.Item component="a" href={href} {...shown} />;
}
