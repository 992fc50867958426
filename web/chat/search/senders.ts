import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { useAccount } from '../../ui/session/session.ts';
import { nameOf } from '../conversations/names.ts';
import { conversationsQuery } from '../conversations/queries.ts';
import { membersQuery } from '../groups/queries.ts';

/** In larger groups, only this many pages of members are offered. */
const MOST_PAGES = 10;

/** The possible senders to filter by: those of one conversation, or of all in the list. */
export function useSenders(
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
