import { Group, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import type { EventSearch, EventType, LoggedState } from '#contract/webhooks.ts';
import { useTexts } from '../../ui/texts.ts';
import { localMinute } from '../../ui/times.ts';
import { eventsTexts, stateTexts } from './texts.ts';

const TYPES: EventType[] = ['message.received', 'group_message.received', 'ping'];

/** The filters in the URL; invalid ones are ignored. */
export function readFilter(query: URLSearchParams): Omit<EventSearch, 'before'> {
  const [state, type, since] = [query.get('state'), query.get('type'), query.get('since')];
  const find = query.get('find') ?? '';
  return {
    ...(state !== null && state in stateTexts.en && { state: state as LoggedState }),
    ...(TYPES.includes(type as EventType) && { type: type as EventType }),
    ...(/^[A-Za-z0-9_-]{1,128}$/.test(find) && { find }),
    ...(since !== null && /^[0-9]{1,15}$/.test(since) && { since }),
  };
}

/** The filters of the event log; they are in the URL, so that a link shows the same. */
export function EventFilters() {
  const t = useTexts(eventsTexts);
  const states = useTexts(stateTexts);
  const [query, setQuery] = useSearchParams();
  const filter = readFilter(query);
  const choose = (name: string, value: string | null) =>
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
        value={filter.type ?? null}
        onChange={(type) => choose('type', type)}
        clearable
        w={{ base: '100%', xs: 200 }}
      />
      <Select
        aria-label={t.state}
        placeholder={t.allStates}
        data={Object.entries(states).map(([value, label]) => ({ value, label }))}
        value={filter.state ?? null}
        onChange={(state) => choose('state', state)}
        clearable
        w={{ base: '100%', xs: 150 }}
      />
      <TextInput
        aria-label={t.find}
        placeholder={t.find}
        leftSection={<IconSearch size={16} />}
        value={query.get('find') ?? ''}
        onChange={({ currentTarget }) => choose('find', currentTarget.value.trim())}
        w={{ base: '100%', xs: 290 }}
      />
      <TextInput
        type="datetime-local"
        aria-label={t.since}
        leftSection={t.since}
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
