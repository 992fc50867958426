import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import type { ChatMessage, Peer } from '#contract/chat.ts';
import { callChat } from '../../ui/api.ts';
import { text } from '../../ui/texts.ts';
import { nameOf } from './names.ts';

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

/** Empty until it is known. */
export function personName(person: Peer | null | undefined): string {
  if (person === undefined) return '';
  return person ? nameOf(person) : text('chat.conversation.somebody');
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

/** Updates a person's name and picture in every conversation. */
export function renamePerson(client: QueryClient, person: Peer): void {
  client.setQueriesData<People>({ queryKey: ['people'] }, (known) =>
    known?.[person.userId] ? { ...known, [person.userId]: person } : known,
  );
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
      callChat('GET /conversations/:conversationId/people', {
        params: { conversationId },
        query: { userIds: asked.join() },
      }),
    gcTime: 0,
  });
  notePeople(client, conversationId, asked, found);
}
