import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import classes from './page.module.css';

/** A row that leads to something, and says what is there. */
export function Way({
  to,
  icon,
  title,
  after,
  children,
}: {
  to: string;
  icon: ReactNode;
  title: string;
  after?: ReactNode;
  children: string;
}) {
  return (
    <Link to={to} className={classes.way}>
      {icon}
      <div>
        <Text inherit fw={600}>
          {title}
        </Text>
        <Dimmed>{children}</Dimmed>
      </div>
      {after}
    </Link>
  );
}
