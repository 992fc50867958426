import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ApplicationSummary } from '#contract/applications.ts';
import type { LoggedState } from '#contract/choices.ts';
import { isFailing } from '#contract/rights.ts';
import { useTexts } from '../../ui/texts.ts';
import { homeQuery } from './queries.ts';

const STATES = { active: 'teal', failing: 'yellow', disabled: 'gray', suspended: 'red' } as const;

/** The state of an application (contract §3), and whether its deliveries failed in the last 24 hours. */
export function ApplicationBadge({ appId, state }: Pick<ApplicationSummary, 'appId' | 'state'>) {
  const t = useTexts();
  const found = useQuery(homeQuery).data?.applications.find((one) => one.appId === appId);
  const shown = state === 'active' && found && isFailing(found.hours) ? 'failing' : state;
  return (
    <Badge variant="dot" color={STATES[shown]} fw={500} style={{ flexShrink: 0 }}>
      {t(`console.application.${shown}`)}
    </Badge>
  );
}

const DELIVERIES: Record<LoggedState, string> = {
  unsent: 'gray',
  pending: 'blue',
  retrying: 'yellow',
  delivered: 'teal',
  abandoned: 'red',
  cancelled: 'gray',
  fetched: 'teal',
};

/** The state of a delivery (contract §3). */
export function DeliveryBadge({ state }: { state: LoggedState }) {
  const t = useTexts();
  return (
    <Badge variant="dot" color={DELIVERIES[state]} fw={500}>
      {t(`console.eventState.${state}`)}
    </Badge>
  );
}

/** An HTTP status, coloured by its class. */
export function StatusBadge({ status }: { status: number }) {
  const colour = status < 400 ? 'teal' : status < 500 ? 'yellow' : 'red';
  return (
    <Badge variant="dot" color={colour} fw={500}>
      {status}
    </Badge>
  );
}
