import type { ReactNode } from 'react';
import classes from './developer-only.module.css';
import { useApplication, VIEWER_NOTICE } from './layout.tsx';

/** Controls that the server refuses to viewers: they are disabled, and the frame explains why. */
export function DeveloperOnly({ children }: { children: ReactNode }) {
  const { role } = useApplication();
  if (role !== 'viewer') return children;
  return (
    <fieldset disabled className={classes.only} aria-describedby={VIEWER_NOTICE}>
      {children}
    </fieldset>
  );
}
