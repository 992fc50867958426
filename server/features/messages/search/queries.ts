import type { Db } from '#platform/database.ts';
import { readByShard, type Shards, withinShard } from '#platform/partitioning/shards.ts';
import type { MessageRow } from '../queries.ts';

/** A conversation that is searched: its messages after one id. */
export interface Searched {
  bucket: number;
  conversationId: string;
  after: string;
}

/** The newest messages of each conversation before an id, at most `limit` of each, in no order. */
export function selectStretch(
  db: Db,
  shards: Shards,
  searched: readonly Searched[],
  { before, limit }: { before: string; limit: number },
): Promise<MessageRow[]> {
  return readByShard(
    shards,
    searched,
    async (asked) => db<MessageRow[]>`
      select found.bucket, found.conversation_id, found.msg_id, found.sender_id, found.type, found.body,
        found.body_key_id, found.reply_to_msg_id, found.sent_at
      from unnest(${asked.map((one) => one.bucket)}::integer[], ${asked.map((one) => one.conversationId)}::text[],
        ${asked.map((one) => one.after)}::text[]) as asked (bucket, conversation_id, after)
      cross join lateral (
        select bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, reply_to_msg_id, sent_at
        from messages
        where bucket = asked.bucket and conversation_id = asked.conversation_id
          and msg_id > asked.after collate "C" and msg_id < ${before} ${withinShard(db, shards, asked)}
        order by msg_id desc
        limit ${db.constant(limit)}
      ) found`,
  );
}
