import { Progress, SegmentedControl, Table, Text } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { Usage, UsageSpan } from '#contract/applications/monitoring.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { Bars, QueryView } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { duration } from '../../ui/times.ts';
import { useApplication } from '../application/layout.tsx';
import { usageQuery } from '../application/queries.ts';

// The chart library is larger than the rest of the console.
const Charts = lazy(() => import('./charts.tsx'));

/** Requests, latencies, and what is left of each quota. */
export function Component() {
  const t = useTexts();
  const { appId } = useApplication();
  const [span, setSpan] = useState<UsageSpan>('minute');
  const usage = useQuery({ ...usageQuery(appId, span), placeholderData: keepPreviousData });
  return (
    <Screen
      title={t('console.usage.title')}
      lead={t('console.usage.lead')}
      size="lg"
      action={
        <SegmentedControl
          aria-label={t('console.usage.span')}
          value={span}
          onChange={(chosen) => setSpan(chosen as UsageSpan)}
          data={[
            { value: 'minute', label: t('console.usage.minute') },
            { value: 'hour', label: t('console.usage.hour') },
          ]}
        />
      }
    >
      <QueryView query={usage}>
        {(found) =>
          found.routes.length === 0 ? (
            <Empty icon={<IconChartLine />} title={t('console.usage.none')}>
              {t('console.usage.noneText')}
            </Empty>
          ) : (
            <>
              <Suspense fallback={<Bars />}>
                <Charts usage={found} />
              </Suspense>
              <Routes usage={found} />
            </>
          )
        }
      </QueryView>
    </Screen>
  );
}

function Routes({ usage: { routes } }: { usage: Usage }) {
  const t = useTexts();
  return (
    <WideTable
      label={t('console.usage.endpoint')}
      minWidth={640}
      verticalSpacing="sm"
      columns={[
        t('console.usage.endpoint'),
        t('console.usage.caller'),
        t('console.usage.quota'),
        { number: t('console.usage.requests') },
        { number: t('console.usage.errors') },
        { number: t('console.usage.median') },
        { number: t('console.usage.p95') },
      ]}
    >
      {routes.map(({ caller, method, route, quota, requests, clientErrors, serverErrors, ...times }) => (
        <Table.Tr key={`${caller} ${method} ${route}`}>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>
            <Text size="sm" ff="monospace">
              {method} {route}
            </Text>
          </Table.Td>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>{t(`console.usage.${caller}`)}</Table.Td>
          <Table.Td miw={180}>
            {quota && (
              <>
                <Progress
                  value={(quota.used / quota.limit) * 100}
                  color={quota.used >= quota.limit ? 'red' : 'parley'}
                  aria-label={t('console.usage.used', { used: quota.used, limit: quota.limit })}
                />
                <Text size="xs" c="dimmed">
                  {t('console.usage.used', { used: quota.used, limit: quota.limit })}
                </Text>
              </>
            )}
          </Table.Td>
          <Table.Td ta="right">{formatNumber(requests)}</Table.Td>
          <Table.Td ta="right">{formatNumber(clientErrors + serverErrors)}</Table.Td>
          <Table.Td ta="right">{times.p50Ms === undefined ? '–' : duration(times.p50Ms)}</Table.Td>
          <Table.Td ta="right">{times.p95Ms === undefined ? '–' : duration(times.p95Ms)}</Table.Td>
        </Table.Tr>
      ))}
    </WideTable>
  );
}
