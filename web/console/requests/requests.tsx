import { Tabs } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ErrorGroups } from './error-groups.tsx';
import { RequestLog } from './request-log.tsx';
import { requestsTexts } from './texts.ts';

/** The application's API requests, one by one or grouped by error. */
export function Component() {
  const t = useTexts(requestsTexts);
  const [query, setQuery] = useSearchParams();
  return (
    <Screen title={t.title} lead={t.lead} size="lg">
      <Tabs
        value={query.get('view') ?? 'requests'}
        onChange={(view) => setQuery(view === 'errors' ? { view } : {})}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="requests">{t.requests}</Tabs.Tab>
          <Tabs.Tab value="errors">{t.errors}</Tabs.Tab>
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
