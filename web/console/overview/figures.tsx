import { Card, SimpleGrid, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Overview } from '#contract/applications/monitoring.ts';
import { Section } from '../../ui/parts/screen.tsx';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { duration } from '../../ui/times.ts';
import { useApplication } from '../application/layout.tsx';
import { Sparkline } from '../application/sparkline.tsx';

interface Figure {
  /** The screen with the details. */
  to: string;
  label: string;
  value: string;
  detail: string;
  bars: { total: number; failed: number }[];
}

/** The last 24 hours in four figures, each with its trend. */
export function Figures({ overview: { hours, p50Ms, p95Ms } }: { overview: Overview }) {
  const t = useTexts();
  const sum = (of: 'requests' | 'sends' | 'errors' | 'deliveries' | 'failedDeliveries') =>
    hours.reduce((total, hour) => total + hour[of], 0);
  const failed = sum('failedDeliveries');
  const figures: Figure[] = [
    {
      to: 'requests',
      label: t('console.overview.sends'),
      value: formatNumber(sum('sends')),
      detail: t('console.overview.ofRequests', { count: sum('requests') }),
      bars: hours.map(({ sends }) => ({ total: sends, failed: 0 })),
    },
    {
      to: 'events',
      label: t('console.overview.events'),
      value: formatNumber(sum('deliveries')),
      detail:
        failed === 0 ? t('console.overview.noneFailed') : t('console.overview.failed', { count: failed }),
      bars: hours.map(({ deliveries, failedDeliveries }) => ({
        total: deliveries,
        failed: failedDeliveries,
      })),
    },
    {
      to: 'requests?view=errors',
      label: t('console.overview.errors'),
      value: formatNumber(sum('errors')),
      detail: t('console.overview.ofRequests', { count: sum('requests') }),
      bars: hours.map(({ errors }) => ({ total: errors, failed: errors })),
    },
    {
      to: 'usage',
      label: t('console.overview.latency'),
      value: p50Ms === undefined ? '–' : duration(p50Ms),
      detail:
        p95Ms === undefined
          ? t('console.overview.noRequests')
          : t('console.overview.median', { time: duration(p95Ms) }),
      bars: hours.map((hour) => ({ total: hour.p95Ms ?? 0, failed: 0 })),
    },
  ];
  return (
    <Section title={t('console.overview.lastDay')}>
      <SimpleGrid cols={{ base: 2, lg: 4 }}>
        {figures.map((figure) => (
          <FigureCard key={figure.label} {...figure} />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function FigureCard({ to, label, value, detail, bars }: Figure) {
  const { appId } = useApplication();
  return (
    <Card withBorder component={Link} to={`/applications/${appId}/${to}`} c="inherit" padding="sm">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text size="xl" fw={650}>
        {value}
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        {detail}
      </Text>
      <Sparkline label={`${label}: ${value}`} bars={bars} />
    </Card>
  );
}
