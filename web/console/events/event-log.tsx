import { Anchor, Group, Table, Text } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { LoggedEvent } from '#contract/webhooks.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { duration } from '../../ui/times.ts';
import { useApplication } from '../application/layout.tsx';
import { LiveSwitch } from '../live/live-switch.tsx';
import { useLiveLogs } from '../live/use-live-logs.ts';
import { EventFilters, readFilter } from './event-filters.tsx';
import { eventsQuery } from './queries.ts';
import { Recover } from './recover.tsx';
import { State } from './state.tsx';
import { eventsTexts } from './texts.ts';

/** The last 100 events with their states; the filters are in the URL. */
export function EventLog() {
  const t = useTexts(eventsTexts);
  const { appId } = useApplication();
  const [query] = useSearchParams();
  const filter = readFilter(query);
  const [isHeld, hold] = useState(false);
  const live = useLiveLogs(appId, isHeld);
  const events = useQuery({ ...eventsQuery(appId, filter), placeholderData: keepPreviousData });
  const id = query.get('id') ?? '';
  const isFiltered = Object.keys(filter).length > 0 || id !== '';
  return (
    <Section title={t.log} lead={t.logLead} action={<Recover since={filter.since} />}>
      <Group justify="space-between">
        <EventFilters />
        <LiveSwitch state={live} isHeld={isHeld} onHold={hold} />
      </Group>
      <QueryView query={events}>
        {(all) => {
          const list = all.filter(({ eventId, msgId }) => eventId.includes(id) || msgId?.includes(id));
          return list.length > 0 ? (
            <WideTable label={t.log} minWidth={640} verticalSpacing="xs" highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t.time}</Table.Th>
                  <Table.Th>{t.type}</Table.Th>
                  <Table.Th>{t.state}</Table.Th>
                  <Table.Th>{t.attempts}</Table.Th>
                  <Table.Th>{t.result}</Table.Th>
                  <Table.Th ta="right">{t.latency}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list.map((event) => (
                  <Row key={event.eventId} event={event} />
                ))}
              </Table.Tbody>
            </WideTable>
          ) : isFiltered ? (
            <Text c="dimmed">{t.noMatch}</Text>
          ) : (
            <Empty icon={<IconWebhook />} title={t.noEvents}>
              {t.noEventsText}
            </Empty>
          );
        }}
      </QueryView>
    </Section>
  );
}

function Row({ event }: { event: LoggedEvent }) {
  const t = useTexts(eventsTexts);
  const { eventId, createdAt, type, state, attempts, status, errorClass, latencyMs } = event;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={eventId} size="sm">
          <Moment at={createdAt} />
        </Anchor>
      </Table.Td>
      <Table.Td>{type}</Table.Td>
      <Table.Td>
        <State state={state} />
      </Table.Td>
      <Table.Td>{attempts}</Table.Td>
      <Table.Td>{status === undefined ? errorClass : t.answered(status)}</Table.Td>
      <Table.Td ta="right">{latencyMs !== undefined && duration(latencyMs)}</Table.Td>
    </Table.Tr>
  );
}
