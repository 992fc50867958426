import { Anchor, Button, Paper, SimpleGrid, Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ServerOverview } from '#contract/operate/health.ts';
import { Dimmed } from '../ui/parts/dimmed.tsx';
import { Happened } from '../ui/parts/moment.tsx';
import { QueryView } from '../ui/parts/query-view.tsx';
import { Screen } from '../ui/parts/screen.tsx';
import { formatNumber, useTexts } from '../ui/texts.ts';
import { countFindings } from './parts/findings.ts';
import { operateQuery } from './parts/queries.ts';

/** The start page: what there is to do, and the server in numbers. */
export function Component() {
  const t = useTexts();
  const overview = useQuery({ ...operateQuery('GET /overview'), refetchInterval: 30_000 });
  return (
    <Screen
      title={t('operate.overview.title')}
      lead={t('operate.overview.lead')}
      action={
        overview.data?.openReports ? (
          <Button component={Link} to="/reports/next" rightSection={<IconArrowRight size={16} />}>
            {t('operate.report.next')}
          </Button>
        ) : undefined
      }
    >
      <QueryView query={overview}>{(found) => <Numbers overview={found} />}</QueryView>
    </Screen>
  );
}

function Numbers({ overview }: { overview: ServerOverview }) {
  const t = useTexts();
  const { openReports, oldestReportAt, deliveries, failedDeliveries } = overview;
  return (
    <SimpleGrid cols={{ base: 2, lg: 3 }}>
      <Tile to="/reports" name={t('operate.overview.openReports')} value={openReports}>
        <Happened words={t('operate.report.oldest')} at={oldestReportAt} />
      </Tile>
      <HealthTile />
      <Tile to="/health" name={t('operate.health.queue')} value={overview.dueEvents} />
      <Tile to="/people" name={t('operate.section.people')} value={overview.people} />
      <Tile to="/applications" name={t('operate.section.applications')} value={overview.applications}>
        {t('operate.overview.requests', { count: overview.requests })}
      </Tile>
      <Tile to="/applications" name={t('operate.application.deliveries')} value={deliveries}>
        {t('operate.overview.failed', { count: failedDeliveries })}
      </Tile>
    </SimpleGrid>
  );
}

/** Apart from the numbers, which do not wait until every service has been tried. */
function HealthTile() {
  const t = useTexts();
  const { data } = useQuery({ ...operateQuery('GET /health'), refetchInterval: 30_000 });
  const found = data && countFindings(t, data.findings);
  return (
    <Tile to="/health" name={t('operate.section.health')} value={found && found.faults + found.warnings}>
      {found?.summary}
    </Tile>
  );
}

function Tile({
  to,
  name,
  value,
  children,
}: {
  to: string;
  name: string;
  value: number | undefined;
  children?: ReactNode;
}) {
  return (
    <Paper withBorder p="md">
      <Anchor component={Link} to={to} size="sm">
        {name}
      </Anchor>
      <Text size="xl" fw={650}>
        {value === undefined ? '…' : formatNumber(value)}
      </Text>
      <Dimmed>{children}</Dimmed>
    </Paper>
  );
}
