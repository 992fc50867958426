import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { ChatMessage, Peer } from '#contract/chat.ts';
import type { ChatEvent } from '#contract/live-events.ts';
import { callChat } from '../../ui/api.ts';
import { feed } from '../live/feed.ts';

/** The server's limit for one request. */
const MOST_ASKED = 100;

/** The people of a conversation by id: `null` if deleted, missing if not requested yet. */
export type People = Record<string, Peer | null>;

/** The senders, quoted and mentioned people of a conversation as far as loaded; filled as messages are loaded. */
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

/** Everybody whose name appears with a message. */
export function peopleIn({ from, quote, mentionedUserIds = [], notice, reactions }: ChatMessage): string[] {
  return [
    from,
    ...(quote ? [quote.from] : []),
    ...mentionedUserIds,
    ...(notice?.userIds ?? []),
    ...(reactions?.given.flatMap(({ userIds }) => userIds.slice(0, 20)) ?? []),
  ];
}

/** Those of the `asked` who were not found no longer exist. */
export function notePeople(
  client: QueryClient,
  conversationId: string,
  asked: readonly string[],
  found: readonly Peer[],
): void {
  if (asked.length === 0 && found.length === 0) return;
  client.setQueryData(peopleOf(conversationId).queryKey, (known = {}) => ({
    ...Object.fromEntries(asked.map((userId) => [userId, null])),
    ...known,
    ...Object.fromEntries(found.map((person) => [person.userId, person])),
  }));
}

/** People whom an event names, except for those who are known: it may have been made before an earlier one that renamed them. */
export function meetPeople(client: QueryClient, conversationId: string, named: readonly Peer[]): void {
  const known = client.getQueryData(peopleOf(conversationId).queryKey) ?? {};
  notePeople(
    client,
    conversationId,
    [],
    named.filter(({ userId }) => !known[userId]),
  );
}

/** Updates a person's name and picture in every conversation. */
export function renamePerson(client: QueryClient, person: Peer): void {
  client.setQueriesData<People>(
    { queryKey: ['people'] },
    (known) => known && { ...known, [person.userId]: person },
  );
}

/** The people of an answer, after an event that came while it was awaited. */
export function withRenamed(people: Peer[], event: ChatEvent): Peer[] {
  if (event.type !== 'person.changed') return people;
  return people.map((person) => (person.userId === event.data.userId ? event.data : person));
}

/** Somebody in a conversation, loaded if not known yet; `null` if deleted. */
export async function findPerson(client: QueryClient, conversationId: string, userId: string) {
  await learnPeople(client, conversationId, [userId]);
  return client.getQueryData(peopleOf(conversationId).queryKey)?.[userId];
}

/** Loads those who are not known yet. */
export async function learnPeople(
  client: QueryClient,
  conversationId: string,
  userIds: Iterable<string>,
): Promise<void> {
  const known = client.getQueryData(peopleOf(conversationId).queryKey) ?? {};
  const asked = [...new Set(userIds)].filter((userId) => !known[userId]).slice(0, MOST_ASKED);
  if (asked.length === 0) return;
  // Several messages of one writer may arrive before the answer.
  const found = await client.fetchQuery({
    queryKey: ['asked-people', conversationId, ...asked],
    queryFn: () =>
      feed.read(
        () =>
          callChat('GET /conversations/:conversationId/people', {
            params: { conversationId },
            query: { userIds: asked.join() },
          }),
        withRenamed,
      ),
    gcTime: 0,
  });
  notePeople(client, conversationId, asked, found);
}
