import '@mantine/charts/styles.layer.css';
import { BarChart, LineChart } from '@mantine/charts';
import { SimpleGrid } from '@mantine/core';
import type { Usage } from '#contract/applications/monitoring.ts';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { clockTime, locale } from '../../ui/times.ts';

const HEIGHT = 220;

/** Requests by outcome, and latency, over the selected period. A separate chunk: see usage.tsx. */
export default function Charts({ usage: { span, series } }: { usage: Usage }) {
  const t = useTexts();
  const total = series.reduce((sum, { requests }) => sum + requests, 0);
  const rows = series.map(({ startedAt, requests, clientErrors, serverErrors, p50Ms, p95Ms }) => ({
    at: span === 'minute' ? clockTime(startedAt) : dayAndHour(startedAt),
    successes: requests - clientErrors - serverErrors,
    clientErrors,
    serverErrors,
    p50Ms: p50Ms ?? null,
    p95Ms: p95Ms ?? null,
  }));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Section title={t('console.usage.requests')}>
        <BarChart
          h={HEIGHT}
          data={rows}
          dataKey="at"
          type="stacked"
          withLegend
          role="img"
          aria-label={t('console.usage.chartAlt', { what: t('console.usage.requests'), requests: total })}
          series={[
            { name: 'successes', label: t('console.usage.successes'), color: 'parley.6' },
            { name: 'clientErrors', label: t('console.usage.clientErrors'), color: 'yellow.6' },
            { name: 'serverErrors', label: t('console.usage.serverErrors'), color: 'red.6' },
          ]}
        />
      </Section>
      <Section title={t('console.usage.latency')}>
        <LineChart
          h={HEIGHT}
          data={rows}
          dataKey="at"
          withLegend
          // A sample without neighbours has no line, only a dot.
          dotProps={{ r: 2 }}
          connectNulls={false}
          role="img"
          aria-label={t('console.usage.chartAlt', { what: t('console.usage.latency'), requests: total })}
          series={[
            { name: 'p50Ms', label: t('console.usage.median'), color: 'parley.6' },
            { name: 'p95Ms', label: t('console.usage.p95'), color: 'grape.6' },
          ]}
        />
      </Section>
    </SimpleGrid>
  );
}

function dayAndHour(at: number): string {
  return new Intl.DateTimeFormat(locale(), { weekday: 'short', hour: '2-digit' }).format(at);
}
