import { Group, Text } from '@mantine/core';
import type { Alert } from '#contract/webhooks/alerts.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Timestamp } from '../../ui/parts/moment.tsx';
import { QueryRows } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { DeveloperOnly } from '../application/layout.tsx';
import { useOwnQuery } from '../application/queries.ts';
import { Contacts, useContacts } from './contacts.tsx';

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
  return (
    <Section title={t('console.alerts.past')}>
      <QueryRows
        query={useOwnQuery('GET /applications/:appId/alerts')}
        empty={<Text c="dimmed">{t('console.alerts.noPast')}</Text>}
      >
        {(alert) => <PastAlert key={alert.alertId} alert={alert} />}
      </QueryRows>
    </Section>
  );
}

function PastAlert({ alert: { createdAt, events, eventCounts, notices } }: { alert: Alert }) {
  const t = useTexts();
  const inOwnWords = useServerWords();
  const contacts = useContacts().data ?? [];
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
