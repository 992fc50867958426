import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useAccount } from '../../ui/session/session.ts';
import { commandsQuery, type OpenConversation } from '../conversations/queries.ts';
import { membersQuery } from '../groups/queries.ts';
import { type Query, queryAt, type Suggestion, suggestCommands, suggestMembers } from './suggest.ts';

/** In larger groups, only this many pages of members are searched for a name. */
const MOST_PAGES = 10;

export interface Suggestions {
  query: Query | undefined;
  list: Suggestion[];
  /** The index that the keyboard has selected. */
  active: number;
  move: (by: number) => void;
  /** Hides the suggestions for this word. */
  dismiss: () => void;
}

/** Suggestions for the word at the cursor: a bot's commands, or members of the group. */
export function useSuggestions(
  { conversationId, kind, isNew = false }: OpenConversation,
  text: string,
  caret: number,
): Suggestions {
  const { accountId } = useAccount();
  const [dismissed, setDismissed] = useState<string>();
  const [active, setActive] = useState(0);
  const found = useMemo(() => queryAt(text, caret), [text, caret]);
  const query = found && `${found.kind} ${found.start}` !== dismissed ? found : undefined;
  const isMention = query?.kind === 'mention' && kind === 'group';
  const commands = useQuery({
    ...commandsQuery(conversationId),
    enabled: query?.kind === 'command' && !isNew,
  });
  const members = useInfiniteQuery({ ...membersQuery(conversationId), enabled: isMention });
  const list = useMemo(() => {
    if (query?.kind === 'command') return suggestCommands(commands.data ?? [], query.typed);
    if (!isMention || !query) return [];
    const all = members.data?.pages.flatMap((page) => page.members) ?? [];
    return suggestMembers(all, query.typed, accountId);
  }, [query, isMention, commands.data, members.data, accountId]);

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = members;
  const pages = members.data?.pages.length ?? 0;
  const isShort = isMention && list.length === 0 && hasNextPage && pages < MOST_PAGES;
  useEffect(() => {
    if (isShort && !isFetchingNextPage) void fetchNextPage();
  }, [isShort, isFetchingNextPage, fetchNextPage]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each word has its own list.
  useEffect(() => setActive(0), [query?.typed, query?.kind]);
  useEffect(() => {
    if (!found) setDismissed(undefined);
  }, [found]);
  return {
    query,
    list,
    active: Math.min(active, Math.max(list.length - 1, 0)),
    move: (by) => setActive((now) => (now + by + list.length) % list.length),
    dismiss: () => query && setDismissed(`${query.kind} ${query.start}`),
  };
}
