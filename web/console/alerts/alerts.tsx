import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Alert } from '#contract/webhooks/alerts.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Timestamp } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { DeveloperOnly, useApplication } from '../application/layout.tsx';
import { consoleQuery } from '../application/queries.ts';
import { Contacts, contactsQuery } from './contacts.tsx';

/** Contacts for alerts about abandoned events, and past alerts. */
export function Component() {
  const t = useTexts();
  return (
    <Screen title={t('console.alerts.title')} lead={t('console.alerts.lead')}>
      <DeveloperOnly>
        <Contacts />
      </DeveloperOnly>
      <PastAlerts />
    </Screen>
  );
}

function PastAlerts() {
  const t = useTexts();
  const { appId } = useApplication();
  const alerts = useQuery(consoleQuery('GET /applications/:appId/alerts', { params: { appId } }));
  return (
    <Section title={t('console.alerts.past')}>
      <QueryView query={alerts} empty={<Text c="dimmed">{t('console.alerts.noPast')}</Text>}>
        {(list) => (
          <Stack gap="md">
            {list.map((alert) => (
              <PastAlert key={alert.alertId} alert={alert} />
            ))}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

function PastAlert({ alert: { createdAt, events, eventCounts, notices } }: { alert: Alert }) {
  const t = useTexts();
  const inOwnWords = useServerWords();
  const { appId } = useApplication();
  const contacts = useQuery(contactsQuery(appId)).data ?? [];
  return (
    <div>
      <Group gap="xs">
        <Text fw={600}>{t('console.alerts.eventsLost', { count: events })}</Text>
        <Dimmed>
          <Timestamp at={createdAt} /> ·{' '}
          {Object.entries(eventCounts)
            .map(([type, count]) => `${type} × ${count}`)
            .join(', ')}
        </Dimmed>
      </Group>
      {notices.map(({ contactId, state, fault }) => (
        <Text key={contactId} size="sm" c={state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}>
          {contacts.find((contact) => contact.contactId === contactId)?.target ?? contactId}:{' '}
          {t(`console.notice.${state}`)}
          {fault && ` – ${inOwnWords(fault)}`}
        </Text>
      ))}
    </div>
  );
}
