import { Anchor, Group, Tabs, Text } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Timestamp } from '../../ui/parts/moment.tsx';
import { QueryRows } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { StatusBadge } from '../application/badges.tsx';
import { useOwnQuery } from '../application/queries.ts';
import { RequestLog } from './request-log.tsx';

/** The application's API requests, one by one or grouped by error. */
export function Component() {
  const t = useTexts();
  const [query, setQuery] = useSearchParams();
  return (
    <Screen title={t('console.requests.title')} lead={t('console.requests.lead')} size="lg">
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
