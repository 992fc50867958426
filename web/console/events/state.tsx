import { Badge } from '@mantine/core';
import type { DeliveryState } from '#contract/webhooks.ts';
import { useTexts } from '../../ui/texts.ts';
import { stateTexts } from './texts.ts';

const COLOURS: Record<DeliveryState, string> = {
  unsent: 'gray',
  pending: 'blue',
  retrying: 'yellow',
  delivered: 'teal',
  abandoned: 'red',
  cancelled: 'gray',
};

/** The state of a delivery (contract §3). */
export function State({ state }: { state: DeliveryState }) {
  const t = useTexts(stateTexts);
  return (
    <Badge variant="dot" color={COLOURS[state]} tt="none" fw={500}>
      {t[state]}
    </Badge>
  );
}
