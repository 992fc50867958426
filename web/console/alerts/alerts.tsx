import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Group,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconBell, IconMail, IconMessage, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { AlertContact, ContactKind, Alert as RaisedAlert } from '#contract/webhooks/alerts.ts';
import { serverNow } from '../../ui/clock.ts';
import { runs } from '../../ui/parts/change.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { tell } from '../../ui/parts/faults.tsx';
import { FormLine, Submit } from '../../ui/parts/form.tsx';
import { Timestamp } from '../../ui/parts/moment.tsx';
import { QueryRows } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { DeveloperOnly } from '../application/layout.tsx';
import { useChange, useOwnQuery } from '../application/queries.ts';

/** Contacts for alerts about abandoned events, and past alerts. */
export function Component() {
  const t = useTexts();
  return (
    <Screen title={t('console.application.alerts')} lead={t('console.alerts.lead')}>
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

function PastAlert({ alert: { createdAt, events, eventCounts, notices } }: { alert: RaisedAlert }) {
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

const HOUR_MS = 3_600_000;
const MUTE_HOURS = [1, 8, 24];

const useContacts = () => useOwnQuery('GET /applications/:appId/alert-contacts');

function Contacts() {
  const t = useTexts();
  return (
    <Section title={t('console.alerts.contacts')}>
      <QueryRows
        query={useContacts()}
        gap="md"
        empty={
          <Empty icon={<IconBell />} title={t('console.alerts.noContacts')}>
            {t('console.alerts.noContactsText')}
          </Empty>
        }
      >
        {(contact) => <Contact key={contact.contactId} contact={contact} />}
      </QueryRows>
      <NewContact />
      <MuteAll />
    </Section>
  );
}

function Contact({ contact }: { contact: AlertContact }) {
  const t = useTexts();
  const { contactId, kind, isUnreadable, isConfirmed, isMuted } = contact;
  const target = isUnreadable ? t('console.alerts.unreadable') : contact.target;
  const inOwnWords = useServerWords();
  const params = { contactId };
  const remove = useChange('DELETE /applications/:appId/alert-contacts/:contactId', {
    done: t('console.alerts.removed'),
  });
  const test = useChange('POST /applications/:appId/alert-contacts/:contactId/test');
  const confirm = useChange('POST /applications/:appId/alert-contacts/:contactId/confirmation');
  const mute = useChange('PUT /applications/:appId/alert-contacts/:contactId/mute', {
    done: t('console.alerts.muted'),
  });
  const unmute = useChange('DELETE /applications/:appId/alert-contacts/:contactId/mute', {
    done: t('console.alerts.unmuted'),
  });
  const Icon = kind === 'email' ? IconMail : IconMessage;
  const send = isConfirmed ? test : confirm;
  const result = send.data;
  return (
    <Stack gap={4} role="group" aria-label={target}>
      <Group justify="space-between" gap="xs">
        <Group gap="sm" wrap="nowrap" miw={0} flex="1 1 14rem">
          <Icon
            size={18}
            role="img"
            aria-label={t(`console.contactKind.${kind}`)}
            style={{ flexShrink: 0 }}
          />
          <Text {...(isUnreadable && { fs: 'italic' })}>{target}</Text>
          {!isConfirmed && (
            <Badge color="yellow" style={{ flexShrink: 0 }}>
              {t('console.alerts.isUnconfirmed')}
            </Badge>
          )}
          {isMuted && <Badge color="gray">{t('console.alerts.isMuted')}</Badge>}
        </Group>
        <Group gap="xs">
          <Button size="compact-sm" variant="default" {...runs(send, { params })}>
            {isConfirmed ? t('console.alerts.test') : t('console.alerts.sendLink')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            loading={mute.isPending || unmute.isPending}
            onClick={() =>
              isMuted ? unmute.mutate({ params }) : mute.mutate({ params, body: { until: null } })
            }
          >
            {isMuted ? t('console.alerts.unmute') : t('console.alerts.mute')}
          </Button>
          <ActionIcon
            aria-label={t('console.alerts.removeContact', { target })}
            onClick={() => remove.mutate({ params })}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      </Group>
      {result && (
        <Alert color={result.isSent ? 'teal' : 'red'} p="xs">
          {inOwnWords(result)}
        </Alert>
      )}
    </Stack>
  );
}

/** Mutes alerts of the whole application for a while: they are still listed, but not mailed. */
function MuteAll() {
  const t = useTexts();
  const state = useOwnQuery('GET /applications/:appId/alerts/mute').data;
  const mute = useChange('PUT /applications/:appId/alerts/mute', { done: t('console.alerts.muted') });
  const unmute = useChange('DELETE /applications/:appId/alerts/mute', { done: t('console.alerts.unmuted') });
  if (!state) return null;
  return (
    <Group gap="xs">
      {state.isMuted ? (
        <>
          <Text size="sm">
            {state.mutedUntil === undefined
              ? t('console.alerts.allMuted')
              : t('console.alerts.allMutedUntil', { time: fullTime(state.mutedUntil) })}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => unmute.mutate({})}>
            {t('console.alerts.unmute')}
          </Button>
        </>
      ) : (
        <>
          <Text size="sm">{t('console.alerts.muteAll')}</Text>
          <Group gap="xs">
            {MUTE_HOURS.map((hours) => (
              <Button
                key={hours}
                size="compact-sm"
                variant="default"
                onClick={() => mute.mutate({ body: { until: serverNow() + hours * HOUR_MS } })}
              >
                {t('console.alerts.forHours', { hours })}
              </Button>
            ))}
          </Group>
        </>
      )}
    </Group>
  );
}

function NewContact() {
  const t = useTexts();
  const inOwnWords = useServerWords();
  const [kind, setKind] = useState<ContactKind>('email');
  const [target, setTarget] = useState('');
  const add = useChange('POST /applications/:appId/alert-contacts', {
    onSuccess: ({ confirmation }) => {
      setTarget('');
      tell(confirmation ? inOwnWords(confirmation) : t('console.alerts.added'));
    },
  });
  return (
    <FormLine onSubmit={() => add.mutate({ body: { kind, target } })}>
      <SegmentedControl
        aria-label={t('console.alerts.kind')}
        value={kind}
        onChange={(chosen) => setKind(chosen as ContactKind)}
        data={(['email', 'chat'] as const).map((value) => ({
          value,
          label: t(`console.contactKind.${value}`),
        }))}
      />
      <TextInput
        type={kind === 'email' ? 'email' : 'url'}
        label={kind === 'email' ? t('console.alerts.emailTarget') : t('console.alerts.chatTarget')}
        value={target}
        onChange={({ currentTarget }) => setTarget(currentTarget.value)}
        required
        flex="1 1 14rem"
        maw={420}
      />
      <Submit of={add} variant="default">
        {t('ui.common.add')}
      </Submit>
    </FormLine>
  );
}
