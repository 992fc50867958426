import { infiniteQueryOptions } from '@tanstack/react-query';
import type { SearchMessages } from '#contract/chat/search.ts';
import { callChat } from '../../ui/api.ts';

const DAY = 24 * 60 * 60_000;

/** The search in the URL. Days are in the person's own time zone. */
export interface SearchFilter {
  words: string;
  conversationId: string;
  from: string;
  kind: string;
  since: string;
  until: string;
}

export function isEmpty({ words, from, kind }: SearchFilter): boolean {
  return words.trim() === '' && from === '' && kind === '';
}

/** Searches the messages one section after another; see `GET /api/chat/search`. */
export function searchQuery(filter: SearchFilter) {
  const { words, conversationId, from, kind, since, until } = filter;
  const query = {
    words: words.trim() || undefined,
    conversationId: conversationId || undefined,
    from: from || undefined,
    kind: (kind || undefined) as SearchMessages['kind'],
    since: since ? startOf(since) : undefined,
    until: until ? startOf(until) + DAY : undefined,
  };
  return infiniteQueryOptions({
    queryKey: ['search', filter],
    queryFn: ({ pageParam: before, signal }) =>
      callChat('GET /search', { query: { ...query, before }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore,
    enabled: !isEmpty(filter),
    // A repeated search must show new messages.
    gcTime: 0,
  });
}

function startOf(day: string): number {
  return new Date(`${day}T00:00`).getTime();
}
