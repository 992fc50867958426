import type { Conversation, ConversationPage, Peer } from '#contract/chat.ts';
import { viewPeer } from '#features/accounts/index.ts';
import { findAccounts } from '#features/accounts/service.ts';
import { contactKey, findContacts } from '#features/contacts/service.ts';
import { refuseToPost, viewGroup } from '#features/groups/index.ts';
import { findGroups, findMembers } from '#features/groups/service.ts';
import type { Db } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import { firstIdAt } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import {
  type ListedConversation,
  selectLatestIds,
  selectListed,
  selectOneListed,
  selectUnreadCounts,
} from './conversation-queries.ts';
import { findMessages } from './queries.ts';
import { viewMessage } from './view.ts';

export { listPrivateConversations, selectPeerIds as findPeerIds } from './conversation-queries.ts';

type Deps = Pick<Platform, 'db' | 'keyring'>;

const PAGE_SIZE = 50;

/** A conversation of the list, and its newest message if it has any. */
interface Entry extends ListedConversation {
  latestMsgId: string | undefined;
}

/**
 * The conversations of a person, the one with the newest message first. Their order is read from an index alone; only
 * those of the page are opened.
 */
export async function listConversations(
  deps: Deps,
  accountId: string,
  cursor: string | undefined,
): Promise<ConversationPage> {
  const listed = await selectListed(deps.db, accountId);
  const entries = (await withLatest(deps.db, listed))
    .filter((entry) => !isHidden(entry) && (cursor === undefined || orderOf(entry) < cursor))
    .sort((one, other) => (orderOf(one) < orderOf(other) ? 1 : -1));
  const page = entries.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    conversations: await viewEntries(deps, accountId, page),
    ...(entries.length > PAGE_SIZE && last && { nextCursor: orderOf(last) }),
  };
}

/** @throws ApiError 404 when it is none of the person's own */
export async function showConversation(
  deps: Deps,
  accountId: string,
  conversationId: string,
): Promise<Conversation> {
  const listed = await findOwnConversation(deps.db, accountId, conversationId);
  const [shown] = await viewEntries(deps, accountId, await withLatest(deps.db, [listed]));
  return shown as Conversation;
}

/** @throws ApiError 404 when it is none of the person's own */
export async function findOwnConversation(
  db: Db,
  accountId: string,
  conversationId: string,
): Promise<ListedConversation> {
  const listed = await selectOneListed(db, accountId, conversationId);
  if (!listed) throw notFound('there is no such conversation');
  return listed;
}

/** After which message the unread ones begin. What was written before somebody came into a group is not new to them. */
export function unreadAfter({ kind, createdAt, readMsgId, hiddenMsgId }: ListedConversation): string {
  const beginning = kind === 'group' ? firstIdAt('msg', createdAt) : '';
  return [readMsgId ?? '', hiddenMsgId ?? '', beginning].reduce((one, other) => (one > other ? one : other));
}

async function withLatest(db: Db, listed: ListedConversation[]): Promise<Entry[]> {
  if (listed.length === 0) return [];
  const latest = await selectLatestIds(db, listed);
  const latestOf = new Map(latest.map(({ conversationId, msgId }) => [conversationId, msgId]));
  return listed.map((entry) => ({ ...entry, latestMsgId: latestOf.get(entry.conversationId) }));
}

function isHidden({ hiddenMsgId, latestMsgId }: Entry): boolean {
  return hiddenMsgId !== null && (latestMsgId === undefined || latestMsgId <= hiddenMsgId);
}

/** Ids of messages and of groups carry their time after the prefix: a new group stands where its first message would. */
function orderOf({ conversationId, latestMsgId }: Entry): string {
  return (latestMsgId ?? conversationId).slice(4);
}

async function viewEntries(deps: Deps, accountId: string, entries: Entry[]): Promise<Conversation[]> {
  if (entries.length === 0) return [];
  const { db, keyring } = deps;
  const peerIds = entries.flatMap(({ peerId }) => peerId ?? []);
  const groupKeys = entries.flatMap(({ kind, bucket, conversationId }) =>
    kind === 'group' ? { bucket, groupId: conversationId } : [],
  );
  const latestKeys = entries.flatMap((entry) =>
    entry.latestMsgId === undefined || isHidden(entry) ? [] : { ...entry, msgId: entry.latestMsgId },
  );
  // What comes after the message that is shown as the last is still to be told, and counted then.
  const markers = entries.map((entry) => ({ ...entry, after: unreadAfter(entry), upTo: entry.latestMsgId }));
  const [latest, contacts, groups, members, unread] = await Promise.all([
    latestKeys.length === 0 ? [] : findMessages(db, latestKeys),
    findContacts(
      db,
      peerIds.map((peerId) => contactKey(accountId, peerId)),
    ),
    groupKeys.length === 0 ? [] : findGroups(db, groupKeys),
    groupKeys.length === 0
      ? []
      : findMembers(
          db,
          groupKeys.map((key) => ({ ...key, accountId })),
        ),
    selectUnreadCounts(db, accountId, markers),
  ]);
  const people = await findAccounts(db, [
    ...new Set([...peerIds, ...latest.map(({ senderId }) => senderId)]),
  ]);
  const personOf = new Map<string, Peer>(people.map((person) => [person.accountId, viewPeer(person)]));
  const latestOf = new Map(latest.map((row) => [row.conversationId, row]));
  const blocked = new Set(contacts.flatMap((row) => (row.blockedAt === null ? [] : row.conversationId)));
  const groupOf = new Map(groups.map((group) => [group.groupId, group]));
  const memberOf = new Map(members.map((member) => [member.groupId, member]));
  const unreadOf = new Map(unread.map((row) => [row.conversationId, row.unreadCount]));
  return entries.map((entry) => {
    const { conversationId, kind, peerId, readMsgId, isMuted } = entry;
    const peer = personOf.get(peerId ?? '');
    const group = groupOf.get(conversationId);
    const member = memberOf.get(conversationId);
    const row = latestOf.get(conversationId);
    const lastSender = row && personOf.get(row.senderId);
    const isBlocked = blocked.has(conversationId);
    return {
      conversationId,
      kind,
      ...(peer && { peer }),
      ...(group && { group: viewGroup(group) }),
      isBlocked,
      isMuted,
      isHidden: isHidden(entry),
      isAdmin: member?.isAdmin ?? false,
      mayWrite: group
        ? refuseToPost(group, member) === undefined
        : peer !== undefined && !peer.isDeleted && !isBlocked,
      ...(readMsgId !== null && { readMsgId }),
      unreadCount: unreadOf.get(conversationId) ?? 0,
      ...(row && { lastMessage: viewMessage(keyring, row) }),
      ...(lastSender && { lastSender }),
    };
  });
}
