import type { Reactions } from '#contract/reactions.ts';
import { IMPORTED_AT_ONCE, inChunks } from '#platform/database/chunks.ts';
import type { Db, Tx } from '#platform/database.ts';
import { readByShard, type Shards } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { insertMentions, type Mention } from './access/mention-queries.ts';
import { inAccountOrder, type ListedConversation, upsertListings } from './access/queries.ts';
import { type StoredContent, toMessageRow } from './content.ts';
import { insertMessages } from './insert-queries.ts';
import { insertPin } from './pins.ts';
import { type ConversationKey, findMessageIds, type MessageKey } from './queries.ts';
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
  const rows = reacted.map(({ reactions: given, ...key }) =>
    sealReactions(keyring, key, { version: 1, given }),
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

/** A conversation in somebody's list on another server, with how they keep it. */
export type OwnSettingsRow = {
  accountId: string;
  deliveredMsgId: string | null;
} & Omit<ListedConversation, 'settingsVersion' | 'hasDraft'>;

type Listing = Pick<
  OwnSettingsRow,
  'accountId' | 'conversationId' | 'bucket' | 'kind' | 'peerId' | 'createdAt' | 'readMsgId'
>;

/** Lists a conversation for people who have read it, up to its last message; one that is not new is not listed again for those who have left it. */
export async function importListings(
  tx: Tx,
  listings: readonly Listing[],
  { isNew }: { isNew: boolean },
): Promise<void> {
  if (!isNew) return moveMarkers(tx, listings);
  for (const part of inChunks(inAccountOrder(listings), IMPORTED_AT_ONCE))
    await upsertListings(
      tx,
      tx`${tx(part, 'accountId', 'conversationId', 'bucket', 'kind', 'peerId', 'createdAt', 'readMsgId')}`,
    );
}

/** Lists conversations for people as they had them. */
export async function importOwnSettings(tx: Tx, listings: readonly OwnSettingsRow[]): Promise<void> {
  for (const part of inChunks(inAccountOrder(listings), IMPORTED_AT_ONCE))
    await upsertListings(
      tx,
      tx`${tx(part, 'accountId', 'conversationId', 'bucket', 'kind', 'peerId', 'createdAt', 'readMsgId', 'hiddenMsgId', 'deliveredMsgId', 'archivedMsgId', 'isMuted', 'mutedUntil', 'notifyOf', 'hasSound', 'pinnedAt')}`,
    );
}

/** Moves the markers of people who have the conversation in their list. */
export async function moveMarkers(
  tx: Tx,
  listings: readonly Pick<OwnSettingsRow, 'accountId' | 'conversationId' | 'readMsgId'>[],
): Promise<void> {
  // They are sent at once and run in this order: a group may have a thousand members.
  await Promise.all(
    inAccountOrder(listings).map(
      ({ accountId, conversationId, readMsgId }) =>
        readMsgId !== null &&
        tx`
          update account_conversations set read_msg_id = ${readMsgId}
          where account_id = ${accountId} and conversation_id = ${conversationId}
            and (read_msg_id is null or read_msg_id < ${readMsgId})`,
    ),
  );
}

/** Messages that mention people who have not read them. */
export async function importMentions(tx: Tx, mentions: readonly Mention[]): Promise<void> {
  for (const part of inChunks(mentions, IMPORTED_AT_ONCE)) await insertMentions(tx, part);
}

/** For how long people keep the messages of conversations; here it may have been decided already. */
export async function importRetention(
  tx: Tx,
  rows: readonly (ConversationKey & { lifetimeDays: number })[],
): Promise<void> {
  for (const part of inChunks(rows, IMPORTED_AT_ONCE))
    await tx`
      insert into conversation_retention ${tx(part, 'bucket', 'conversationId', 'lifetimeDays')}
      on conflict (bucket, conversation_id) do nothing`;
}

/** Messages that people deleted for themselves. */
export async function importHidden(
  tx: Tx,
  rows: readonly { accountId: string; msgId: string }[],
): Promise<void> {
  for (const part of inChunks(rows, IMPORTED_AT_ONCE))
    await tx`
      insert into hidden_messages ${tx(part, 'accountId', 'msgId')} on conflict (account_id, msg_id) do nothing`;
}
