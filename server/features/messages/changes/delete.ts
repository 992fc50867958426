import type { Accounts } from '#features/accounts/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import type { Tx } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { deleteWaiting } from '../bot-inbox-queries.ts';
import { type Alongside, type MessageContent, openBodyIfReadable, withBody } from '../content.ts';
import { findOwnConversation } from '../conversations/list.ts';
import { deleteMention, deleteMentionsUpTo } from '../conversations/mention-queries.ts';
import { updateReadMarker } from '../conversations/queries.ts';
import { writeNotice } from '../notices.ts';
import { deletePin } from '../pins/queries.ts';
import { findMessageIds, type MessageRow, updateBody } from '../queries.ts';
import { deleteReactions } from '../reactions/queries.ts';
import { tellRead } from '../receipts/receipts.ts';
import { viewMessage } from '../view.ts';
import { findChangedConversation } from './conversation.ts';
import type { OwnMessage } from './edit.ts';
import { insertHidden, lockMessage } from './queries.ts';
import { refuseMissing, refuseToDelete } from './rules.ts';

type Deps = Pick<Platform, 'db' | 'keyring' | 'clock' | 'live' | 'newId'> & {
  accounts: Accounts;
  contacts: Contacts;
  groups: Groups;
  media: Media;
  webhooks: Webhooks;
  hooks: readonly MessageHook[];
};

/** A feature that keeps something beside a message. */
export interface MessageHook {
  /** The content of a forwarded message that needs more than a copy, and what commits with it. */
  forwarded?(
    content: MessageContent,
    receiverId: string | null,
  ): { content: MessageContent; alongside?: Alongside } | undefined;
  /** In the transaction that deletes the message. */
  deleted(tx: Tx, message: { bucket: number; msgId: string; type: string; at: number }): Promise<void>;
}

/**
 * A person deletes a message for everybody: their own, or as an administrator any of the group. A tombstone stays
 * (docs/decisions/0056-messages-that-change.md).
 *
 * @throws ApiError 404 conversation or message, 403 somebody else's, 400 too old
 */
export async function deleteMessage(
  deps: Deps,
  { accountId, conversationId, msgId }: OwnMessage,
): Promise<void> {
  const { db, keyring, clock, live, webhooks, media } = deps;
  const { bucket, topics, appIds, isAdmin } = await findChangedConversation(deps, {
    accountId,
    conversationId,
  });
  const now = clock.now();
  const { tombstone, wasPinned, show } = await db.begin(async (tx) => {
    const message = await lockMessage(tx, { bucket, conversationId, msgId });
    const row = message as MessageRow;
    const refused = refuseMissing(message) ?? refuseToDelete(row, { accountId, now, isAdmin });
    if (refused) throw refused;
    const after = { ...withBody(keyring, row, { deletedBy: accountId }), type: 'deleted' };
    await updateBody(tx, after);
    await webhooks.revise(tx, { ...row, appIds }, () => undefined);
    await deleteWaiting(tx, row);
    await deleteReactions(tx, row);
    const wasPinned = await deletePin(tx, row);
    const { fileUrl, thumbnailUrl, mentionedUserIds = [] } = openBodyIfReadable(keyring, row) ?? {};
    for (const mentionedId of mentionedUserIds)
      await deleteMention(tx, { accountId: mentionedId, conversationId, msgId });
    for (const url of [fileUrl, thumbnailUrl])
      if (url !== undefined) await media.release(tx, { url, usedBy: msgId, ownerId: row.senderId, at: now });
    for (const hook of deps.hooks) await hook.deleted(tx, { ...row, at: now });
    if (row.senderId === accountId) return { tombstone: after, wasPinned };
    const show = await writeNotice(
      tx,
      deps,
      { bucket, groupId: conversationId },
      { kind: 'message-deleted', userIds: [row.senderId], from: accountId, at: now },
    );
    return { tombstone: after, wasPinned, show };
  });
  const shown = viewMessage(keyring, tombstone);
  for (const topic of topics) {
    live.publish(topic, { type: 'message.changed', data: shown });
    if (wasPinned) live.publish(topic, { type: 'conversation.pins', data: { conversationId } });
  }
  show?.();
}

/**
 * "Delete for me": the person sees the message no more, on none of their pages. Whoever does so has read up to it.
 *
 * @throws ApiError 404
 */
export async function hideMessage(
  deps: Pick<Deps, 'db' | 'live' | 'groups'>,
  { accountId, conversationId, msgId }: OwnMessage,
): Promise<void> {
  const { db, live } = deps;
  const listed = await findOwnConversation(db, { accountId, conversationId });
  const { bucket } = listed;
  const known = isId('msg', msgId) ? await findMessageIds(db, [{ bucket, conversationId, msgId }]) : [];
  if (known.length === 0) throw notFound('conversation.no-message');
  const moved = await db.begin(async (tx) => {
    await insertHidden(tx, accountId, msgId);
    await deleteMentionsUpTo(tx, { accountId, conversationId, msgId });
    return updateReadMarker(tx, { accountId, conversationId, msgId });
  });
  live.publish(accountId, { type: 'message.hidden', data: { conversationId, msgId } });
  if (moved?.isTold) await tellRead(deps, accountId, listed, msgId);
}
