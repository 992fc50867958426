import { Accordion, Badge, Group, Text } from '@mantine/core';
import { IconAppWindow } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { ConnectedApplication } from '#contract/oauth.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { Happened, Moment } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Avatar } from '../media/avatar.tsx';
import { Page } from '../parts/page.tsx';
import { Connection } from './connection.tsx';
import { connectionsQuery } from './queries.ts';

/** The applications that the person gave access to. The open one is in the URL. */
export function Component() {
  const t = useTexts();
  const connections = useInfiniteQuery(connectionsQuery);
  const [search, setSearch] = useSearchParams();
  return (
    <Page title={t('chat.settings.applications')} lead={t('chat.application.lead')} back="/settings">
      <Pages
        query={connections}
        items={(page) => page.applications}
        empty={
          <Empty icon={<IconAppWindow />} title={t('chat.application.none')}>
            {t('chat.application.noneText')}
          </Empty>
        }
      >
        {(list) => (
          <Accordion
            value={search.get('app')}
            onChange={(appId) => setSearch(appId ? { app: appId } : {}, { replace: true })}
            variant="separated"
          >
            {list.map((application) => (
              <Accordion.Item key={application.appId} value={application.appId}>
                <Accordion.Control>
                  <Heading application={application} />
                </Accordion.Control>
                <Accordion.Panel>
                  {search.get('app') === application.appId && <Connection application={application} />}
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )}
      </Pages>
    </Page>
  );
}

function Heading({
  application: { appId, name, isDeleted, isConnected, firstGrantedAt, lastUsedAt, clientUrl },
}: {
  application: ConnectedApplication;
}) {
  const t = useTexts();
  const shownName = isDeleted ? t('chat.application.deletedApplication') : name;
  return (
    <Group wrap="nowrap" gap="sm">
      <Avatar name={shownName} seed={appId} />
      <div style={{ minWidth: 0, flex: 1 }}>
        <Text fw={600} truncate>
          {shownName}
        </Text>
        {clientUrl !== undefined && (
          <Text size="xs">{t('chat.application.notRegistered', { host: new URL(clientUrl).host })}</Text>
        )}
        <Dimmed size="xs">
          {t('chat.application.since')} <Moment at={firstGrantedAt} />
          {' · '}
          <Happened
            words={t('chat.application.lastUsed')}
            at={lastUsedAt}
            never={t('chat.application.neverUsed')}
          />
        </Dimmed>
      </div>
      {!isConnected && <Badge color="gray">{t('chat.application.ended')}</Badge>}
    </Group>
  );
}
