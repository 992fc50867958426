import type { Reactions } from '#contract/reactions.ts';
import { IMPORTED_AT_ONCE, inChunks } from '#platform/database/chunks.ts';
import type { Db, Tx } from '#platform/database.ts';
import { readByShard, type Shards } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import type { ListedConversation } from './access/queries.ts';
import { type StoredContent, toMessageRow } from './content.ts';
import { insertMessages } from './insert-queries.ts';
import { insertPin } from './pins.ts';
import { findMessageIds, type MessageKey } from './queries.ts';
import { type ReactionRow, sealReactions } from './reactions.ts';

/** A message of another server or product, with its old time. */
export interface ImportedMessage extends MessageKey {
  senderId: string;
  content: StoredContent;
  sentAt: number;
  reactions: Reactions['given'];
}

/** Which of the messages are here. */
export async function findImported(
  { db, shards }: { db: Db; shards: Shards },
  keys: readonly MessageKey[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const found = await readByShard(shards, keys, (asked) => findMessageIds(db, [...asked]));
  return new Set(found.map(({ msgId }) => msgId));
}

/**
 * Removes quotes of messages that are neither here nor among the given ones.
 *
 * @returns how many there were
 */
export async function dropMissingQuotes(
  deps: { db: Db; shards: Shards },
  messages: readonly ImportedMessage[],
): Promise<number> {
  const own = new Set(messages.map(({ msgId }) => msgId));
  const quoting = messages.filter(({ content: { replyToMsgId: id } }) => id !== undefined && !own.has(id));
  const keys = quoting.map(({ bucket, conversationId, content }) => ({
    bucket,
    conversationId,
    msgId: content.replyToMsgId as string,
  }));
  const found = await findImported(deps, keys);
  const missing = quoting.filter(({ content }) => !found.has(content.replyToMsgId as string));
  for (const { content } of missing) content.replyToMsgId = undefined;
  return missing.length;
}

/**
 * Stores messages with their reactions, without events, notifications or unread marks. Those that are here stay as they are.
 *
 * @returns the ids that were new
 */
export async function importMessages(
  tx: Tx,
  { keyring }: Pick<Platform, 'keyring'>,
  messages: readonly ImportedMessage[],
): Promise<Set<string>> {
  const fresh = new Set<string>();
  for (const part of inChunks(messages, IMPORTED_AT_ONCE)) {
    const rows = part.map((message) => toMessageRow(keyring, message));
    for (const msgId of await insertMessages(tx, rows)) fresh.add(msgId);
  }
  const reacted = messages.filter(({ msgId, reactions }) => fresh.has(msgId) && reactions.length > 0);
  const rows = reacted.map(({ bucket, conversationId, msgId, reactions }) =>
    sealReactions(keyring, { bucket, conversationId, msgId }, { version: 1, given: reactions }),
  );
  for (const part of inChunks(rows, IMPORTED_AT_ONCE)) await insertReactions(tx, part);
  return fresh;
}

async function insertReactions(tx: Tx, rows: ReactionRow[]): Promise<void> {
  await tx`
    insert into reactions ${tx(rows, 'bucket', 'conversationId', 'msgId', 'version', 'body', 'bodyKeyId')}
    on conflict (bucket, conversation_id, msg_id) do nothing`;
}

/** Pins messages that are here, the first one first. */
export async function importPins(
  tx: Tx,
  deps: { shards: Shards },
  pins: readonly (MessageKey & { by: string; at: number })[],
): Promise<void> {
  const found = await findImported({ db: tx, shards: deps.shards }, pins);
  for (const pin of pins) if (found.has(pin.msgId)) await insertPin(tx, pin);
}

/** A conversation in somebody's list. */
type Listing = { accountId: string } & Pick<
  ListedConversation,
  'conversationId' | 'bucket' | 'kind' | 'peerId' | 'createdAt' | 'readMsgId'
>;

/** Lists a conversation for people who have read it, up to its last message; moves their markers where it is listed already. */
export async function importListings(
  tx: Tx,
  listings: readonly Listing[],
  { isNew }: { isNew: boolean },
): Promise<void> {
  const ordered = listings.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1));
  for (const part of inChunks(ordered, IMPORTED_AT_ONCE))
    await (isNew ? upsertListings(tx, part) : updateMarkers(tx, part));
}

async function upsertListings(tx: Tx, listings: readonly Listing[]): Promise<void> {
  await tx`
    insert into account_conversations as listed
      ${tx(listings, 'accountId', 'conversationId', 'bucket', 'kind', 'peerId', 'createdAt', 'readMsgId')}
    on conflict (account_id, conversation_id) do update set read_msg_id = excluded.read_msg_id
      where excluded.read_msg_id > coalesce(listed.read_msg_id, '')`;
}

/** Of a conversation that those who have left it do not get back. */
async function updateMarkers(tx: Tx, listings: readonly Listing[]): Promise<void> {
  const [{ conversationId = '', readMsgId = '' } = {}] = listings;
  await tx`
    update account_conversations set read_msg_id = ${readMsgId}
    where account_id = any(${listings.map(({ accountId }) => accountId)}) and conversation_id = ${conversationId}
      and (read_msg_id is null or read_msg_id < ${readMsgId})`;
}
