import { Progress, Text } from '@mantine/core';
import type { Overview } from '#contract/applications/monitoring.ts';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { overviewTexts } from './texts.ts';

/** The endpoint closest to its limit. */
export function QuotaLeft({ busiest }: { busiest: Overview['busiest'] }) {
  const t = useTexts(overviewTexts);
  const { requestsPerMinute } = useApplication();
  const { used, limit } = busiest?.quota ?? { used: 0, limit: requestsPerMinute };
  return (
    <Section title={t.quota} lead={t.quotaText(requestsPerMinute)}>
      {busiest && (
        <Text size="sm" ff="monospace">
          {busiest.method} {busiest.route}
        </Text>
      )}
      <Progress
        value={(used / limit) * 100}
        color={used >= limit ? 'red' : 'parley'}
        aria-label={t.quotaUsed(used, limit)}
      />
      <Text size="xs" c="dimmed">
        {t.quotaUsed(used, limit)}
      </Text>
    </Section>
  );
}
