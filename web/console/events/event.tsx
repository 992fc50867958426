import { Anchor, Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link, useParams } from 'react-router';
import type { ShownEvent } from '#contract/webhooks.ts';
import { runs } from '../../ui/parts/change.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Timestamp } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { DeliveryBadge } from '../application/badges.tsx';
import { DeveloperOnly, useApplication } from '../application/layout.tsx';
import { useChange, useOwnQuery } from '../application/queries.ts';
import { useLiveLog } from '../live/live.tsx';
import { AttemptLog } from './attempt.tsx';

/** One event: each delivery attempt with what the receiver answered, and the payload. */
export function Component() {
  const t = useTexts();
  const { appId } = useApplication();
  const { eventId = '' } = useParams();
  useLiveLog('event', appId);
  const event = useOwnQuery('GET /applications/:appId/events/:eventId', { params: { eventId } });
  const replay = useChange('POST /applications/:appId/events/:eventId/replay', {
    done: t('console.events.replayed'),
  });
  return (
    <Stack>
      <Anchor component={Link} to={`/applications/${appId}/events`} size="sm">
        <Group gap={4}>
          <IconArrowLeft size={16} />
          {t('console.events.backToLog')}
        </Group>
      </Anchor>
      <Screen
        title={event.data?.type ?? t('console.events.eventTitle')}
        action={
          event.data &&
          event.data.type !== 'ping' && (
            <DeveloperOnly>
              <Button {...runs(replay, { params: { eventId } })}>{t('console.events.replay')}</Button>
            </DeveloperOnly>
          )
        }
      >
        <QueryView query={event}>{(found) => <Details event={found} />}</QueryView>
      </Screen>
    </Stack>
  );
}

function Details({ event }: { event: ShownEvent }) {
  const t = useTexts();
  const { eventId, msgId, createdAt, state, nextAttemptAt, attemptLog } = event;
  return (
    <>
      <Group>
        <DeliveryBadge state={state} />
        <Text size="sm">
          {t('console.events.happened')} <Timestamp at={createdAt} />
        </Text>
        {nextAttemptAt !== undefined && (
          <Text size="sm">
            {t('console.events.nextAttempt')}: <Timestamp at={nextAttemptAt} />
          </Text>
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <CopyField label={t('console.events.eventId')} value={eventId} />
        {msgId && <CopyField label={t('console.events.msgId')} value={msgId} />}
      </SimpleGrid>
      <Section title={t('console.events.attemptLog')}>
        {attemptLog.length === 0 && <Text c="dimmed">{t('console.events.noAttempts')}</Text>}
        <AttemptLog attempts={attemptLog} />
      </Section>
      <Payload eventId={eventId} />
    </>
  );
}

/** The payload; people's texts are masked, so that the owner cannot read their chats here. */
function Payload({ eventId }: { eventId: string }) {
  const t = useTexts();
  const payload = useOwnQuery('GET /applications/:appId/events/:eventId/payload', { params: { eventId } });
  return (
    <Section
      title={t('console.events.payload')}
      lead={payload.data?.isMasked && !payload.data.isUnreadable && t('console.events.masked')}
    >
      <QueryView query={payload}>
        {(found) =>
          found.isUnreadable ? (
            <Text fs="italic">{t('console.events.unreadable')}</Text>
          ) : (
            <Code block tabIndex={0}>
              {JSON.stringify(found.payload, null, 2)}
            </Code>
          )
        }
      </QueryView>
    </Section>
  );
}
