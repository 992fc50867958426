import { Group, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { LOGGED_STATES } from '#contract/choices.ts';
import { EVENT_TYPES } from '#contract/webhooks/event-types.ts';
import type { EventSearch } from '#contract/webhooks.ts';
import { useFilters } from '../../ui/parts/filters.ts';
import { useTexts } from '../../ui/texts.ts';
import { localMinute } from '../../ui/times.ts';

const STATES = ['failed', ...LOGGED_STATES] as const satisfies EventSearch['state'][];

/** The filters in the URL; invalid ones are ignored. */
export function readFilter(query: URLSearchParams): Omit<EventSearch, 'before'> {
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
export function EventFilters() {
  const t = useTexts();
  const [query, choose] = useFilters();
  const filter = readFilter(query);
  const states = STATES.map((value) => ({ value, label: t(`console.eventState.${value}`) }));
  const selects = [
    ['type', t('console.events.allTypes'), EVENT_TYPES],
    ['state', t('console.events.allStates'), states],
  ] as const;
  return (
    <Group gap="xs">
      {selects.map(([name, all, data]) => (
        <Select
          key={name}
          aria-label={t(`console.events.${name}`)}
          placeholder={all}
          data={data}
          value={filter[name] ?? null}
          onChange={(chosen) => choose(name, chosen)}
          clearable
          w={{ base: '100%', xs: 200 }}
        />
      ))}
      <TextInput
        aria-label={t('console.events.find')}
        placeholder={t('console.events.find')}
        leftSection={<IconSearch size={16} />}
        value={query.get('find') ?? ''}
        onChange={({ currentTarget }) => choose('find', currentTarget.value.trim())}
        w={{ base: '100%', xs: 240 }}
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
