import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Conversation } from '#contract/chat.ts';
import { SEARCHED_KINDS } from '#contract/choices.ts';
import { usePagesWhile } from '../../ui/parts/pages.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { kindOf } from '../conversations/excerpt.ts';
import { nameOf } from '../conversations/names.ts';
import { conversationsQuery } from '../conversations/queries.ts';
import { MOST_PAGES, membersQuery } from '../groups/queries.ts';
import type { Filter, SearchFilter } from './queries.ts';

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
  const pages = members.data?.pages ?? [];
  usePagesWhile(pages.length < MOST_PAGES, members);
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

/** Filters by sender, kind and date; without a conversation, of all. */
export function SearchFilters({
  conversation,
  filter,
  onChange,
}: {
  conversation: Conversation | undefined;
  filter: SearchFilter;
  onChange: (name: Filter, value: string) => void;
}) {
  const t = useTexts();
  const { accountId } = useAccount();
  const senders = useSenders(conversation, !filter.conversationId);
  return (
    <SimpleGrid mt="sm" spacing="sm" cols={{ base: 2, sm: filter.conversationId ? 2 : 4 }}>
      <NativeSelect
        label={t('chat.search.from')}
        value={filter.from ?? ''}
        onChange={({ currentTarget }) => onChange('from', currentTarget.value)}
        data={[
          { value: '', label: t('chat.search.anyone') },
          { value: accountId, label: t('chat.search.you') },
          ...senders.map(({ userId, name }) => ({ value: userId, label: name })),
        ]}
      />
      <NativeSelect
        label={t('chat.search.kind')}
        value={filter.kind ?? ''}
        onChange={({ currentTarget }) => onChange('kind', currentTarget.value)}
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
      {(['since', 'until'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          label={t(`chat.search.${name}`)}
          value={filter[name] ?? ''}
          onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
        />
      ))}
    </SimpleGrid>
  );
}
