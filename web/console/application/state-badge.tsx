import { Badge } from '@mantine/core';
import type { ApplicationSummary } from '#contract/applications.ts';
import { useTexts } from '../../ui/texts.ts';
import { applicationTexts } from './texts.ts';

const COLOURS = { active: 'teal', disabled: 'gray', suspended: 'red' } as const;

/** The state of an application (contract §3). */
export function StateBadge({ state }: Pick<ApplicationSummary, 'state'>) {
  const t = useTexts(applicationTexts);
  return (
    <Badge variant="dot" color={COLOURS[state]} tt="none" fw={500} style={{ flexShrink: 0 }}>
      {t[state]}
    </Badge>
  );
}
