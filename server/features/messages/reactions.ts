import type { ChatMessage } from '#contract/chat.ts';
import type { Reactions } from '#contract/reactions.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Db, Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { isOneOf } from '#platform/partitioning/keys.ts';
import type { MessageDeps } from './deps.ts';
import type { MessageKey } from './queries.ts';

/** The reactions to one message, sealed. */
export interface ReactionRow extends MessageKey {
  version: number;
  body: Buffer;
  bodyKeyId: number;
}

function columns(db: Db) {
  return db`bucket, conversation_id, msg_id, version, body, body_key_id`;
}

/** Those to the given messages; several at once, for a page of a conversation. */
export async function selectReactions(db: Db, keys: MessageKey[]): Promise<ReactionRow[]> {
  return db<ReactionRow[]>`
    select ${columns(db)} from reactions
    where ${isOneOf(db, keys, ['conversationId', 'msgId'])}`;
}

/** One page of those in a conversation, in the order of the messages. */
export async function selectReactionsAfter(
  db: Db,
  { bucket, conversationId }: Pick<MessageKey, 'bucket' | 'conversationId'>,
  { after, limit }: { after: string; limit: number },
): Promise<ReactionRow[]> {
  return db<ReactionRow[]>`
    select ${columns(db)} from reactions
    where bucket = ${bucket} and conversation_id = ${conversationId} and msg_id > ${after}
    order by msg_id
    limit ${limit}`;
}

/** For callers that have locked the message. */
export async function upsertReactions(tx: Tx, row: ReactionRow): Promise<void> {
  await tx`
    insert into reactions (bucket, conversation_id, msg_id, version, body, body_key_id)
    values (${row.bucket}, ${row.conversationId}, ${row.msgId}, ${row.version}, ${row.body}, ${row.bodyKeyId})
    on conflict (bucket, conversation_id, msg_id) do update
    set version = excluded.version, body = excluded.body, body_key_id = excluded.body_key_id`;
}

export async function deleteReactions(tx: Tx, { bucket, conversationId, msgId }: MessageKey): Promise<void> {
  await tx`
    delete from reactions
    where bucket = ${bucket} and conversation_id = ${conversationId} and msg_id = ${msgId}`;
}

/** The reactions to those of the given messages that have or had any. */
export async function findReactions(
  { db, keyring }: { db: Db; keyring: Keyring },
  keys: MessageKey[],
): Promise<ReadonlyMap<string, Reactions>> {
  const rows = keys.length === 0 ? [] : await selectReactions(db, keys);
  return new Map(rows.map((row) => [row.msgId, openReactions(keyring, row)]));
}

/** Adds the reactions to the messages that have any. */
export async function withReactions(deps: MessageDeps, messages: ChatMessage[]): Promise<ChatMessage[]> {
  const keys = messages.map(({ conversationId, msgId }) => ({
    bucket: bucketOf(conversationId),
    conversationId,
    msgId,
  }));
  const reactionsTo = await findReactions(deps, keys);
  return messages.map((message) => {
    const reactions = reactionsTo.get(message.msgId);
    return reactions ? { ...message, reactions } : message;
  });
}

/** Unreadable reactions are shown as none. */
export function openReactions(keyring: Keyring, row: ReactionRow): Reactions {
  const { msgId, version, bodyKeyId: keyId, body: ciphertext } = row;
  const opened = keyring.openIfReadable({ table: 'reactions', rowId: msgId }, { keyId, ciphertext });
  return { version, given: opened ? JSON.parse(opened.toString()) : [] };
}

export function sealReactions(
  keyring: Keyring,
  key: Pick<ReactionRow, 'bucket' | 'conversationId' | 'msgId'>,
  { version, given }: Reactions,
): ReactionRow {
  const context = { table: 'reactions', rowId: key.msgId };
  const { ciphertext, keyId } = keyring.seal(context, Buffer.from(JSON.stringify(given)));
  return { ...key, version, body: ciphertext, bodyKeyId: keyId };
}
