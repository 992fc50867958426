import { Anchor, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { LOGGED_STATES } from '#contract/choices.ts';
import { EVENT_TYPES } from '#contract/webhooks/event-types.ts';
import type { EventSearch, LoggedEvent } from '#contract/webhooks.ts';
import { confirms } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { tell } from '../../ui/parts/faults.tsx';
import { useFilters } from '../../ui/parts/filters.ts';
import { Timestamp } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { NUMBER, WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { duration, fullTime, localMinute } from '../../ui/times.ts';
import { DeliveryBadge } from '../application/badges.tsx';
import { DeveloperOnly, useApplication } from '../application/layout.tsx';
import { useChange, useOwnPages } from '../application/queries.ts';
import { LiveSwitch, useLiveLog } from '../live/live.tsx';

const TYPING_PAUSE_MS = 300;

/** The events with their states, in pages; the filters are in the URL. */
export function EventLog() {
  const t = useTexts();
  const { appId } = useApplication();
  const [query] = useSearchParams();
  const filter = readFilter(query);
  const [find] = useDebouncedValue(filter.find, TYPING_PAUSE_MS);
  const [isHeld, hold] = useState(false);
  const { find: _, ...others } = filter;
  const events = useOwnPages('GET /applications/:appId/events/search', {
    query: { ...others, ...(find !== undefined && { find }) },
  });
  const live = useLiveLog('event', appId, { isHeld, pages: events.data?.pages.length });
  return (
    <Section
      title={t('console.events.log')}
      lead={t('console.events.logLead')}
      action={
        <Group>
          <LiveSwitch state={live} isHeld={isHeld} onHold={hold} />
          <DeveloperOnly>
            <Recover since={filter.since} />
          </DeveloperOnly>
        </Group>
      }
    >
      <EventFilters />
      <Pages
        query={events}
        items={(page) => page.events}
        empty={
          Object.keys(filter).length > 0 ? (
            <Text c="dimmed">
              {events.hasNextPage ? t('console.events.noMatchYet') : t('console.events.noMatch')}
            </Text>
          ) : (
            <Empty icon={<IconWebhook />} title={t('console.events.noEvents')}>
              {t('console.events.noEventsText')}
            </Empty>
          )
        }
      >
        {(list) => (
          <WideTable
            label={t('console.events.log')}
            minWidth={640}
            verticalSpacing="xs"
            isLinked
            items={list}
            keyOf={({ eventId }) => eventId}
            entry={(event) => <Entry event={event} />}
            columns={[
              [
                t('console.events.time'),
                ({ eventId, createdAt }) => (
                  <Anchor component={Link} to={eventId} size="sm">
                    <Timestamp at={createdAt} />
                  </Anchor>
                ),
              ],
              [t('console.events.type'), ({ type }) => type],
              [t('console.events.state'), ({ state }) => <DeliveryBadge state={state} />],
              [t('console.events.attempts'), ({ attempts }) => attempts],
              [t('console.events.result'), (event) => <Result event={event} />],
              [
                t('console.events.latency'),
                ({ latencyMs }) => latencyMs !== undefined && duration(latencyMs),
                NUMBER,
              ],
            ]}
          />
        )}
      </Pages>
    </Section>
  );
}

function Entry({ event }: { event: LoggedEvent }) {
  const { eventId, createdAt, type, state, latencyMs } = event;
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap={4}>
        <Anchor component={Link} to={eventId} size="sm">
          {type}
        </Anchor>
        <Dimmed>
          <Timestamp at={createdAt} />
        </Dimmed>
      </Group>
      <Group justify="space-between">
        <DeliveryBadge state={state} />
        {latencyMs !== undefined && <Text size="sm">{duration(latencyMs)}</Text>}
      </Group>
      <Text size="sm" component="div">
        <Result event={event} />
      </Text>
    </Stack>
  );
}

/** The outcome of the latest attempt, and its URL. */
function Result({ event: { status, errorClass, host } }: { event: LoggedEvent }) {
  const t = useTexts();
  return (
    <>
      {status === undefined ? errorClass : t('console.events.answered', { status })}
      {host && <Dimmed size="xs">{host}</Dimmed>}
    </>
  );
}

/** Redelivers failed events: all in the log, or those since the filtered time. */
function Recover({ since }: { since: string | undefined }) {
  const t = useTexts();
  const recover = useChange('POST /applications/:appId/events/recover', {
    onSuccess: ({ recovered, hasMore }) =>
      tell(
        hasMore
          ? t('console.events.recoveredSome', { count: recovered })
          : t('console.events.recovered', { count: recovered }),
      ),
  });
  return (
    <ConfirmButton
      color="parley"
      label={t('console.events.recover')}
      title={t('console.events.recoverTitle')}
      text={
        since === undefined
          ? t('console.events.recoverText')
          : t('console.events.recoverSinceText', { time: fullTime(Number(since)) })
      }
      {...confirms(recover, { body: { since: Number(since ?? 0) } })}
    />
  );
}

const STATES = ['failed', ...LOGGED_STATES] as const satisfies EventSearch['state'][];

/** The filters in the URL; invalid ones are ignored. */
function readFilter(query: URLSearchParams): Omit<EventSearch, 'before'> {
  const [state, type, since] = [query.get('state'), query.get('type'), query.get('since')];
  const find = query.get('find') ?? '';
  const knownState = STATES.find((one) => one === state);
  const known = EVENT_TYPES.find((one) => one === type);
  return {
    ...(knownState && { state: knownState }),
    ...(known && { type: known }),
    ...(/^[A-Za-z0-9_-]{1,128}$/.test(find) && { find }),
    ...(since !== null && /^[0-9]{1,15}$/.test(since) && { since }),
  };
}

/** The filters of the event log; they are in the URL, so that a link shows the same. */
function EventFilters() {
  const t = useTexts();
  const [query, choose] = useFilters();
  const filter = readFilter(query);
  const states = STATES.map((value) => ({ value, label: t(`console.eventState.${value}`) }));
  const selects = [
    ['type', t('console.events.allTypes'), EVENT_TYPES, 200],
    ['state', t('console.events.allStates'), states, 150],
  ] as const;
  return (
    <Group gap="xs">
      {selects.map(([name, all, data, width]) => (
        <Select
          key={name}
          aria-label={t(`console.events.${name}`)}
          placeholder={all}
          data={data}
          value={filter[name] ?? null}
          onChange={(chosen) => choose(name, chosen)}
          clearable
          w={{ base: '100%', xs: width }}
        />
      ))}
      <TextInput
        aria-label={t('console.events.find')}
        placeholder={t('console.events.find')}
        leftSection={<IconSearch size={16} />}
        value={query.get('find') ?? ''}
        onChange={({ currentTarget }) => choose('find', currentTarget.value.trim())}
        flex="1 1 15rem"
      />
      <TextInput
        type="datetime-local"
        aria-label={t('console.events.since')}
        leftSection={t('console.events.since')}
        leftSectionWidth={56}
        value={filter.since === undefined ? '' : localMinute(Number(filter.since))}
        onChange={({ currentTarget: { value } }) =>
          choose('since', value && String(new Date(value).getTime()))
        }
        w={{ base: '100%', xs: 260 }}
      />
    </Group>
  );
}
