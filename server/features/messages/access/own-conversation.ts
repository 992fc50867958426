import type { Db } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import { firstIdAt, isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { findMessages, type MessageRow } from '../queries.ts';
import { refuseMissing } from '../rules.ts';
import { type ListedConversation, selectOneListed, withoutHidden } from './queries.ts';

/** A conversation of a person's list. */
export interface OwnConversation {
  accountId: string;
  conversationId: string;
}

/** @throws ApiError 404 when it is not one of the person's */
export async function findOwnConversation(
  db: Db,
  { accountId, conversationId }: OwnConversation,
): Promise<ListedConversation> {
  const listed = await selectOneListed(db, accountId, conversationId);
  if (!listed) throw notFound('conversation.unknown');
  return listed;
}

/** The message after which unread ones begin. Messages from before somebody joined a group are not unread. */
export function unreadAfter({ kind, createdAt, readMsgId, hiddenMsgId }: ListedConversation): string {
  const beginning = kind === 'group' ? firstIdAt('msg', createdAt) : '';
  return [readMsgId ?? '', hiddenMsgId ?? '', beginning].reduce((one, other) => (one > other ? one : other));
}

/** A message of one of a person's conversations. */
export type OwnMessage = OwnConversation & { msgId: string };

/**
 * Those of the given messages that a person sees, in their order: no tombstones, and no notices.
 *
 * @throws ApiError 404 when the conversation is not one of the person's
 */
export async function findReadable(
  { db }: Platform,
  own: OwnConversation,
  msgIds: readonly string[],
): Promise<MessageRow[]> {
  const { bucket, conversationId, hiddenMsgId } = await findOwnConversation(db, own);
  const asked = msgIds.filter((msgId) => isId('msg', msgId) && msgId > (hiddenMsgId ?? ''));
  const keys = asked.map((msgId) => ({ bucket, conversationId, msgId }));
  const rows = await findMessages(db, await withoutHidden(db, own.accountId, keys));
  return rows
    .filter((row) => refuseMissing(row) === undefined)
    .sort((one, other) => (one.msgId < other.msgId ? -1 : 1));
}
