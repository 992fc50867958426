import { CancelledError, type Query, type QueryClient } from '@tanstack/react-query';
import type { ChatMessage, Conversation, Peer } from '#contract/chat.ts';
import type { ChatEvent } from '#contract/live-events.ts';
import { accountKey, sessionsQuery } from '../../ui/account/queries.ts';
import { ApiError } from '../../ui/api.ts';
import { keepNotices, readNoticesAgain } from '../../ui/notices/queries.ts';
import { readAgain } from '../../ui/session/live.ts';
import { sessionQuery } from '../../ui/session/session.ts';
import { learnPeople, meetPeople, peopleIn, renamePerson } from '../conversations/people.ts';
import {
  type ConversationList,
  conversationQuery,
  conversationsQuery,
  ownId,
} from '../conversations/queries.ts';
import { isUnsure, lacks, reduceConversation, reduceList } from '../conversations/reduce.ts';
import { threadQuery } from '../history/queries.ts';
import { reduceThread, type ThreadWindow } from '../history/window.ts';
import { endDrafts, noteDraft } from '../live/drafts-of-bots.ts';
import { chatKey } from '../live/feed.ts';
import { typing } from '../live/typing.ts';
import { makesContact, remoteMediaQuery } from '../media/loading.ts';
import { readDraftsAgain, receiveDraft } from '../outbox/drafts.ts';
import { outbox } from '../outbox/outbox.ts';
import { type Receipts, reduceReceipts } from '../receipts/receipts.ts';

/** Applies live events to the data that the page has loaded. */
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
      // The stream does not replay receipts after a disconnection.
      else askAgain('receipts');
      break;
    case 'message':
      typing.end(event.data.conversationId, event.data.from);
      endDrafts(event.data);
      void followMessage(client, event.data);
      break;
    case 'typing':
      typing.show(event.data.conversationId, event.data.userId);
      meetPeople(client, event.data.conversationId, event.data.people ?? []);
      void learnPeople(client, event.data.conversationId, [event.data.userId]).catch(() => undefined);
      break;
    case 'message.draft':
      typing.end(event.data.conversationId, event.data.userId);
      noteDraft(event.data);
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
    case 'conversation.read':
      void include(client, event, event.data.conversationId);
      break;
    case 'group.joined':
      askAgain('profile');
      // The data that is loaded may be from before the person left.
      for (const part of ['thread', 'pins', 'receipts', 'members', 'commands'])
        askAgain(part, event.data.groupId);
      void include(client, event, event.data.groupId);
      break;
    case 'group.changed':
    case 'group.role':
      void include(client, event, event.data.groupId);
      for (const part of ['members', 'receipts', 'pins', 'commands']) askAgain(part, event.data.groupId);
      // Profiles list the groups in common.
      askAgain('profile');
      break;
    case 'profile.changed':
      readAgain(client, accountKey);
      // It has the name and the address, too.
      readAgain(client, sessionQuery.queryKey);
      askAgain('remote-media');
      askAgain('receipts');
      askAgain('last-seen');
      break;
    case 'person.changed':
      apply(client, event);
      renamePerson(client, event.data);
      askAgain('members');
      askAgain('profile');
      askAgain('blocks');
      askAgain('stories');
      break;
    case 'session.ended':
      readAgain(client, sessionsQuery.queryKey);
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
      for (const part of ['profile', 'blocks', 'remote-media', 'stories', 'pins']) askAgain(part);
      break;
    default:
      apply(client, event);
  }
}

/**
 * After missed events of unknown content: reloads what is shown now, and everything else when it is next shown. Initial
 * loads in progress are not repeated.
 */
function readAllAgain(client: QueryClient): void {
  client.removeQueries({ queryKey: chatKey, type: 'inactive' });
  // The cache would forget that it is stale with the next event that changes it.
  client.setQueriesData<ThreadWindow>(
    { queryKey: [...chatKey, 'thread'] },
    (shown) => shown && { ...shown, isBehind: true },
  );
  void client.invalidateQueries({
    queryKey: chatKey,
    predicate: ({ state }) => state.dataUpdatedAt > 0 || state.status === 'error',
  });
  void client.invalidateQueries({ queryKey: accountKey }, { cancelRefetch: false });
}

async function followMessage(client: QueryClient, message: ChatMessage): Promise<void> {
  // The response to the person's own send tells which message of the outbox this is.
  if (message.from === ownId(client) && outbox.isSending(message.conversationId)) {
    await outbox.settled(message.conversationId);
  }
  await showMessage(client, message);
}

/** Adds a new message wherever it is shown. */
export async function showMessage(client: QueryClient, message: ChatMessage): Promise<void> {
  const { conversationId, people = [] } = message;
  const peer = peerOf(client, conversationId);
  meetPeople(client, conversationId, peer ? [peer, ...people] : people);
  const isOwn = message.from === ownId(client);
  if (isOwn && makesContact(client, message, peer?.userId)) readAgain(client, remoteMediaQuery.queryKey);
  // The event of one's own message, which comes besides the response, has one's name.
  const named = peopleIn(message).filter((userId) => !isOwn || userId !== message.from);
  await Promise.all([
    include(client, { type: 'message', data: message }, conversationId),
    // People deleted in the meantime stay nameless until the thread is reloaded.
    learnPeople(client, conversationId, named).catch(() => undefined),
  ]);
}

/** The peer of a conversation that is loaded. */
function peerOf(client: QueryClient, conversationId: string): Peer | undefined {
  const list = client.getQueryData(conversationsQuery.queryKey)?.conversations ?? [];
  const shown = client.getQueryData(conversationQuery(conversationId).queryKey);
  return (shown ?? list.find((one) => one.conversationId === conversationId))?.peer;
}

/** Applies an event to every list, conversation and thread it concerns. */
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
    // Showing it would skip the missed messages: the reload, in progress or started now, brings both.
    void client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
    return shown;
  });
}

/** Applies an event to loaded data without marking it as fresh: stale data stays stale. */
function change<T>(client: QueryClient, part: string, update: (data: T, query: Query) => T): void {
  for (const query of client.getQueryCache().findAll({ queryKey: [...chatKey, part] })) {
    const data = query.state.data as T | undefined;
    if (data === undefined) continue;
    const changed = update(data, query);
    if (changed !== data) query.setState({ data: changed });
  }
}

/** Applies an event, and asks the server if the event alone is not enough. */
async function include(client: QueryClient, event: ChatEvent, conversationId: string): Promise<void> {
  const list = client.getQueryData(conversationsQuery.queryKey);
  const shown = client.getQueryData(conversationQuery(conversationId).queryKey);
  const known = [...(list?.conversations ?? []), ...(shown ? [shown] : [])];
  const isUnclear =
    (list && lacks(list.conversations, event)) || known.some((one) => isUnsure(one, event, ownId(client)));
  apply(client, event);
  if (isUnclear) await readConversation(client, conversationId);
}

/** Reloads a conversation, wherever it is shown. */
async function readConversation(client: QueryClient, conversationId: string): Promise<void> {
  try {
    const conversation = await client.fetchQuery({ ...conversationQuery(conversationId), staleTime: 0 });
    change<ConversationList>(client, 'conversations', (list) => withConversation(list, conversation));
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof CancelledError)) throw error;
    // Until it can be read, the list is incomplete.
    if (error instanceof ApiError && error.isTemporary) void client.invalidateQueries(conversationsQuery);
  }
}

function withConversation(list: ConversationList, added: Conversation): ConversationList {
  const others = list.conversations.filter((one) => one.conversationId !== added.conversationId);
  return { ...list, conversations: added.isHidden ? others : [added, ...others] };
}

/** Removes a hidden conversation, or one the person no longer belongs to, from the page. */
function forget(client: QueryClient, event: ChatEvent, conversationId: string): void {
  // Old data must not reappear later. If a new message brought the conversation back, it is already being loaded.
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
