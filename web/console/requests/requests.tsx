import { Anchor, Group, SegmentedControl, Select, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconListDetails, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { LoggedRequest, RequestFilter } from '#contract/applications/monitoring.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { useFilters } from '../../ui/parts/filters.ts';
import { Timestamp } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { QueryRows } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { NUMBER, WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { duration } from '../../ui/times.ts';
import { StatusBadge } from '../application/badges.tsx';
import { useApplication } from '../application/layout.tsx';
import { usageQuery, useOwnPages, useOwnQuery } from '../application/queries.ts';
import { LiveSwitch, useLiveLog } from '../live/live.tsx';

/** The application's API requests, one by one or grouped by error. */
export function Component() {
  const t = useTexts();
  const [query, setQuery] = useSearchParams();
  return (
    <Screen title={t('console.application.requests')} lead={t('console.requests.lead')} size="lg">
      <Tabs
        value={query.get('view') ?? 'requests'}
        onChange={(view) => setQuery(view === 'errors' ? { view } : {})}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="requests">{t('console.requests.requests')}</Tabs.Tab>
          <Tabs.Tab value="errors">{t('console.requests.errors')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="requests">
          <RequestLog />
        </Tabs.Panel>
        <Tabs.Panel value="errors">
          <ErrorGroups />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}

/** Errors grouped by kind, with their counts and times; a click shows the latest of each. */
function ErrorGroups() {
  const t = useTexts();
  return (
    <QueryRows
      query={useOwnQuery('GET /applications/:appId/requests/errors')}
      empty={<Text c="dimmed">{t('console.requests.noErrors')}</Text>}
    >
      {(group) => (
        <div key={`${group.method} ${group.route} ${group.code} ${group.message}`}>
          <Group gap="xs" style={{ rowGap: 0 }}>
            <StatusBadge status={group.status} />
            <Text size="sm" ff="monospace">
              {group.method} {group.route}
            </Text>
            <Dimmed>
              {t('console.requests.times', { count: group.count })} · {t('console.requests.last')}{' '}
              <Timestamp at={group.lastAt} />
            </Dimmed>
          </Group>
          <Text size="sm">
            {group.code}: {group.message}
          </Text>
          <Anchor component={Link} to={`?requestId=${group.lastRequestId}`} size="xs" ff="monospace">
            {group.lastRequestId}
          </Anchor>
        </div>
      )}
    </QueryRows>
  );
}

type StatusFilter = NonNullable<RequestFilter['status']>;

const ID_PAUSE_MS = 300;
const TOP = { valign: 'top' } as const;

/** The log, newest first; the filters are in the URL, so that a link shows the same. */
function RequestLog() {
  const t = useTexts();
  const { appId } = useApplication();
  const [query, choose] = useFilters();
  const [requestId] = useDebouncedValue(query.get('requestId') ?? '', ID_PAUSE_MS);
  const [isHeld, hold] = useState(false);
  const status = query.get('status') ?? '';
  const [route, code] = [query.get('route'), query.get('code')];
  const pages = useOwnPages('GET /applications/:appId/requests', {
    query: {
      ...(status && { status: status as StatusFilter }),
      ...(requestId && { requestId }),
      ...(route && { route }),
      ...(code && { code }),
    },
  });
  const live = useLiveLog('request', appId, { isHeld, pages: pages.data?.pages.length });
  return (
    <Stack>
      <Group>
        <SegmentedControl
          aria-label={t('console.requests.status')}
          value={status}
          onChange={(value) => choose('status', value)}
          data={[
            { value: '', label: t('console.requests.all') },
            { value: '2xx', label: '2xx' },
            { value: '4xx', label: '4xx' },
            { value: '5xx', label: '5xx' },
          ]}
        />
        <RouteFilter value={route} onChange={(chosen) => choose('route', chosen)} />
        <TextInput
          aria-label={t('console.requests.find')}
          placeholder={t('console.requests.find')}
          leftSection={<IconSearch size={16} />}
          value={query.get('requestId') ?? ''}
          onChange={({ currentTarget }) => choose('requestId', currentTarget.value.trim())}
          flex="1 1 12rem"
          maw={340}
        />
        <LiveSwitch state={live} isHeld={isHeld} onHold={hold} />
      </Group>
      <Pages
        query={pages}
        items={({ requests }) => requests}
        empty={
          query.size > 0 ? (
            <Text c="dimmed">{t('console.requests.noMatch')}</Text>
          ) : (
            <Empty icon={<IconListDetails />} title={t('console.requests.noRequests')}>
              {t('console.requests.noRequestsText')}
            </Empty>
          )
        }
      >
        {(requests) => (
          <WideTable
            label={t('console.requests.requests')}
            minWidth={680}
            verticalSpacing="xs"
            items={requests}
            keyOf={({ requestId }) => requestId}
            entry={(request) => <Entry request={request} />}
            columns={[
              [t('console.requests.time'), ({ at }) => <Timestamp at={at} />, TOP],
              [t('console.requests.status'), ({ status }) => <StatusBadge status={status} />, TOP],
              [t('console.requests.request'), (request) => <What request={request} />, TOP],
              [t('console.requests.caller'), ({ caller }) => t(`console.requests.${caller}`), TOP],
              [
                t('console.requests.duration'),
                ({ durationMs }) => duration(durationMs),
                { ...TOP, ...NUMBER },
              ],
            ]}
          />
        )}
      </Pages>
    </Stack>
  );
}

/** The endpoints called in the period that the log covers. */
function RouteFilter({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (route: string | null) => void;
}) {
  const t = useTexts();
  const { appId } = useApplication();
  const called = useQuery(usageQuery(appId, 'hour')).data?.routes.map(({ route }) => route) ?? [];
  const routes = [...new Set(value === null ? called : [...called, value])].sort();
  return (
    <Select
      aria-label={t('console.requests.endpoint')}
      placeholder={t('console.requests.allEndpoints')}
      data={routes}
      value={value}
      onChange={onChange}
      clearable
      w={240}
    />
  );
}

function Entry({ request }: { request: LoggedRequest }) {
  const t = useTexts();
  const { at, status, caller, durationMs } = request;
  return (
    <>
      <Group gap="xs" mb={4}>
        <StatusBadge status={status} />
        <Dimmed>
          <Timestamp at={at} /> · {t(`console.requests.${caller}`)} · {duration(durationMs)}
        </Dimmed>
      </Group>
      <What request={request} />
    </>
  );
}

function What({
  request: { requestId, method, route, code, message, unknownFields },
}: {
  request: LoggedRequest;
}) {
  const t = useTexts();
  return (
    <>
      <Text size="sm" ff="monospace">
        {method} {route}
      </Text>
      {message && (
        <Text size="xs">
          {code}: {message}
        </Text>
      )}
      {unknownFields && (
        <Text size="xs">
          {t('console.requests.unknownFields')}: {unknownFields.join(', ')}
        </Text>
      )}
      <Dimmed size="xs" ff="monospace">
        {requestId}
      </Dimmed>
    </>
  );
}
