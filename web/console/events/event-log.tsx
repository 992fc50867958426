import { Anchor, Group, Select, Table, Text } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { DeliveryState, EventFilter, EventType, LoggedEvent, Recovery } from '#contract/webhooks.ts';
import { api } from '../../ui/api.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { tell } from '../../ui/parts/faults.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { duration } from '../../ui/times.ts';
import { useApplication } from '../application/layout.tsx';
import { useChange } from '../applications.ts';
import { eventsQuery } from './queries.ts';
import { State } from './state.tsx';
import { eventsTexts, stateTexts } from './texts.ts';

const TYPES: EventType[] = ['message.received', 'group_message.received', 'ping'];

/** What became of each of the last 100 events; the filters stand in the address. */
export function EventLog() {
  const t = useTexts(eventsTexts);
  const { appId } = useApplication();
  const [query] = useSearchParams();
  const filter: EventFilter = {
    ...(query.get('type') && { type: query.get('type') as EventType }),
    ...(query.get('state') && { state: query.get('state') as DeliveryState }),
  };
  const events = useQuery({ ...eventsQuery(appId, filter), placeholderData: keepPreviousData });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Section title={t.log} lead={t.logLead} action={<Recover />}>
      <Filters />
      <QueryView query={events}>
        {(list) =>
          list.length > 0 ? (
            <Table.ScrollContainer minWidth={640}>
              <Table verticalSpacing="xs" highlightOnHover>
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
              </Table>
            </Table.ScrollContainer>
          ) : isFiltered ? (
            <Text c="dimmed">{t.noMatch}</Text>
          ) : (
            <Empty icon={<IconWebhook />} title={t.noEvents}>
              {t.noEventsText}
            </Empty>
          )
        }
      </QueryView>
    </Section>
  );
}

function Filters() {
  const t = useTexts(eventsTexts);
  const states = useTexts(stateTexts);
  const [query, setQuery] = useSearchParams();
  const choose = (name: string) => (value: string | null) =>
    setQuery(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        return before;
      },
      { replace: true },
    );
  return (
    <Group gap="xs">
      <Select
        aria-label={t.type}
        placeholder={t.allTypes}
        data={TYPES}
        value={query.get('type')}
        onChange={choose('type')}
        clearable
        w={220}
      />
      <Select
        aria-label={t.state}
        placeholder={t.allStates}
        data={Object.entries(states).map(([value, label]) => ({ value, label }))}
        value={query.get('state')}
        onChange={choose('state')}
        clearable
        w={220}
      />
    </Group>
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

function Recover() {
  const t = useTexts(eventsTexts);
  const { appId } = useApplication();
  const recover = useChange(
    appId,
    () => api.post<Recovery>(`/api/console/applications/${appId}/events/recover`, { since: 0 }),
    { onSuccess: ({ recovered }) => tell(t.recovered(recovered)) },
  );
  return (
    <ConfirmButton
      variant="default"
      color="parley"
      label={t.recover}
      title={t.recoverTitle}
      loading={recover.isPending}
      onConfirm={() => recover.mutate(undefined)}
    >
      {t.recoverText}
    </ConfirmButton>
  );
}
