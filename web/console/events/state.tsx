import { Badge } from '@mantine/core';
import type { LoggedState } from '#contract/webhooks.ts';
import { useTexts } from '../../ui/texts.ts';

const COLOURS: Record<LoggedState, string> = {
  unsent: 'gray',
  pending: 'blue',
  retrying: 'yellow',
  delivered: 'teal',
  abandoned: 'red',
  cancelled: 'gray',
  fetched: 'teal',
};

/** The state of a delivery (contract §3). */
export function State({ state }: { state: LoggedState }) {
  const t = useTexts();
  return (
    <Badge variant="dot" color={COLOURS[state]} tt="none" fw={500}>
      {t(`console.eventState.${state}`)}
    </Badge>
  );
}
