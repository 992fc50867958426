import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { Peer } from '#contract/chat.ts';
import { api, withQuery } from '../../ui/api.ts';

/** How many may be asked for at once. */
const MOST_ASKED = 100;

export type People = Record<string, Peer>;

/** Who wrote, is quoted or is mentioned in a conversation, as far as it was read; filled by whoever reads. */
function peopleOf(conversationId: string) {
  return queryOptions({
    queryKey: ['people', conversationId],
    queryFn: (): People => ({}),
    initialData: {} as People,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

export function usePeople(conversationId: string): People {
  return useQuery(peopleOf(conversationId)).data;
}

export function notePeople(client: QueryClient, conversationId: string, people: readonly Peer[]): void {
  if (people.length === 0) return;
  client.setQueryData(peopleOf(conversationId).queryKey, (known) => ({
    ...known,
    ...Object.fromEntries(people.map((person) => [person.userId, person])),
  }));
}

/** Asks for those of whom nothing is known yet. */
export async function learnPeople(
  client: QueryClient,
  conversationId: string,
  userIds: Iterable<string>,
): Promise<void> {
  const known = client.getQueryData(peopleOf(conversationId).queryKey) ?? {};
  const asked = [...new Set(userIds)].filter((userId) => !(userId in known)).slice(0, MOST_ASKED);
  if (asked.length === 0) return;
  const path = withQuery(`/api/chat/conversations/${conversationId}/people`, { userIds: asked.join() });
  notePeople(client, conversationId, await api.get<Peer[]>(path));
}
