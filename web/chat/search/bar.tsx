import { ActionIcon, Anchor, Popover, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { Conversation } from '#contract/chat.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Fault } from '../../ui/parts/faults.tsx';
import { useTexts } from '../../ui/texts.ts';
import { excerptOf } from '../conversations/excerpt.ts';
import { avatarOf, personName } from '../conversations/names.ts';
import { SearchFilters } from './filters.tsx';
import { useFound } from './found.tsx';
import { FILTERS, isEmpty, type SearchFilter } from './queries.ts';
import classes from './search.module.css';

const PAUSE_MS = 300;
/** Matches that are looked for beyond the shown one. */
const AHEAD = 20;

/** Searches within the open thread, from its newest match to older ones. */
export default function SearchBar({
  conversation,
  jumpTo,
  onClose,
}: {
  conversation: Conversation;
  jumpTo: (msgId: string) => void;
  onClose: () => void;
}) {
  const t = useTexts();
  const { conversationId } = conversation;
  const [words, setWords] = useState('');
  const [wanted] = useDebouncedValue(words, PAUSE_MS);
  const [filters, setFilters] = useState<SearchFilter>({});
  const filter: SearchFilter = { ...filters, words: wanted, conversationId };
  const key = JSON.stringify(filter);
  const [shown, setShown] = useState({ key, index: 0 });
  const index = shown.key === key ? shown.index : 0;
  const { query, messages, people, count, isSearching } = useFound(filter, index + AHEAD);
  const match = messages[index];
  const msgId = match?.msgId;
  useEffect(() => {
    if (msgId !== undefined) jumpTo(msgId);
  }, [msgId, jumpTo]);
  const go = (step: 1 | -1) => {
    if (messages[index + step]) setShown({ key, index: index + step });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isOlder = event.key === 'ArrowUp' || (event.key === 'Enter' && !event.shiftKey);
    if (event.key === 'Escape') onClose();
    else if (isOlder) go(1);
    else if (event.key === 'ArrowDown' || event.key === 'Enter') go(-1);
    else return;
    event.preventDefault();
  };
  return (
    <search className={classes.bar}>
      <h1 className="visually-hidden">{t('chat.search.titleIn', { name: avatarOf(conversation).name })}</h1>
      <TextInput
        type="search"
        aria-label={t('chat.thread.search')}
        placeholder={t('chat.conversation.filter')}
        value={words}
        maxLength={200}
        autoFocus
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
        onKeyDown={onKeyDown}
        flex={1}
        miw="6rem"
      />
      <Dimmed role="status" className={classes.position ?? ''}>
        {isEmpty(filter)
          ? ''
          : count > 0
            ? t('chat.search.position', { n: index + 1, count: query.hasNextPage ? `${count}+` : `${count}` })
            : isSearching
              ? '…'
              : t('chat.search.nothingTitle')}
        {match && (
          <span className="visually-hidden">
            {' '}
            {personName(people.get(match.from))}: {excerptOf(match, people.get(match.from))}
          </span>
        )}
      </Dimmed>
      {(
        [
          [t('chat.search.older'), 1, IconChevronUp],
          [t('chat.search.newer'), -1, IconChevronDown],
        ] as const
      ).map(([label, step, Icon]) => (
        <ActionIcon
          key={label}
          size="lg"
          aria-label={label}
          disabled={!messages[index + step]}
          onClick={() => go(step)}
        >
          <Icon size={20} />
        </ActionIcon>
      ))}
      <Popover position="bottom-end" width={320} trapFocus>
        <Popover.Target>
          <ActionIcon
            variant={FILTERS.some((name) => filters[name]) ? 'light' : 'subtle'}
            size="lg"
            aria-label={t('chat.search.filters')}
          >
            <IconAdjustmentsHorizontal size={20} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('chat.search.filters')}>
          <SearchFilters
            conversation={conversation}
            filter={filter}
            onChange={(name, value) => setFilters((before) => ({ ...before, [name]: value }))}
          />
          <Anchor
            component={Link}
            to={`/search?${new URLSearchParams({ words })}`}
            size="sm"
            mt="sm"
            display="block"
          >
            {t('chat.search.everywhere')}
          </Anchor>
        </Popover.Dropdown>
      </Popover>
      <ActionIcon size="lg" aria-label={t('chat.search.end')} onClick={onClose}>
        <IconX size={20} />
      </ActionIcon>
      {query.error && <Fault error={query.error} retry={() => query.refetch()} />}
    </search>
  );
}
