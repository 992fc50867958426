import { UNREAD_LIMIT } from '#contract/chat/receipts.ts';
import type { Db } from '#platform/database.ts';
import { readByShard, type Shards, withinShard } from '#platform/partitioning/shards.ts';
import type { ListedConversation } from './queries.ts';

interface UnreadAfter {
  bucket: number;
  conversationId: string;
  kind: ListedConversation['kind'];
  after: string;
  upTo?: string | undefined;
}

/** The number of unread messages, up to a limit, and the message after which they begin. */
export interface Unread {
  conversationId: string;
  unreadCount: number;
  after: string;
}

/** The newest messages of a private conversation among which the person's own is searched. */
const SEARCHED = 1_000;

/**
 * How many messages of others come after each marker, to the end or to a message. A person's own message is read, and so is what
 * comes before it, wherever the marker is: in private conversations it does not move with each message (`updateWrittenMarkers`).
 * A notice has no author, whoever caused it.
 */
export function selectUnread(
  db: Db,
  shards: Shards,
  accountId: string,
  markers: readonly UnreadAfter[],
): Promise<Unread[]> {
  return readByShard(
    shards,
    markers,
    async (asked) => db<Unread[]>`
      select asked.conversation_id, unread.unread_count, coalesce(own.msg_id, asked.after) as after
      from unnest(${asked.map((m) => m.bucket)}::integer[], ${asked.map((m) => m.conversationId)}::text[],
        ${asked.map((m) => m.kind === 'private')}::boolean[],
        ${asked.map((m) => m.after)}::text[], ${asked.map((m) => m.upTo ?? null)}::text[])
        as asked (bucket, conversation_id, is_private, after, up_to)
      left join lateral (
        select msg_id from (
          select msg_id, sender_id, type from messages
          where asked.is_private
            and bucket = asked.bucket and conversation_id = asked.conversation_id ${withinShard(db, shards, asked)}
            and msg_id > asked.after collate "C" and (asked.up_to is null or msg_id <= asked.up_to collate "C")
          order by msg_id desc
          limit ${SEARCHED}
        ) as newest
        where sender_id = ${accountId} and type <> 'notice'
        limit 1
      ) own on true
      cross join lateral (
        select count(*)::integer as unread_count
        from (
          select 1 from messages
          where bucket = asked.bucket and conversation_id = asked.conversation_id ${withinShard(db, shards, asked)}
            and msg_id > coalesce(own.msg_id, asked.after) collate "C" and sender_id <> ${accountId} and type <> 'notice'
            and (asked.up_to is null or msg_id <= asked.up_to collate "C")
          limit ${UNREAD_LIMIT}
        ) as counted
      ) unread`,
  );
}
