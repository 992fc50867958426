import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApplicationSummary } from '#contract/applications.ts';
import { isFailing } from '#contract/rights.ts';
import { useTexts } from '../../ui/texts.ts';
import { homeQuery } from './queries.ts';

const COLOURS = { active: 'teal', failing: 'yellow', disabled: 'gray', suspended: 'red' } as const;

/** The state of an application (contract §3), and whether its deliveries failed in the last 24 hours. */
export function StateBadge({ appId, state }: Pick<ApplicationSummary, 'appId' | 'state'>) {
  const t = useTexts();
  const found = useQuery(homeQuery).data?.applications.find((one) => one.appId === appId);
  const shown = state === 'active' && found && isFailing(found.hours) ? 'failing' : state;
  return (
    <Badge variant="dot" color={COLOURS[shown]} tt="none" fw={500} style={{ flexShrink: 0 }}>
      {t(`console.application.${shown}`)}
    </Badge>
  );
}
