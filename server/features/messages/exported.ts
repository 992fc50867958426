import type { Db } from '#platform/database.ts';
import { isOneOf } from '#platform/partitioning/keys.ts';
import type { Platform } from '#platform/platform.ts';
import { openBodyIfReadable, type StoredContent } from './content.ts';
import type { ImportedMessage } from './imported.ts';
import { type MessageKey, type MessageRow, messageColumns } from './queries.ts';
import { findReactions } from './reactions.ts';

const AT_ONCE = 1_000;

/** A message in plain text, with its reactions and pin. */
export interface ExportedMessage extends ImportedMessage {
  pinned: { by: string; at: number } | undefined;
}

/**
 * The messages of a bucket, those of each conversation in their order: without those of deleted groups, and without those
 * that show a secret.
 */
export async function* exportMessages(
  { db, keyring }: { db: Db; keyring: Platform['keyring'] },
  bucket: number,
): AsyncGenerator<{ messages: ExportedMessage[]; unreadable: number }> {
  let after = { conversationId: '', msgId: '' };
  for (;;) {
    const rows = await selectAfter(db, { bucket, ...after });
    const last = rows.at(-1);
    if (!last) return;
    const reactionsTo = await findReactions({ db, keyring }, rows);
    const pins = new Map((await selectPins(db, rows)).map(({ msgId, ...pin }) => [msgId, pin]));
    const messages = rows.flatMap((row) => {
      const { body: _, bodyKeyId: __, type, replyToMsgId, ...key } = row;
      const body = openBodyIfReadable(keyring, row);
      const content = { type: type as StoredContent['type'], replyToMsgId: replyToMsgId ?? undefined };
      return body
        ? {
            ...key,
            content: { ...content, body },
            reactions: reactionsTo.get(row.msgId)?.given ?? [],
            pinned: pins.get(row.msgId),
          }
        : [];
    });
    yield { messages, unreadable: rows.length - messages.length };
    if (rows.length < AT_ONCE) return;
    after = last;
  }
}

async function selectAfter(db: Db, { bucket, conversationId, msgId }: MessageKey): Promise<MessageRow[]> {
  return db<MessageRow[]>`
    select ${messageColumns(db)} from messages
    where bucket = ${bucket} and (conversation_id, msg_id) > (${conversationId}, ${msgId})
      and not exists (
        select from groups
        where groups.bucket = messages.bucket and group_id = conversation_id and deleted_at is not null
      )
      and not exists (
        select from shown_secrets shown
        where shown.bucket = messages.bucket and shown.conversation_id = messages.conversation_id
          and shown.msg_id = messages.msg_id
      )
    order by conversation_id, msg_id
    limit ${db.constant(AT_ONCE)}`;
}

async function selectPins(
  db: Db,
  keys: readonly MessageKey[],
): Promise<{ msgId: string; by: string; at: number }[]> {
  return db`
    select msg_id, pinned_by as by, pinned_at as at
    from pinned_messages
    where ${isOneOf(db, keys, ['conversationId', 'msgId'])}`;
}
