import type { Conversation, ReadState } from '#contract/chat.ts';
import type { Groups } from '#features/groups/index.ts';
import { notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { findMessageIds } from '../queries.ts';
import { tellRead } from '../receipts/receipts.ts';
import {
  type ConversationDeps,
  findOwnConversation,
  type OwnConversation,
  showConversation,
  unreadAfter,
} from './list.ts';
import {
  selectLatestIds,
  selectUnreadCounts,
  updateHidden,
  updateMuted,
  updateReadMarker,
} from './queries.ts';

/**
 * Notes how far a person has read; the marker never moves back. Every open page of the person gets an event, and those of
 * the others where the person tells it.
 *
 * @throws ApiError 404
 */
export async function markRead(
  deps: Pick<Platform, 'db' | 'shards' | 'live'> & { groups: Groups },
  { accountId, conversationId }: OwnConversation,
  msgId: string,
): Promise<ReadState> {
  const { db, shards, live } = deps;
  const { bucket } = await findOwnConversation(db, { accountId, conversationId });
  const known = isId('msg', msgId) ? await findMessageIds(db, [{ bucket, conversationId, msgId }]) : [];
  if (known.length === 0) throw notFound('conversation.no-message');
  const moved = await db.begin((tx) => updateReadMarker(tx, { accountId, conversationId, msgId }));
  const listed = await findOwnConversation(db, { accountId, conversationId });
  const [counted] = await selectUnreadCounts(db, shards, accountId, [
    { ...listed, after: unreadAfter(listed) },
  ]);
  const state = {
    conversationId,
    readMsgId: listed.readMsgId as string,
    unreadCount: counted?.unreadCount ?? 0,
  };
  if (moved) live.publish(accountId, { type: 'conversation.read', data: state });
  if (moved?.isTold) await tellRead(deps, accountId, listed, state.readMsgId);
  return state;
}

/** @throws ApiError 404 */
export async function muteConversation(
  deps: ConversationDeps & Pick<Platform, 'live'>,
  own: OwnConversation,
  isMuted: boolean,
): Promise<Conversation> {
  const { accountId, conversationId } = own;
  await findOwnConversation(deps.db, own);
  await deps.db.begin((tx) => updateMuted(tx, { ...own, isMuted }));
  deps.live.publish(accountId, { type: 'conversation.changed', data: { conversationId, isMuted } });
  return showConversation(deps, own);
}

/**
 * "Delete for me": what was written so far is shown to this person no more. The conversation comes back with its next
 * message.
 *
 * @throws ApiError 404
 */
export async function hideConversation(
  deps: Pick<Platform, 'db' | 'shards' | 'live'> & { groups: Groups },
  { accountId, conversationId }: OwnConversation,
): Promise<void> {
  const { db, shards, live } = deps;
  const listed = await findOwnConversation(db, { accountId, conversationId });
  const [latest] = await selectLatestIds(db, shards, [listed]);
  // A group without messages is hidden from the beginning.
  const hiddenMsgId = latest?.msgId ?? 'msg_';
  const hidden = await db.begin((tx) => updateHidden(tx, { accountId, conversationId, msgId: hiddenMsgId }));
  live.publish(accountId, { type: 'conversation.hidden', data: { conversationId, hiddenMsgId } });
  if (hidden?.isTold && latest) await tellRead(deps, accountId, listed, latest.msgId);
}
