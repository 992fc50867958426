import type { Notify } from '#contract/chat/conversation-settings.ts';
import type { Statement } from '#platform/database/statement.ts';
import type { Db, Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { readByShard, type Shards, withinShard } from '#platform/partitioning/shards.ts';

/** A conversation in a person's list. */
export interface ListedConversation {
  conversationId: string;
  bucket: number;
  kind: 'private' | 'group';
  peerId: string | null;
  createdAt: number;
  readMsgId: string | null;
  hiddenMsgId: string | null;
  isMuted: boolean;
  mutedUntil: number | null;
  notifyOf: Notify;
  hasSound: boolean;
  pinnedAt: number | null;
  archivedMsgId: string | null;
  settingsVersion: number;
  /** The person has a draft in it. */
  hasDraft: boolean;
}

/** Before every message: a conversation without messages is hidden, or archived, from the beginning. */
export const NO_MESSAGE = 'msg_';
/** Set if the conversation came into the list with only a draft. */
const ONLY_A_DRAFT = '';

/** The columns of {@link ListedConversation} but for `hasDraft`. */
export function listedColumns(db: Db) {
  return db`conversation_id, bucket, kind, peer_id, created_at, read_msg_id, hidden_msg_id, is_muted, muted_until,
    notify_of, has_sound, pinned_at, archived_msg_id, settings_version`;
}

function listedOf(db: Db, accountId: string) {
  return db`
    select ${listedColumns(db)}, conversation_id in (select conversation_id from drafts where account_id = ${accountId}) as has_draft
    from account_conversations where account_id = ${accountId}`;
}

/** The conversations of a person, hidden ones included, in no order. */
export async function selectListed(db: Db, accountId: string): Promise<ListedConversation[]> {
  return db<ListedConversation[]>`${listedOf(db, accountId)}`;
}

export async function selectOneListed(
  db: Db,
  accountId: string,
  conversationId: string,
): Promise<ListedConversation | undefined> {
  const [listed] = await db<ListedConversation[]>`
    ${listedOf(db, accountId)} and conversation_id = ${conversationId}`;
  return listed;
}

/** Those with whom a person has a private chat, bots included; not those with only a draft. */
export async function selectPeerIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db<{ peerId: string }[]>`
    select peer_id from account_conversations
    where account_id = ${accountId} and kind = 'private'
      and (hidden_msg_id is distinct from ${ONLY_A_DRAFT} or read_msg_id is not null)`;
  return rows.map(({ peerId }) => peerId);
}

/** The id of the newest message of each conversation, from the index alone. */
export function selectLatestIds(
  db: Db,
  shards: Shards,
  conversations: readonly { bucket: number; conversationId: string }[],
): Promise<{ conversationId: string; msgId: string }[]> {
  return readByShard(
    shards,
    conversations,
    async (asked) => db<{ conversationId: string; msgId: string }[]>`
      select asked.conversation_id, latest.msg_id
      from unnest(${asked.map((c) => c.bucket)}::integer[], ${asked.map((c) => c.conversationId)}::text[])
        as asked (bucket, conversation_id)
      cross join lateral (
        select msg_id from messages
        where bucket = asked.bucket and conversation_id = asked.conversation_id ${withinShard(db, shards, asked)}
        order by msg_id desc
        limit 1
      ) latest`,
  );
}

/** A private conversation as it comes into a person's list. */
interface PrivateEntry {
  accountId: string;
  conversationId: string;
  peerId: string;
  createdAt: number;
  /** Moves the person's read marker forward. */
  readMsgId: string | null;
}

/** In which every transaction should lock the rows of accounts. */
export function inAccountOrder<Row extends { accountId: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1));
}

/** The entry with the latest message of each row, in the order in which every transaction should lock the rows. */
export function latestInOrder<Entry extends { accountId: string; conversationId: string }>(
  entries: readonly Entry[],
  msgIdOf: (entry: Entry) => string | null,
): Entry[] {
  const latest = new Map<string, Entry>();
  for (const entry of entries) {
    const key = entry.accountId + entry.conversationId;
    const known = latest.get(key);
    if (!known || (msgIdOf(entry) ?? '') > (msgIdOf(known) ?? '')) latest.set(key, entry);
  }
  return [...latest].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry);
}

/**
 * Adds private conversations to the lists of people, and moves their read markers forward. One statement in the order of the
 * accounts, so that two people who write to each other at the same moment do not deadlock.
 */
export async function listPrivateConversations(
  tx: Tx,
  { isDistributed }: Pick<Shards, 'isDistributed'>,
  entries: readonly PrivateEntry[],
): Promise<void> {
  const listed = latestInOrder(entries, ({ readMsgId }) => readMsgId).map(({ conversationId, ...entry }) => {
    return { ...entry, conversationId, bucket: bucketOf(conversationId), kind: 'private' };
  });
  // Citus writes the rows of several shards in no order.
  for (const part of isDistributed ? listed.map((one) => [one]) : [listed])
    await upsertListings(
      tx,
      tx`${tx(part, 'accountId', 'conversationId', 'bucket', 'kind', 'peerId', 'createdAt', 'readMsgId')}`,
    );
}

/** Adds conversations to the lists of people; where one is listed already, only its read marker moves, and only forward. */
export async function upsertListings(tx: Tx, rows: Statement): Promise<void> {
  await tx`
    insert into account_conversations as listed ${rows}
    on conflict (account_id, conversation_id) do update set read_msg_id = excluded.read_msg_id
      where excluded.read_msg_id > coalesce(listed.read_msg_id, '')`;
}

/** Adds a private conversation without messages to the list of one side only, hidden except for its draft. */
export async function listWithDraft(
  tx: Tx,
  { accountId, conversationId, peerId, createdAt }: Omit<PrivateEntry, 'readMsgId'>,
): Promise<void> {
  await tx`
    insert into account_conversations
      (account_id, conversation_id, bucket, kind, peer_id, created_at, hidden_msg_id)
    values (${accountId}, ${conversationId}, ${bucketOf(conversationId)}, 'private', ${peerId}, ${createdAt},
      ${ONLY_A_DRAFT})
    on conflict (account_id, conversation_id) do nothing`;
}

/**
 * Those of the accounts that want a notification of the message and have not read it yet: a read over their
 * shards.
 */
export async function selectWanting(
  db: Db,
  accountIds: string[],
  message: { conversationId: string; msgId: string; mentionedUserIds: string[]; at: number },
): Promise<{ accountId: string; hasSound: boolean }[]> {
  const { conversationId, msgId, mentionedUserIds, at } = message;
  return db<{ accountId: string; hasSound: boolean }[]>`
    select account_id, has_sound from account_conversations
    where account_id = any(${accountIds}) and conversation_id = ${conversationId}
      and (not is_muted or muted_until <= ${at}) and (notify_of = 'all' or account_id = any(${mentionedUserIds}))
      and (read_msg_id is null or read_msg_id < ${msgId})`;
}

/**
 * Those of the given people who have one of the given conversations: a read over their shards, rarely needed.
 */
export async function selectHolders(
  db: Db,
  accountIds: readonly string[],
  conversationIds: readonly string[],
): Promise<{ accountId: string; conversationId: string }[]> {
  return db<{ accountId: string; conversationId: string }[]>`
    select account_id, conversation_id from account_conversations
    where account_id = any(${[...accountIds]}) and conversation_id = any(${[...conversationIds]})`;
}

/** Whether the others may see that it has been read. */
export async function updateHidden(
  tx: Tx,
  { accountId, conversationId, msgId }: { accountId: string; conversationId: string; msgId: string },
): Promise<{ isShown: boolean } | undefined> {
  const [hidden] = await tx<{ isShown: boolean }[]>`
    update account_conversations as listed
    set hidden_msg_id = greatest(listed.hidden_msg_id, ${msgId}),
      read_msg_id = greatest(listed.read_msg_id, ${msgId}),
      pinned_at = null, archived_msg_id = null, settings_version = listed.settings_version + 1
    from accounts
    where listed.account_id = ${accountId} and listed.conversation_id = ${conversationId}
      and accounts.account_id = listed.account_id
    returning accounts.read_receipts as is_shown`;
  return hidden;
}

export async function insertHidden(tx: Tx, accountId: string, msgId: string): Promise<void> {
  await tx`
    insert into hidden_messages (account_id, msg_id) values (${accountId}, ${msgId}) on conflict do nothing`;
}

/** Those of the messages that a person did not delete for themselves. */
export async function withoutHidden<Message extends { msgId: string }>(
  db: Db,
  accountId: string,
  messages: readonly Message[],
): Promise<Message[]> {
  if (messages.length === 0) return [];
  const rows = await db<{ msgId: string }[]>`
    select msg_id from hidden_messages
    where account_id = ${accountId} and msg_id = any(${messages.map(({ msgId }) => msgId)})`;
  const hidden = new Set(rows.map(({ msgId }) => msgId));
  return messages.filter(({ msgId }) => !hidden.has(msgId));
}

export async function deleteHidden(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from hidden_messages where account_id = ${accountId}`;
}
