import type { SearchMessages } from '#contract/chat/search.ts';
import { chatPages } from '../../ui/parts/query.ts';
import { startOfDay } from './day.ts';

/** The filters besides the words. */
export const FILTERS = ['from', 'kind', 'since', 'until'] as const;
export type Filter = (typeof FILTERS)[number];

/** The search in the URL. Days are in the person's own time zone. */
export type SearchFilter = Partial<Record<'words' | 'conversationId' | Filter, string>>;

export function isEmpty({ words = '', from, kind }: SearchFilter): boolean {
  return words.trim() === '' && !from && !kind;
}

/** Searches the messages one section after another; see `GET /api/chat/search`. */
export function searchQuery(filter: SearchFilter) {
  const { words, conversationId, from, kind, since, until } = filter;
  const query = {
    words: words?.trim(),
    conversationId,
    from,
    kind: kind as SearchMessages['kind'],
    since: since ? startOfDay(since) : undefined,
    until: until ? startOfDay(until, 1) : undefined,
  };
  // A repeated search must show new messages.
  return { ...chatPages(['search', filter], 'GET /search', { query }), enabled: !isEmpty(filter), gcTime: 0 };
}
