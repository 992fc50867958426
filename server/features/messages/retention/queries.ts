import type { Db, Tx } from '#platform/database.ts';
import { isOneOf } from '#platform/partitioning/keys.ts';
import { type ShardScope, withinShard } from '#platform/partitioning/shards.ts';
import {
  type ConversationKey,
  isOfConversation,
  type MessageKey,
  type MessageRow,
  messageColumns,
} from '../queries.ts';

/**
 * The conversations of a bucket whose oldest message is before the given id, without held ones. The query steps
 * from conversation to conversation along the primary key: one that is not due costs a single index probe.
 */
export async function selectDue(
  db: Db,
  { bucket, before }: { bucket: number; before: string },
): Promise<string[]> {
  const rows = await db<{ conversationId: string }[]>`
    with recursive oldest as (
      (select conversation_id, msg_id from messages where bucket = ${bucket}
        order by conversation_id, msg_id limit 1)
      union all
      select following.conversation_id, following.msg_id
      from oldest cross join lateral (
        select conversation_id, msg_id from messages
        where bucket = ${bucket} and conversation_id > oldest.conversation_id
        order by conversation_id, msg_id limit 1
      ) following
    )
    select conversation_id from oldest
    where msg_id < ${before} and not exists (
      select from conversation_retention held
      where held.bucket = ${bucket} and held.conversation_id = oldest.conversation_id and held.held_at is not null
    )`;
  return rows.map(({ conversationId }) => conversationId);
}

export async function selectLimited(
  db: Db,
  { shards, part }: ShardScope,
): Promise<(ConversationKey & { lifetimeDays: number })[]> {
  return db`
    select bucket, conversation_id, lifetime_days from conversation_retention
    where lifetime_days is not null and held_at is null ${withinShard(db, shards, part)}
    order by bucket, conversation_id`;
}

/**
 * The oldest messages of a conversation before the given id; skips those that another transaction has locked.
 */
export async function lockOldest(
  tx: Tx,
  key: ConversationKey,
  { before, limit }: { before: string; limit: number },
): Promise<MessageRow[]> {
  return tx<MessageRow[]>`
    select ${messageColumns(tx)} from messages where ${isOfConversation(tx, key)} and msg_id < ${before}
    order by msg_id limit ${limit}
    for update skip locked`;
}

/** Waits until concurrent deletions of these rows have finished. */
export async function waitForOldest(tx: Tx, key: ConversationKey, limit: number) {
  await tx`
    select msg_id from messages where ${isOfConversation(tx, key)} order by msg_id limit ${limit} for share`;
}

/** Clears the quotes of deleted messages in messages that stay. */
export async function clearQuotes(tx: Tx, key: ConversationKey, msgIds: string[]) {
  await tx`
    update messages set reply_to_msg_id = null
    where ${isOfConversation(tx, key)} and reply_to_msg_id = any(${msgIds})`;
}

/** Also deletes their reactions, pins and polls. */
export async function deleteMessages(tx: Tx, key: ConversationKey, msgIds: string[]) {
  await tx`delete from messages where ${isOfConversation(tx, key)} and msg_id = any(${msgIds})`;
}

/** At most this period for a conversation with messages. */
export async function limitLifetime(
  tx: Tx,
  { bucket, conversationId }: ConversationKey,
  days: number,
): Promise<void> {
  if (!(await hasMessages(tx, { bucket, conversationId }))) return;
  await tx`
    insert into conversation_retention as kept (bucket, conversation_id, lifetime_days)
    values (${bucket}, ${conversationId}, ${days})
    on conflict (bucket, conversation_id) do update
    set lifetime_days = least(kept.lifetime_days, excluded.lifetime_days)`;
}

/** Deletes the period of a conversation that does not exist any more, unless it is held. */
export async function deleteLifetime(tx: Tx, key: ConversationKey): Promise<void> {
  await tx`delete from conversation_retention where ${isOfConversation(tx, key)} and held_at is null`;
}

export interface RetentionRow {
  conversationId: string;
  lifetimeDays: number | null;
  heldAt: number | null;
}

export async function selectRetention(db: Db, keys: readonly ConversationKey[]): Promise<RetentionRow[]> {
  if (keys.length === 0) return [];
  return db<RetentionRow[]>`
    select conversation_id, lifetime_days, held_at from conversation_retention
    where ${isOneOf(db, keys, ['conversationId'])}`;
}

/** Null for the server's setting. */
export async function upsertLifetime(
  tx: Tx,
  { bucket, conversationId }: ConversationKey,
  days: number | null,
) {
  await tx`
    insert into conversation_retention as kept (bucket, conversation_id, lifetime_days)
    values (${bucket}, ${conversationId}, ${days})
    on conflict (bucket, conversation_id) do update set lifetime_days = excluded.lifetime_days`;
}

/** False if it is already held. */
export async function upsertHold(tx: Tx, { bucket, conversationId }: ConversationKey, at: number) {
  const rows = await tx`
    insert into conversation_retention as kept (bucket, conversation_id, held_at)
    values (${bucket}, ${conversationId}, ${at})
    on conflict (bucket, conversation_id) do update set held_at = excluded.held_at
    where kept.held_at is null returning conversation_id`;
  return rows.length === 1;
}

/** False if it was not held. */
export async function clearHold(tx: Tx, key: ConversationKey): Promise<boolean> {
  const rows = await tx`
    update conversation_retention set held_at = null
    where ${isOfConversation(tx, key)} and held_at is not null
    returning conversation_id`;
  return rows.length === 1;
}

/** The oldest first: a read over all shards; they are few. */
export async function selectHeld(db: Db): Promise<{ conversationId: string; heldAt: number }[]> {
  return db`
    select conversation_id, held_at from conversation_retention where held_at is not null order by held_at`;
}

export async function hasMessages(db: Db, key: ConversationKey): Promise<boolean> {
  const rows = await db`select msg_id from messages where ${isOfConversation(db, key)} limit 1`;
  return rows.length === 1;
}

/** Whether there is such a conversation, with messages or, as a new group, without any. Of a cleared group, only the id is left. */
export async function isConversation(db: Db, key: ConversationKey): Promise<boolean> {
  const { bucket, conversationId } = key;
  const [row] = await db<{ isThere: boolean }[]>`
    select exists (select from messages where ${isOfConversation(db, key)})
      or exists (select from groups where bucket = ${bucket} and group_id = ${conversationId} and name <> '')
      or exists (select from contacts where ${isOfConversation(db, key)}) as is_there`;
  return row?.isThere === true;
}

/** Stores the previous version of a message under a legal hold; false if there is no hold. */
export async function keepIfHeld(
  tx: Tx,
  { bucket, conversationId, msgId }: MessageKey,
  at: number,
): Promise<boolean> {
  const rows = await tx`
    insert into held_messages as kept
      (bucket, conversation_id, msg_id, version, kept_at, sender_id, type, body, body_key_id)
    select message.bucket, message.conversation_id, message.msg_id,
      (select coalesce(max(version), 0) + 1 from held_messages before
        where before.bucket = ${bucket} and before.conversation_id = ${conversationId} and before.msg_id = ${msgId}),
      ${at}::bigint, message.sender_id, message.type,
      message.body, message.body_key_id
    from messages message
    join conversation_retention held
      on held.bucket = message.bucket and held.conversation_id = message.conversation_id
    where message.bucket = ${bucket} and held.bucket = ${bucket} and message.conversation_id = ${conversationId}
      and message.msg_id = ${msgId} and held.held_at is not null
    returning kept.msg_id`;
  return rows.length === 1;
}

/** Up to `limit` conversations whose hold has ended but which still have kept messages. */
export async function selectReleased(
  db: Db,
  { limit, shards, part }: ShardScope & { limit: number },
): Promise<ConversationKey[]> {
  const within = (table: string) => withinShard(db, shards, part, table);
  return db`
    select distinct kept.bucket, kept.conversation_id
    from held_messages kept
    where not exists (
      select from conversation_retention held
      where held.bucket = kept.bucket and held.conversation_id = kept.conversation_id and held.held_at is not null
        ${within('held')}
    ) ${within('kept')} limit ${limit}`;
}

export type HeldRow = Pick<MessageRow, 'msgId' | 'senderId' | 'type' | 'body' | 'bodyKeyId'>;

export async function deleteKept(tx: Tx, key: ConversationKey, limit: number): Promise<HeldRow[]> {
  return tx<HeldRow[]>`
    delete from held_messages
    where ${isOfConversation(tx, key)} and (msg_id, version) in (
      select msg_id, version from held_messages
      where ${isOfConversation(tx, key)} order by msg_id, version limit ${limit}
    )
    returning msg_id, sender_id, type, body, body_key_id`;
}
