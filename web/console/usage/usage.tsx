import { Button, Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconChartLine, IconDownload } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import type { Usage, UsageSpan } from '#contract/applications/monitoring.ts';
import { serverNow } from '../../ui/clock.ts';
import { save } from '../../ui/download.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { useFilters } from '../../ui/parts/filters.ts';
import { Bars, QueryView } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { NUMBER, WideTable } from '../../ui/parts/wide-table.tsx';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { duration, localMinute } from '../../ui/times.ts';
import { QuotaBar } from '../application/figures.tsx';
import { useApplication } from '../application/layout.tsx';
import { usageQuery } from '../application/queries.ts';

// The chart library is larger than the rest of the console.
const Charts = lazy(() => import('./charts.tsx'));

/** In one line. */
const WHOLE = { style: { whiteSpace: 'nowrap' } } as const;

const HOUR_MS = 3_600_000;

/** The periods to choose from; `range` is between two times. */
const PERIODS = ['hour', 'day', 'week', 'range'] as const;
type Period = (typeof PERIODS)[number];

/** How usage is asked for: by minute within the last hour, else by hour. */
function toQuery(period: Period, query: URLSearchParams): { span: UsageSpan; from?: number; to?: number } {
  if (period === 'hour') return { span: 'minute' };
  if (period === 'week') return { span: 'hour' };
  if (period === 'day')
    return { span: 'hour', from: Math.floor(serverNow() / HOUR_MS) * HOUR_MS - 23 * HOUR_MS };
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''].map((text) => Date.parse(text));
  const isRange = from !== undefined && to !== undefined && from < to;
  return { span: 'hour', ...(isRange && { from, to }) };
}

/** Requests, latencies, and what is left of each quota. The period is in the URL. */
export function Component() {
  const t = useTexts();
  const { appId } = useApplication();
  const [query, choose] = useFilters();
  const period = PERIODS.find((one) => one === query.get('period')) ?? 'hour';
  const { span, ...range } = toQuery(period, query);
  const usage = useQuery({ ...usageQuery(appId, span, range), placeholderData: keepPreviousData });
  return (
    <Screen
      title={t('console.application.usage')}
      lead={t('console.usage.lead')}
      size="lg"
      action={
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          disabled={!usage.data || usage.isPlaceholderData}
          onClick={() => usage.data && save(toCsv(usage.data), 'usage.csv')}
        >
          {t('console.usage.export')}
        </Button>
      }
    >
      <Group align="flex-end">
        <SegmentedControl
          aria-label={t('console.usage.span')}
          style={{ overflowX: 'auto' }}
          value={period}
          onChange={(chosen) => choose('period', chosen)}
          data={PERIODS.map((value) => ({ value, label: t(`console.usagePeriod.${value}`) }))}
        />
        {period === 'range' && (
          <>
            {(['from', 'to'] as const).map((name) => (
              <TextInput
                key={name}
                type="datetime-local"
                label={t(`console.usage.${name}`)}
                value={query.get(name) ?? ''}
                onChange={({ currentTarget }) => choose(name, currentTarget.value)}
                max={localMinute(serverNow())}
              />
            ))}
            <Dimmed>{t('console.usage.kept')}</Dimmed>
          </>
        )}
      </Group>
      <QueryView query={usage}>
        {(found) =>
          found.routes.length === 0 ? (
            <Empty icon={<IconChartLine />} title={t('console.requests.noRequests')}>
              {t('console.usage.noneText')}
            </Empty>
          ) : (
            <>
              <Suspense fallback={<Bars />}>
                <Charts usage={found} />
              </Suspense>
              <WideTable
                label={t('console.usage.endpoint')}
                minWidth={640}
                verticalSpacing="sm"
                items={found.routes}
                keyOf={({ caller, method, route }) => `${caller} ${method} ${route}`}
                columns={[
                  [
                    t('console.usage.endpoint'),
                    ({ method, route }) => (
                      <Text size="sm" ff="monospace">
                        {method} {route}
                      </Text>
                    ),
                    WHOLE,
                  ],
                  [t('console.usage.caller'), ({ caller }) => t(`console.usage.${caller}`), WHOLE],
                  [
                    t('console.usage.quota'),
                    ({ quota }) => quota && <QuotaBar used={quota.used} limit={quota.limit} />,
                    { miw: 180 },
                  ],
                  [t('console.usage.requests'), ({ requests }) => formatNumber(requests), NUMBER],
                  [
                    t('console.usage.errors'),
                    ({ clientErrors, serverErrors }) => formatNumber(clientErrors + serverErrors),
                    NUMBER,
                  ],
                  [t('console.usage.median'), ({ p50Ms }) => duration(p50Ms), NUMBER],
                  [t('console.usage.p95'), ({ p95Ms }) => duration(p95Ms), NUMBER],
                ]}
              />
            </>
          )
        }
      </QueryView>
    </Screen>
  );
}

/** The shown period, one line for each minute or hour. */
function toCsv({ series }: Usage): Blob {
  const columns = ['requests', 'clientErrors', 'serverErrors', 'p50Ms', 'p95Ms'] as const;
  const lines = series.map((one) =>
    [new Date(one.startedAt).toISOString(), ...columns.map((column) => one[column] ?? '')].join(','),
  );
  return new Blob([`${['startedAt', ...columns].join(',')}\n${lines.join('\n')}\n`], { type: 'text/csv' });
}
