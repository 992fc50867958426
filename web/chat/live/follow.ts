import type { QueryClient } from '@tanstack/react-query';
import type { ChatMessage } from '#contract/chat.ts';
import { ApiError } from '../../ui/api.ts';
import { readAgain } from '../../ui/live.ts';
import {
  type ConversationList,
  chatKey,
  conversationQuery,
  conversationsQuery,
  ownId,
} from '../conversations/queries.ts';
import { reduceConversation } from '../conversations/reduce.ts';
import { outbox } from '../outbox/outbox.ts';
import { learnPeople, peopleIn } from '../thread/people.ts';
import { reduceThread, type ThreadWindow } from '../thread/window.ts';
import type { LiveEvent } from './events.ts';

/** Keeps what the page has read true to what happens. */
export function follow(client: QueryClient, event: LiveEvent): void {
  const askAgain = (...part: string[]) => readAgain(client, [...chatKey, ...part]);
  switch (event.type) {
    case 'ready':
      outbox.flush();
      if (!event.data.resumed) readAllAgain(client);
      break;
    case 'message':
      void followMessage(client, event.data);
      break;
    case 'conversation.hidden':
      forget(client, event.data.conversationId);
      break;
    case 'group.left':
    case 'group.deleted':
      forget(client, event.data.groupId);
      break;
    case 'group.joined':
      apply(client, event);
      void include(client, event.data.groupId);
      break;
    case 'group.changed':
    case 'group.role':
      apply(client, event);
      askAgain('members', event.data.groupId);
      break;
    case 'story.changed':
    case 'story.seen':
      askAgain('stories');
      break;
    case 'block.changed':
      apply(client, event);
      askAgain('profile');
      askAgain('blocks');
      askAgain('stories');
      break;
    default:
      apply(client, event);
  }
}

/**
 * Nobody knows what was missed: what is shown is read again now, and what is not shown when it is. What is being read for
 * the first time is not read twice.
 */
function readAllAgain(client: QueryClient): void {
  client.removeQueries({ queryKey: chatKey, type: 'inactive' });
  // That it has to be read again the cache would forget with the next event that changes it.
  client.setQueriesData<ThreadWindow>(
    { queryKey: [...chatKey, 'thread'] },
    (shown) => shown && { ...shown, isBehind: true },
  );
  void client.invalidateQueries({
    queryKey: chatKey,
    predicate: ({ state }) => state.dataUpdatedAt > 0 || state.status === 'error',
  });
}

async function followMessage(client: QueryClient, message: ChatMessage): Promise<void> {
  // The answer to the own sending says which message of the outbox this is.
  if (message.from === ownId(client) && outbox.isSending(message.conversationId)) {
    await outbox.settled(message.conversationId);
  }
  await showMessage(client, message);
}

/** Puts a new message wherever it is seen. */
export async function showMessage(client: QueryClient, message: ChatMessage): Promise<void> {
  const { conversationId } = message;
  apply(client, { type: 'message', data: message });
  await Promise.all([
    include(client, conversationId),
    // Whoever is gone meanwhile stays without a name until the thread is read again.
    learnPeople(client, conversationId, peopleIn(message)).catch(() => undefined),
  ]);
}

/** Changes every list, conversation and thread that the event is about. */
function apply(client: QueryClient, event: LiveEvent): void {
  const accountId = ownId(client);
  client.setQueryData(
    conversationsQuery.queryKey,
    (list) =>
      list && {
        ...list,
        conversations: list.conversations.map((one) => reduceConversation(one, event, accountId)),
      },
  );
  for (const [queryKey] of client.getQueriesData({ queryKey: [...chatKey, 'conversation'] })) {
    client.setQueryData(queryKey, (one: Parameters<typeof reduceConversation>[0] | undefined) =>
      one ? reduceConversation(one, event, accountId) : one,
    );
  }
  for (const [queryKey, shown] of client.getQueriesData<ThreadWindow>({ queryKey: [...chatKey, 'thread'] })) {
    if (!shown) continue;
    if (shown.isBehind && event.type === 'message' && event.data.from !== accountId) {
      // It would overtake what was missed: the reading that is under way, or begins now, brings both.
      void client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
    } else {
      client.setQueryData(queryKey, reduceThread(shown, String(queryKey[2]), event));
    }
  }
}

/** Puts a conversation into the list that was not there: new, come back, or further down than was read. */
async function include(client: QueryClient, conversationId: string): Promise<void> {
  const list = client.getQueryData(conversationsQuery.queryKey);
  if (!list || list.conversations.some((one) => one.conversationId === conversationId)) return;
  try {
    const conversation = await client.fetchQuery({ ...conversationQuery(conversationId), staleTime: 0 });
    client.setQueryData(conversationsQuery.queryKey, (now) => now && withConversation(now, conversation));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

function withConversation(
  list: ConversationList,
  added: ConversationList['conversations'][number],
): ConversationList {
  const others = list.conversations.filter((one) => one.conversationId !== added.conversationId);
  return { ...list, conversations: [added, ...others] };
}

function forget(client: QueryClient, conversationId: string): void {
  client.setQueryData(
    conversationsQuery.queryKey,
    (list) =>
      list && {
        ...list,
        conversations: list.conversations.filter((one) => one.conversationId !== conversationId),
      },
  );
  client.removeQueries({ queryKey: [...chatKey, 'thread', conversationId] });
  // Where it is open it is asked for again; whoever comes back to it later is not shown what it was.
  for (const part of ['conversation', 'members']) {
    client.removeQueries({ queryKey: [...chatKey, part, conversationId], type: 'inactive' });
  }
  void client.invalidateQueries({ queryKey: [...chatKey, 'conversation', conversationId] });
}
