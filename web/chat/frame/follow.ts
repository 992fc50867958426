import { CancelledError, type Query, type QueryClient } from '@tanstack/react-query';
import type { ChatMessage, Conversation } from '#contract/chat.ts';
import type { ChatEvent } from '#contract/live-events.ts';
import { profileQuery } from '../../ui/account/queries.ts';
import { ApiError } from '../../ui/api.ts';
import { keepNotices, readNoticesAgain } from '../../ui/notices/queries.ts';
import { readAgain } from '../../ui/session/live.ts';
import { learnPeople, notePeople, peopleIn, renamePerson } from '../conversations/people.ts';
import {
  type ConversationList,
  conversationQuery,
  conversationsQuery,
  ownId,
} from '../conversations/queries.ts';
import { isUnsure, lacks, reduceConversation, reduceList } from '../conversations/reduce.ts';
import { threadQuery } from '../history/queries.ts';
import { reduceThread, type ThreadWindow } from '../history/window.ts';
import { chatKey } from '../live/feed.ts';
import { endTyping, noteTyping } from '../live/typing.ts';
import { makesContact, remoteMediaQuery } from '../media/loading.ts';
import { readDraftsAgain, receiveDraft } from '../outbox/drafts.ts';
import { outbox } from '../outbox/outbox.ts';
import { type Receipts, reduceReceipts } from '../receipts/receipts.ts';

/** Keeps what the page has read true to what happens. */
export function follow(client: QueryClient, event: ChatEvent): void {
  const askAgain = (...part: string[]) => readAgain(client, [...chatKey, ...part]);
  switch (event.type) {
    case 'ready':
      outbox.flush();
      readDraftsAgain(!event.data.resumed);
      if (!event.data.resumed) {
        readAllAgain(client);
        readNoticesAgain(client);
      }
      // The stream does not keep these for whoever was away.
      else askAgain('receipts');
      break;
    case 'message':
      endTyping({ conversationId: event.data.conversationId, userId: event.data.from });
      void followMessage(client, event.data);
      break;
    case 'typing':
      noteTyping(event.data);
      void learnPeople(client, event.data.conversationId, [event.data.userId]).catch(() => undefined);
      break;
    case 'receipts.changed':
      askAgain('receipts');
      break;
    case 'draft.changed':
      receiveDraft(event.data);
      void include(client, event, event.data.conversationId);
      break;
    case 'conversation.hidden':
      askAgain('pins', event.data.conversationId);
      forget(client, event, event.data.conversationId);
      break;
    case 'group.left':
    case 'group.deleted':
      askAgain('profile');
      forget(client, event, event.data.groupId);
      break;
    case 'message.reactions': {
      const { conversationId, reactions } = event.data;
      apply(client, event);
      const userIds = reactions.given.flatMap(({ userIds }) => userIds);
      void learnPeople(client, conversationId, userIds).catch(() => undefined);
      break;
    }
    case 'conversation.pins':
      askAgain('pins', event.data.conversationId);
      break;
    case 'message.changed':
    case 'message.hidden':
    case 'conversation.expired':
      askAgain('pins', event.data.conversationId);
      void include(client, event, event.data.conversationId);
      break;
    case 'conversation.changed':
      void include(client, event, event.data.conversationId);
      break;
    case 'group.joined':
      askAgain('profile');
      void include(client, event, event.data.groupId);
      break;
    case 'group.changed':
    case 'group.role':
      apply(client, event);
      askAgain('members', event.data.groupId);
      askAgain('receipts', event.data.groupId);
      // It names the groups that both are in.
      askAgain('profile');
      break;
    case 'profile.changed':
      readAgain(client, profileQuery.queryKey);
      askAgain('remote-media');
      askAgain('receipts');
      break;
    case 'person.changed':
      apply(client, event);
      renamePerson(client, event.data);
      askAgain('members');
      askAgain('profile');
      askAgain('blocks');
      askAgain('stories');
      break;
    case 'notices.changed':
      keepNotices(client, event.data);
      // Messages refused during maintenance are sent now.
      if (!event.data.maintenance) outbox.flush();
      break;
    case 'story.changed':
    case 'story.seen':
      askAgain('stories');
      break;
    case 'block.changed':
      apply(client, event);
      askAgain('profile');
      askAgain('blocks');
      askAgain('remote-media');
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
  // The answer to one's own send says which message of the outbox this is.
  if (message.from === ownId(client) && outbox.isSending(message.conversationId)) {
    await outbox.settled(message.conversationId);
  }
  await showMessage(client, message);
}

/** Puts a new message wherever it is seen. */
export async function showMessage(client: QueryClient, message: ChatMessage): Promise<void> {
  const { conversationId, notice } = message;
  if (notice?.people) notePeople(client, conversationId, [], notice.people);
  const isOwn = message.from === ownId(client);
  if (isOwn && makesContact(client, message, peerIdOf(client, conversationId)))
    readAgain(client, remoteMediaQuery.queryKey);
  await Promise.all([
    include(client, { type: 'message', data: message }, conversationId),
    // Whoever is gone meanwhile stays without a name until the thread is read again.
    learnPeople(client, conversationId, peopleIn(message)).catch(() => undefined),
  ]);
}

/** Whom a conversation that the page knows is with. */
function peerIdOf(client: QueryClient, conversationId: string): string | undefined {
  const list = client.getQueryData(conversationsQuery.queryKey)?.conversations ?? [];
  const shown = client.getQueryData(conversationQuery(conversationId).queryKey);
  return (shown ?? list.find((one) => one.conversationId === conversationId))?.peer?.userId;
}

/** Changes every list, conversation and thread that the event is about. */
export function apply(client: QueryClient, event: ChatEvent): void {
  const accountId = ownId(client);
  change<ConversationList>(client, 'conversations', (list) => reduceList(list, event, accountId));
  change<Conversation>(client, 'conversation', (one) => reduceConversation(one, event, accountId));
  change<Receipts>(client, 'receipts', (receipts, { queryKey }) =>
    reduceReceipts(receipts, String(queryKey[2]), event),
  );
  change<ThreadWindow>(client, 'thread', (shown, { queryKey }) => {
    if (!shown.isBehind || event.type !== 'message' || event.data.from === accountId) {
      return reduceThread(shown, String(queryKey[2]), event);
    }
    // It would overtake what was missed: the reading that is under way, or begins now, brings both.
    void client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
    return shown;
  });
}

/** Applies an event to data that was not read: stale data stays stale. */
function change<T>(client: QueryClient, part: string, update: (data: T, query: Query) => T): void {
  for (const query of client.getQueryCache().findAll({ queryKey: [...chatKey, part] })) {
    const data = query.state.data as T | undefined;
    if (data === undefined) continue;
    const changed = update(data, query);
    if (changed !== data) query.setState({ data: changed });
  }
}

/** Changes what the event is about, and asks the server where the event alone does not tell how that stands. */
async function include(client: QueryClient, event: ChatEvent, conversationId: string): Promise<void> {
  const list = client.getQueryData(conversationsQuery.queryKey);
  const shown = client.getQueryData(conversationQuery(conversationId).queryKey);
  const known = [...(list?.conversations ?? []), ...(shown ? [shown] : [])];
  const isUnclear =
    (list && lacks(list.conversations, event)) || known.some((one) => isUnsure(one, event, ownId(client)));
  apply(client, event);
  if (isUnclear) await readConversation(client, conversationId);
}

/** Reads a conversation again, wherever it is shown. */
async function readConversation(client: QueryClient, conversationId: string): Promise<void> {
  try {
    const conversation = await client.fetchQuery({ ...conversationQuery(conversationId), staleTime: 0 });
    change<ConversationList>(client, 'conversations', (list) => withConversation(list, conversation));
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof CancelledError)) throw error;
  }
}

function withConversation(list: ConversationList, added: Conversation): ConversationList {
  const others = list.conversations.filter((one) => one.conversationId !== added.conversationId);
  return { ...list, conversations: added.isHidden ? others : [added, ...others] };
}

/** Takes out of the page what is hidden, or no more the person's own. */
function forget(client: QueryClient, event: ChatEvent, conversationId: string): void {
  // Whoever comes back to it later is not shown what it was. A message may have come meanwhile: then it is being read.
  const isWanted = event.type === 'conversation.hidden';
  for (const part of ['thread', 'conversation', 'members', 'receipts']) {
    client.removeQueries({
      queryKey: [...chatKey, part, conversationId],
      type: 'inactive',
      ...(isWanted && { fetchStatus: 'idle' }),
    });
  }
  void client.resetQueries({ queryKey: threadQuery(conversationId).queryKey });
  const { queryKey } = conversationQuery(conversationId);
  void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
  void include(client, event, conversationId);
}
