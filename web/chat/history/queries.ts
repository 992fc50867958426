import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Conversation, MessagePage, ReadMessages } from '#contract/chat.ts';
import { ApiError, callChat } from '../../ui/api.ts';
import { notePeople, peopleIn, withRenamed } from '../conversations/people.ts';
import { chatKey, feed } from '../live/feed.ts';
import { outbox } from '../outbox/outbox.ts';
import { readPosition } from '../outbox/positions.ts';
import { reduceThread, type Side, type ThreadWindow, windowOf, withMore } from './window.ts';

/** Sorts before every message id. */
const BEGINNING = 'msg_';

/** The reading position in each conversation, unless it is at its end: reloading a thread begins there. */
const places = new Map<string, string>();

export function notePosition(conversationId: string, msgId: string | undefined): void {
  if (msgId === undefined) places.delete(conversationId);
  else places.set(conversationId, msgId);
}

/** Sets where a thread opens: at the first unread message, where the person left it, or at its end. */
export function startPosition(
  { conversationId, unreadCount, readMsgId = BEGINNING }: Conversation,
  accountId: string,
): void {
  notePosition(conversationId, unreadCount > 0 ? readMsgId : readPosition(accountId, conversationId));
}

export function positionIn(conversationId: string): string | undefined {
  return places.get(conversationId);
}

export function threadQuery(conversationId: string) {
  return queryOptions({
    queryKey: [...chatKey, 'thread', conversationId],
    queryFn: ({ client, signal }): Promise<ThreadWindow> => {
      const around = places.get(conversationId);
      return readWindow(client, conversationId, around ? { around } : {}, signal);
    },
    staleTime: ({ state }) => (state.data?.isBehind ? 0 : Number.POSITIVE_INFINITY),
    // It compares by index, and older messages shift every index: each message would become another object.
    structuralSharing: false,
  });
}

/** Loads what comes before or after what is loaded. */
export async function readOn(client: QueryClient, conversationId: string, side: Side): Promise<void> {
  const { queryKey } = threadQuery(conversationId);
  const edgeOf = (window?: ThreadWindow) => window?.messages.at(side === 'before' ? 0 : -1)?.msgId;
  const edge = edgeOf(client.getQueryData(queryKey));
  if (edge === undefined) return;
  const more = await readWindow(client, conversationId, { [side]: edge });
  // The thread may have been reloaded elsewhere in the meantime.
  client.setQueryData(queryKey, (shown) =>
    shown && edgeOf(shown) === edge ? withMore(shown, more, side) : shown,
  );
}

/** Loads the part of the conversation around a message, or its end. */
export async function goTo(
  client: QueryClient,
  conversationId: string,
  msgId?: string,
): Promise<ThreadWindow> {
  const query = threadQuery(conversationId);
  // A request in progress would load another part.
  await client.cancelQueries(query, { silent: true });
  notePosition(conversationId, msgId);
  return client.fetchQuery({ ...query, staleTime: 0 });
}

/** Loads a part of a conversation, and notes its people, as they are after the events that came meanwhile. */
async function readWindow(
  client: QueryClient,
  conversationId: string,
  position: ReadMessages,
  signal?: AbortSignal,
): Promise<ThreadWindow> {
  const { shown, page } = await feed.read(
    async () => {
      const page = await readPage(conversationId, position, signal);
      // A message in flight, which the page may have, would be shown twice.
      if (!('before' in position)) await outbox.settled(conversationId);
      return { page, shown: windowOf(page) };
    },
    ({ shown, page }, event) => ({
      shown: reduceThread(shown, conversationId, event),
      page: { ...page, people: withRenamed(page.people, event) },
    }),
  );
  notePeople(client, conversationId, page.messages.flatMap(peopleIn), page.people);
  return shown;
}

async function readPage(
  conversationId: string,
  position: ReadMessages,
  signal?: AbortSignal,
): Promise<MessagePage> {
  try {
    return await callChat('GET /conversations/:conversationId/messages', {
      params: { conversationId },
      query: position,
      ...(signal && { signal }),
    });
  } catch (error) {
    // A private conversation begins with its first message.
    if (error instanceof ApiError && error.status === 404) return { messages: [], people: [] };
    throw error;
  }
}
