import type { Statement } from '#platform/database/statement.ts';
import type { Tx } from '#platform/database.ts';
import { type Shards, withinShard } from '#platform/partitioning/shards.ts';
import { findMessageIds, type MessageRow, type NewRow } from './queries.ts';

/**
 * Stores messages, except those whose id already exists (a repeated Idempotency-Key).
 *
 * @returns the ids that were new
 */
export async function insertMessages(tx: Tx, rows: MessageRow[]): Promise<string[]> {
  const inserted = await tx<{ msgId: string }[]>`
    insert into messages ${tx(rows, 'bucket', 'conversationId', 'msgId', 'senderId', 'type', 'body', 'bodyKeyId', 'replyToMsgId', 'sentAt')}
    on conflict (bucket, conversation_id, msg_id) do nothing
    returning msg_id`;
  return inserted.map((row) => row.msgId);
}

/**
 * Stores the messages whose sender may write in their group, according to `refuseToPost`, whose quoted message
 * exists, and whose cached key, if any, still lets this bot send. Silently skips the others and those that are
 * already stored, as `insertPermitted` does.
 *
 * @param recording writes the events of those that it stores
 * @returns the ids that were new
 */
export async function insertPermittedInGroups(
  tx: Tx,
  rows: NewRow[],
  shards: Pick<Shards, 'isDistributed'>,
  recording?: Statement,
): Promise<string[]> {
  const within = (table: string) => withinShard(tx, shards, rows, table);
  const permitted = tx`
    from ${asTable(tx, rows, shards)}
    cross join lateral (
      select groups.bucket, groups.group_id as conversation_id
      from groups
      join members on members.bucket = groups.bucket and members.group_id = groups.group_id
      where groups.bucket = sent.bucket and groups.group_id = sent.conversation_id and groups.deleted_at is null
        ${within('groups')} ${within('members')}
        and members.account_id = sent.sender_id
        and case when groups.is_broadcast then groups.creator_id = sent.sender_id
          else groups.send_messages or members.is_admin end
      limit 1
    ) target
    where true`;
  return insertThose(tx, rows, { permitted, shards, recording });
}

/**
 * Stores the messages whose recipient wrote to the bot and does not block it, whose quoted message exists, and
 * whose cached key, if any, still lets this bot send. Silently skips the others and those that are already
 * stored. Nearly every send is permitted, so one statement both checks and writes.
 *
 * Each contact and application is looked up separately (`limit 1`), because the planner would read all of them
 * for a few.
 *
 * @param recording writes the events of those that it stores
 * @returns the ids that were new
 */
export async function insertPermitted(
  tx: Tx,
  rows: NewRow[],
  shards: Pick<Shards, 'isDistributed'>,
  recording?: Statement,
): Promise<string[]> {
  const permitted = tx`
    from ${asTable(tx, rows, shards)}
    cross join lateral (
      select bucket, conversation_id, wrote_at, blocked_at
      from contacts
      where contacts.bucket = sent.bucket and conversation_id = sent.conversation_id and account_id = sent.recipient_id
        ${withinShard(tx, shards, rows, 'contacts')}
      limit 1
    ) target
    where target.wrote_at is not null and target.blocked_at is null`;
  return insertThose(tx, rows, { permitted, shards, recording });
}

interface Inserting {
  /** The permitted messages of `sent`, and their `target`. */
  permitted: Statement;
  shards: Pick<Shards, 'isDistributed'>;
  recording: Statement | undefined;
}

/**
 * One statement checks permissions and writes. Citus would plan it for every shard at each call, so there one
 * statement checks the rows and another writes them. A change between the two counts as later than both.
 */
async function insertThose(
  tx: Tx,
  rows: NewRow[],
  { permitted, shards, recording }: Inserting,
): Promise<string[]> {
  const those = tx`${permitted} ${unlessQuoteIsMissing(tx, rows, shards)} ${unlessKeyChanged(tx, rows, shards)}`;
  if (shards.isDistributed) {
    const found = await tx<{ msgId: string }[]>`select sent.msg_id ${those}`;
    const msgIds = new Set(found.map(({ msgId }) => msgId));
    return msgIds.size === 0
      ? []
      : insertMessages(
          tx,
          rows.filter(({ msgId }) => msgIds.has(msgId)),
        );
  }
  const insert = tx<{ msgId: string }[]>`
    insert into messages as stored
      (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, reply_to_msg_id, sent_at)
    select target.bucket, target.conversation_id, sent.msg_id, sent.sender_id, sent.type, sent.body,
      sent.body_key_id, sent.reply_to_msg_id, sent.sent_at
    ${those}
    ${unlessStored(tx, rows, recording)}`;
  return idsOfStored(tx, rows, insert, recording);
}

/**
 * Rows as the table `sent` of a statement. Arrays, because a statement of the same text for any number of rows is
 * prepared once and has few parameters.
 */
function asTable(tx: Tx, rows: NewRow[], { isDistributed }: Pick<Shards, 'isDistributed'>) {
  // On Citus they follow with the rows.
  const bodies = isDistributed ? [] : rows.map((row) => row.body);
  return tx`
    unnest(
        ${rows.map((row) => row.bucket)}::integer[], ${rows.map((row) => row.conversationId)}::text[],
        ${rows.map((row) => row.recipientId ?? null)}::text[], ${rows.map((row) => row.msgId)}::text[],
        ${rows.map((row) => row.senderId)}::text[], ${rows.map((row) => row.type)}::text[],
        ${bodies}::bytea[], ${rows.map((row) => row.bodyKeyId)}::integer[],
        ${rows.map((row) => row.replyToMsgId)}::text[], ${rows.map((row) => row.sentAt)}::bigint[],
        ${rows.map((row) => row.cachedKey?.appId ?? null)}::text[],
        ${rows.map((row) => row.cachedKey?.version ?? null)}::integer[])
      as sent (bucket, conversation_id, recipient_id, msg_id, sender_id, type, body, body_key_id, reply_to_msg_id, sent_at,
        app_id, version)`;
}

function unlessQuoteIsMissing(tx: Tx, rows: NewRow[], shards: Pick<Shards, 'isDistributed'>) {
  return tx`
      and (sent.reply_to_msg_id is null or (
        select quoted.type from messages quoted
        where quoted.bucket = sent.bucket and quoted.conversation_id = sent.conversation_id
          and quoted.msg_id = sent.reply_to_msg_id ${withinShard(tx, shards, rows, 'quoted')}
        ${shards.isDistributed ? tx`` : tx`for key share`})
          not in ('deleted', 'notice'))`;
}

/**
 * Checks that nothing has changed on which the cached key of the message `sent`, if any, depends. On Citus
 * applications are in other shards, and each node has a copy of the versions (decision 0050).
 */
function unlessKeyChanged(tx: Tx, rows: NewRow[], { isDistributed }: Pick<Shards, 'isDistributed'>) {
  if (rows.every(({ cachedKey }) => !cachedKey)) return tx``;
  return tx`
      and (sent.app_id is null
        or sent.version = (select version from ${tx(isDistributed ? 'application_versions' : 'applications')}
          where app_id = sent.app_id limit 1))`;
}

/** Requests that may be repeated do not use cached keys (`Admission`), so these messages have new ids. */
function areNew(rows: NewRow[]): boolean {
  return rows.every(({ cachedKey }) => cachedKey);
}

/** Checking new ids again would take a tenth of the time, and returning them a twentieth. */
function unlessStored(tx: Tx, rows: NewRow[], recording: Statement | undefined) {
  if (areNew(rows)) return recording ? tx`returning stored.msg_id` : tx``;
  return tx`on conflict (bucket, conversation_id, msg_id) do nothing returning stored.msg_id`;
}

/**
 * The ids that a statement with {@link unlessStored} has stored; usually all, which their number shows.
 *
 * @param recording writes the events of those in the table `stored`, in the same statement
 */
async function idsOfStored(
  tx: Tx,
  rows: NewRow[],
  insert: Statement<{ msgId: string }[]>,
  recording: Statement | undefined,
): Promise<string[]> {
  const inserted = await (recording
    ? tx<{ msgId: string }[]>`with stored as (${insert}), ${recording} select msg_id from stored`
    : insert);
  if (inserted.count === rows.length) return rows.map(({ msgId }) => msgId);
  const stored = areNew(rows) && !recording ? await findMessageIds(tx, rows) : inserted;
  return Array.from(stored, ({ msgId }) => msgId);
}
