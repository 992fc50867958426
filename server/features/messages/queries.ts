import type { CachedKey } from '#features/applications/index.ts';
import type { SealedBody } from '#platform/crypto/sealed-body.ts';
import type { Db, Tx } from '#platform/database.ts';
import { isOneOf } from '#platform/partitioning/keys.ts';

/** The key of a conversation. */
export interface ConversationKey {
  bucket: number;
  conversationId: string;
}

/** The full key of a message: its id alone does not determine its conversation. */
export interface MessageKey extends ConversationKey {
  msgId: string;
}

/** The condition that a row is of this conversation. */
export function isOfConversation(db: Db, { bucket, conversationId }: ConversationKey) {
  return db`bucket = ${bucket} and conversation_id = ${conversationId}`;
}

/** The condition that a row is of this message. */
export function isOfMessage(db: Db, key: MessageKey) {
  return db`${isOfConversation(db, key)} and msg_id = ${key.msgId}`;
}

export interface MessageRow extends MessageKey, SealedBody {
  senderId: string;
  type: string;
  replyToMsgId: string | null;
  sentAt: number;
}

/** A message to be stored, with the values that the permission checks of the statement compare. */
export interface NewRow extends MessageRow {
  /** The recipient of a bot's message. */
  recipientId?: string | undefined;
  /** The bot's cached key; missing if it was looked up for this request. */
  cachedKey?: CachedKey | undefined;
}

/** The columns of {@link MessageRow}. */
export function messageColumns(db: Db) {
  return db`bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, reply_to_msg_id, sent_at`;
}

/** Which of the given messages exist; several at once, for a batch of sends. */
export async function findMessageIds(
  db: Db,
  keys: MessageKey[],
  which = db``,
): Promise<Omit<MessageKey, 'bucket'>[]> {
  if (keys.length === 0) return [];
  return db`
    select conversation_id, msg_id
    from messages
    where ${isOneOf(db, keys, ['conversationId', 'msgId'])} ${which}`;
}

/**
 * Which of the given messages can be quoted: somebody wrote them, and they are not deleted.
 *
 * @param isKept they do not expire before the transaction ends: the foreign key of a quote finds them
 */
export async function findQuotable(
  db: Db,
  keys: MessageKey[],
  { isKept = false } = {},
): Promise<Omit<MessageKey, 'bucket'>[]> {
  if (keys.length === 0) return [];
  const locked = isKept ? db`order by msg_id for key share` : db``;
  return findMessageIds(db, keys, db`and type not in ('deleted', 'notice') ${locked}`);
}

/** Replaces the body of a message. */
export async function updateBody(tx: Tx, row: MessageRow): Promise<void> {
  await tx`
    update messages set type = ${row.type}, body = ${row.body}, body_key_id = ${row.bodyKeyId}
    where ${isOfMessage(tx, row)}`;
}

export async function findMessage(db: Db, key: MessageKey): Promise<MessageRow | undefined> {
  const [row] = await db<MessageRow[]>`
    select ${messageColumns(db)} from messages where ${isOfMessage(db, key)}`;
  return row;
}

/** The given messages, in no order; several at once, for quotes and for a person's list. */
export async function findMessages(db: Db, keys: MessageKey[]): Promise<MessageRow[]> {
  if (keys.length === 0) return [];
  return db<MessageRow[]>`
    select ${messageColumns(db)} from messages
    where ${isOneOf(db, keys, ['conversationId', 'msgId'])}`;
}

/** A conversation, and the message up to which its reader has hidden it. */
export interface ReadConversation extends ConversationKey {
  /** Empty when nothing is hidden. */
  hiddenMsgId: string;
}

/** Messages before the given one, or the newest; newest first. */
export async function findOlder(
  db: Db,
  conversation: ReadConversation,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<MessageRow[]> {
  return db<MessageRow[]>`
    select ${messageColumns(db)} from messages
    where ${isOfConversation(db, conversation)} and msg_id > ${conversation.hiddenMsgId}
      ${before === undefined ? db`` : db`and msg_id < ${before}`}
    order by msg_id desc
    limit ${limit}`;
}

/** Messages after the given one, or from it on; oldest first. */
export async function findNewer(
  db: Db,
  conversation: ReadConversation,
  { from, isIncluded, limit }: { from: string; isIncluded: boolean; limit: number },
): Promise<MessageRow[]> {
  return db<MessageRow[]>`
    select ${messageColumns(db)} from messages
    where ${isOfConversation(db, conversation)} and msg_id > ${conversation.hiddenMsgId}
      and msg_id ${isIncluded ? db`>=` : db`>`} ${from}
    order by msg_id
    limit ${limit}`;
}

/** Locks a message against changes until the transaction ends; others may still quote it. */
export async function lockMessage(tx: Tx, key: MessageKey): Promise<MessageRow | undefined> {
  const [row] = await tx<MessageRow[]>`
    select ${messageColumns(tx)} from messages where ${isOfMessage(tx, key)} for no key update`;
  return row;
}
