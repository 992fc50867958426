import { Anchor, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Conversation } from '#contract/chat.ts';
import { SEARCHED_KINDS } from '#contract/choices.ts';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { kindOf } from '../conversations/excerpt.ts';
import { avatarOf, nameOf } from '../conversations/names.ts';
import { conversationQuery, conversationsQuery } from '../conversations/queries.ts';
import { membersQuery } from '../groups/queries.ts';
import { Page } from '../parts/page.tsx';
import { Found } from './found.tsx';
import type { SearchFilter } from './queries.ts';

/** In larger groups, only this many pages of members are offered. */
const MOST_PAGES = 10;

/** The possible senders to filter by: those of one conversation, or of all in the list. */
function useSenders(
  conversation: Conversation | undefined,
  isEverywhere: boolean,
): { userId: string; name: string }[] {
  const { accountId } = useAccount();
  const { peer, group } = conversation ?? {};
  // Subscribers of a broadcast list do not write, and are not shown each other.
  const members = useInfiniteQuery({
    ...membersQuery(group?.groupId ?? ''),
    enabled: group?.isBroadcast === false,
  });
  const { data: list } = useQuery({ ...conversationsQuery, enabled: isEverywhere });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = members;
  const pages = members.data?.pages ?? [];
  const isMore = hasNextPage && !isFetchingNextPage && pages.length < MOST_PAGES;
  useEffect(() => {
    if (isMore) void fetchNextPage();
  }, [isMore, fetchNextPage]);
  const people = isEverywhere
    ? (list?.conversations ?? []).flatMap((one) => one.peer ?? [])
    : peer
      ? [peer]
      : pages.flatMap((page) => page.members);
  return people
    .filter(({ userId, isDeleted }) => userId !== accountId && !isDeleted)
    .map((person) => ({ userId: person.userId, name: nameOf(person) }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** The search waits for a pause in typing. */
const PAUSE_MS = 300;

/** Searches messages in all conversations, or in the one in the URL. */
export function Component() {
  const t = useTexts();
  const { accountId } = useAccount();
  const [search, setSearch] = useSearchParams();
  const of = (name: string) => search.get(name) ?? '';
  const conversationId = of('in');
  const { data: conversation } = useQuery({
    ...conversationQuery(conversationId),
    enabled: conversationId !== '',
  });
  const [words, setWords] = useState(of('words'));
  // The router does not queue changes: a second one before the first is rendered would undo it.
  const latest = useRef(search);
  useEffect(() => {
    latest.current = search;
  }, [search]);
  const set = (name: string, value: string) => {
    const after = new URLSearchParams(latest.current);
    if (value) after.set(name, value);
    else after.delete(name);
    latest.current = after;
    setSearch(after, { replace: true });
  };
  const searchFor = useDebouncedCallback((text: string) => set('words', text), PAUSE_MS);
  const filter: SearchFilter = {
    words: of('words'),
    conversationId,
    from: of('from'),
    kind: of('kind'),
    since: of('since'),
    until: of('until'),
  };
  const senders = useSenders(conversation, conversationId === '');
  const name = conversation && avatarOf(conversation).name;
  return (
    <Page
      title={name ? t('chat.search.titleIn', { name }) : t('chat.search.title')}
      back={conversationId ? `/c/${conversationId}` : '/'}
    >
      <search>
        <TextInput
          type="search"
          label={t('chat.search.words')}
          leftSection={<IconSearch size={16} />}
          value={words}
          maxLength={200}
          data-autofocus
          autoFocus
          onChange={({ currentTarget: { value } }) => {
            setWords(value);
            searchFor(value);
          }}
        />
        <SimpleGrid mt="sm" spacing="sm" cols={{ base: 2, sm: 4 }}>
          <NativeSelect
            label={t('chat.search.from')}
            value={filter.from}
            onChange={({ currentTarget }) => set('from', currentTarget.value)}
            data={[
              { value: '', label: t('chat.search.anyone') },
              { value: accountId, label: t('chat.search.you') },
              ...senders.map(({ userId, name }) => ({ value: userId, label: name })),
            ]}
          />
          <NativeSelect
            label={t('chat.search.kind')}
            value={filter.kind}
            onChange={({ currentTarget }) => set('kind', currentTarget.value)}
            data={[
              { value: '', label: t('chat.search.anyKind') },
              ...SEARCHED_KINDS.map((kind) => ({
                value: kind,
                label:
                  kind === 'text' || kind === 'media' || kind === 'link'
                    ? t(`chat.search.${kind}`)
                    : kindOf(kind),
              })),
            ]}
          />
          <TextInput
            type="date"
            label={t('chat.search.since')}
            value={filter.since}
            onChange={({ currentTarget }) => set('since', currentTarget.value)}
          />
          <TextInput
            type="date"
            label={t('chat.search.until')}
            value={filter.until}
            onChange={({ currentTarget }) => set('until', currentTarget.value)}
          />
        </SimpleGrid>
        {conversationId && (
          <Anchor
            component={Link}
            to={`/search?${new URLSearchParams({ words })}`}
            size="sm"
            mt="xs"
            display="block"
          >
            {t('chat.search.everywhere')}
          </Anchor>
        )}
      </search>
      <Found key={JSON.stringify(filter)} filter={filter} />
    </Page>
  );
}
