import type { ConversationSettings, Lifetime } from '#contract/chat/conversation-settings.ts';
import type { ChatMessage, Conversation, ConversationPage, Peer } from '#contract/chat.ts';
import { isMutedAt, mayWriteTo } from '#contract/rights.ts';
import { viewPeer } from '#features/accounts/index.ts';
import { contactKey } from '#features/contacts/index.ts';
import { refuseToPost, viewGroup } from '#features/groups/index.ts';
import type { Db } from '#platform/database.ts';
import { pageOf } from '#platform/http/cursor.ts';
import { firstIdAt } from '#platform/ids.ts';
import { readByShard } from '#platform/partitioning/shards.ts';
import { selectNewestMentions } from '../access/mention-queries.ts';
import { findOwnConversation, type OwnConversation, unreadAfter } from '../access/own-conversation.ts';
import { type ListedConversation, selectLatestIds, selectListed, withoutHidden } from '../access/queries.ts';
import { selectUnread } from '../access/unread-queries.ts';
import type { MessageDeps } from '../deps.ts';
import { findMessages, findOlder } from '../queries.ts';
import { selectRetention } from '../retention/queries.ts';
import { complete, viewMessage } from '../view.ts';

const PAGE_SIZE = 50;
/** More does not fit in one line. */
const MOST_NAMED = 10;

/** A conversation of the list, and its newest message if it has any. */
interface Entry extends ListedConversation {
  latestMsgId: string | undefined;
}

/**
 * The conversations of a person: pinned ones, then the others by their newest message. Their order is read from
 * an index alone; only those of the page are opened. All pinned ones are on the first page, which has room for
 * more.
 */
export async function listConversations(
  deps: MessageDeps,
  accountId: string,
  cursor: string | undefined,
): Promise<ConversationPage> {
  const listed = await selectListed(deps.db, accountId);
  const entries = (await withLatest(deps, accountId, listed))
    .filter((entry) => !isHidden(entry))
    .filter((entry) => cursor === undefined || (entry.pinnedAt === null && orderOf(entry) < cursor))
    .sort(inOrder);
  const { page, last } = pageOf(entries, PAGE_SIZE);
  return {
    conversations: await viewEntries(deps, accountId, page),
    ...(last && { nextCursor: orderOf(last) }),
  };
}

export async function showConversation(deps: MessageDeps, own: OwnConversation): Promise<Conversation> {
  const { accountId } = own;
  const entries = await withLatest(deps, accountId, [await findOwnConversation(deps.db, own)]);
  const [shown] = await viewEntries(deps, accountId, entries);
  return shown as Conversation;
}

async function withLatest(
  { db, shards }: MessageDeps,
  accountId: string,
  listed: ListedConversation[],
): Promise<Entry[]> {
  if (listed.length === 0) return [];
  const latest = await selectLatestIds(db, shards, listed);
  const latestOf = new Map(latest.map((one) => [one.conversationId, one]));
  const seen = new Set(await withoutHidden(db, accountId, latest));
  const entries: Entry[] = [];
  // One after another: a long list with many hidden messages must not take all connections.
  for (const entry of listed) {
    const newest = latestOf.get(entry.conversationId);
    const isSeen = !newest || seen.has(newest);
    const latestMsgId = isSeen ? newest?.msgId : await findLatestSeen(db, accountId, entry, newest.msgId);
    entries.push({ ...entry, latestMsgId });
  }
  return entries;
}

/** The newest message before the given one that the person did not delete for themselves. */
async function findLatestSeen(
  db: Db,
  accountId: string,
  listed: ListedConversation,
  before: string,
): Promise<string | undefined> {
  const conversation = { ...listed, hiddenMsgId: listed.hiddenMsgId ?? '' };
  const older = await findOlder(db, conversation, { before, limit: PAGE_SIZE });
  const [seen] = await withoutHidden(db, accountId, older);
  const last = older.at(-1);
  return seen || !last ? seen?.msgId : findLatestSeen(db, accountId, listed, last.msgId);
}

function isEmptied({ hiddenMsgId, latestMsgId }: Entry): boolean {
  return hiddenMsgId !== null && (latestMsgId === undefined || latestMsgId <= hiddenMsgId);
}

function isHidden(entry: Entry): boolean {
  return isEmptied(entry) && !entry.hasDraft;
}

/** By time: a conversation without messages is sorted by its beginning. Not all ids of groups begin with a time. */
function orderOf({ conversationId, kind, createdAt, latestMsgId }: Entry): string {
  if (latestMsgId !== undefined) return latestMsgId.slice(4);
  const beginning = firstIdAt('msg', createdAt);
  return (kind === 'group' ? beginning + conversationId.slice(beginning.length) : beginning).slice(4);
}

function inOrder(one: Entry, other: Entry): number {
  if (one.pinnedAt !== other.pinnedAt) return (other.pinnedAt ?? 0) - (one.pinnedAt ?? 0);
  return orderOf(one) < orderOf(other) ? 1 : -1;
}

export function viewSettings(
  listed: Omit<ListedConversation, 'hasDraft'>,
  now: number,
): ConversationSettings {
  const { conversationId, notifyOf, hasSound, pinnedAt, archivedMsgId, settingsVersion } = listed;
  const { isMuted } = listed;
  const mutedUntil = listed.mutedUntil ?? undefined;
  const isStillMuted = isMutedAt({ isMuted, mutedUntil }, now);
  return {
    conversationId,
    isMuted: isStillMuted,
    ...(isStillMuted && mutedUntil !== undefined && { mutedUntil }),
    notifyOf,
    hasSound,
    ...(pinnedAt !== null && { pinnedAt }),
    ...(archivedMsgId !== null && { archivedMsgId }),
    settingsVersion,
  };
}

/** The people named in the preview of a message in the list. */
function namedIn({ from, notice }: Pick<ChatMessage, 'from' | 'notice'>): string[] {
  return [from, ...(notice?.userIds?.slice(0, MOST_NAMED) ?? [])];
}

async function viewEntries(deps: MessageDeps, accountId: string, entries: Entry[]): Promise<Conversation[]> {
  if (entries.length === 0) return [];
  const { db, clock, shards, keyring, accounts, contacts, groups } = deps;
  const peerIds = entries.flatMap(({ peerId }) => peerId ?? []);
  const groupKeys = entries.flatMap(({ kind, bucket, conversationId }) =>
    kind === 'group' ? { bucket, groupId: conversationId } : [],
  );
  const latestKeys = entries.flatMap((entry) =>
    entry.latestMsgId === undefined || isEmptied(entry) ? [] : { ...entry, msgId: entry.latestMsgId },
  );
  // A message newer than the one shown as the last has not been published yet, and is counted then.
  const markers = entries.map((entry) => ({ ...entry, after: unreadAfter(entry), upTo: entry.latestMsgId }));
  const [latest, sides, listedGroups, unread, mentions, retention] = await Promise.all([
    findMessages(db, latestKeys),
    contacts.find(peerIds.map((peerId) => contactKey(accountId, peerId))),
    groups.findForActors(groupKeys.map((key) => ({ ...key, accountId }))),
    selectUnread(db, shards, accountId, markers),
    groupKeys.length === 0 ? [] : selectNewestMentions(db, accountId),
    readByShard(shards, entries, (asked) => selectRetention(db, asked)),
  ]);
  const messages = latest.map((row) => viewMessage(keyring, row));
  const [people, shown] = await Promise.all([
    accounts.findAll([...peerIds, ...messages.flatMap(namedIn)]),
    complete(deps, accountId, messages),
  ]);
  const personOf = new Map<string, Peer>(people.map((person) => [person.accountId, viewPeer(person)]));
  const latestOf = new Map(
    shown.map((message) => {
      const { conversationId, notice } = message;
      const named = namedIn(message).flatMap((userId) => personOf.get(userId) ?? []);
      return [conversationId, notice ? { ...message, people: named } : message];
    }),
  );
  const blocked = new Set(sides.flatMap((row) => (row.blockedAt === null ? [] : row.conversationId)));
  const groupOf = new Map(listedGroups.map((found) => [found?.group.groupId, found]));
  const lifetimeOf = new Map(retention.map((row) => [row.conversationId, row.lifetimeDays ?? undefined]));
  const mentionOf = new Map(mentions.map((row) => [row.conversationId, row.msgId]));
  const unreadOf = new Map(unread.map((row) => [row.conversationId, row]));
  return entries.map((entry) => {
    const { conversationId, kind, peerId } = entry;
    const { after: readMsgId = '', unreadCount = 0 } = unreadOf.get(conversationId) ?? {};
    const peer = personOf.get(peerId ?? '');
    const { group, member } = groupOf.get(conversationId) ?? {};
    const lastMessage = latestOf.get(conversationId);
    const lastSender = lastMessage && personOf.get(lastMessage.from);
    const isBlocked = blocked.has(conversationId);
    const lifetimeDays = lifetimeOf.get(conversationId) as Lifetime | undefined;
    const mentionMsgId = mentionOf.get(conversationId) ?? '';
    return {
      ...viewSettings(entry, clock.now()),
      kind,
      ...(peer && { peer }),
      ...(group && { group: viewGroup(group) }),
      ...(member?.isAdmin && group?.joinRequestCount && { joinRequestCount: group.joinRequestCount }),
      isBlocked,
      isHidden: isHidden(entry),
      isAdmin: member?.isAdmin ?? false,
      mayWrite: group
        ? refuseToPost(group, member) === undefined
        : peer !== undefined && mayWriteTo(peer, isBlocked),
      ...(readMsgId !== '' && { readMsgId }),
      unreadCount,
      ...(mentionMsgId > readMsgId && { mentionMsgId }),
      ...(lifetimeDays !== undefined && { lifetimeDays }),
      ...(lastMessage ? { lastMessage } : { position: orderOf(entry) }),
      ...(lastSender && { lastSender }),
    };
  });
}
