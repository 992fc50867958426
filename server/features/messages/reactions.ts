import type { ChatMessage } from '#contract/chat.ts';
import type { Reactions } from '#contract/reactions.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import { openSealed, type SealedBody, sealed } from '#platform/crypto/sealed-body.ts';
import type { Db, Tx } from '#platform/database.ts';
import { bucketOf } from '#platform/ids.ts';
import { isOneOf } from '#platform/partitioning/keys.ts';
import type { MessageDeps } from './deps.ts';
import { type ConversationKey, isOfConversation, isOfMessage, type MessageKey } from './queries.ts';

/** The reactions to one message, sealed. */
export interface ReactionRow extends MessageKey, SealedBody {
  version: number;
}

function columns(db: Db) {
  return db`bucket, conversation_id, msg_id, version, body, body_key_id`;
}

/** Those to the given messages; several at once, for a page of a conversation. */
export async function selectReactions(db: Db, keys: MessageKey[]): Promise<ReactionRow[]> {
  if (keys.length === 0) return [];
  return db<ReactionRow[]>`
    select ${columns(db)} from reactions
    where ${isOneOf(db, keys, ['conversationId', 'msgId'])}`;
}

/** One page of those in a conversation, in the order of the messages. */
export async function selectReactionsAfter(
  db: Db,
  conversation: ConversationKey,
  { after, limit }: { after: string; limit: number },
): Promise<ReactionRow[]> {
  return db<ReactionRow[]>`
    select ${columns(db)} from reactions
    where ${isOfConversation(db, conversation)} and msg_id > ${after}
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

export async function deleteReactions(tx: Tx, key: MessageKey): Promise<void> {
  await tx`delete from reactions where ${isOfMessage(tx, key)}`;
}

/** The reactions to those of the given messages that have or had any. */
export async function findReactions(
  { db, keyring }: { db: Db; keyring: Keyring },
  keys: MessageKey[],
): Promise<ReadonlyMap<string, Reactions>> {
  const rows = await selectReactions(db, keys);
  return new Map(rows.map((row) => [row.msgId, openReactions(keyring, row)]));
}

/** Adds the reactions to the messages that have any. */
export async function withReactions(deps: MessageDeps, messages: ChatMessage[]): Promise<ChatMessage[]> {
  const keys = messages.map((message) => ({ ...message, bucket: bucketOf(message.conversationId) }));
  const reactionsTo = await findReactions(deps, keys);
  return messages.map((message) => {
    const reactions = reactionsTo.get(message.msgId);
    return reactions ? { ...message, reactions } : message;
  });
}

/** Unreadable reactions are shown as none. */
export function openReactions(keyring: Keyring, row: ReactionRow): Reactions {
  const given = openSealed<Reactions['given']>(keyring, contextOf(row), row) ?? [];
  return { version: row.version, given };
}

export function sealReactions(
  keyring: Keyring,
  { bucket, conversationId, msgId }: MessageKey,
  { version, given }: Reactions,
): ReactionRow {
  const key = { bucket, conversationId, msgId };
  return { ...key, version, ...sealed(keyring, contextOf(key), given) };
}

function contextOf({ msgId }: MessageKey) {
  return { table: 'reactions', rowId: msgId };
}
