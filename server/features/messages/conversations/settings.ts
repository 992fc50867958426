import type { ChangeConversation, Lifetime, Notify } from '#contract/chat/conversation-settings.ts';
import type { ReadState } from '#contract/chat/receipts.ts';
import type { Conversation } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Db, Tx } from '#platform/database.ts';
import { failedPrecondition, invalidArgument, notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import { inChangedConversation } from '../access/changed-conversation.ts';
import { deleteMentionsUpTo } from '../access/mention-queries.ts';
import { findOwnConversation, type OwnConversation, unreadAfter } from '../access/own-conversation.ts';
import {
  type ListedConversation,
  listedColumns,
  NO_MESSAGE,
  selectLatestIds,
  updateHidden,
} from '../access/queries.ts';
import { moveReadMarkers } from '../access/read-markers.ts';
import { selectUnread } from '../access/unread-queries.ts';
import type { MessageDeps } from '../deps.ts';
import { deleteDraft } from '../drafts.ts';
import { writeNotice } from '../notices.ts';
import { findMessageIds } from '../queries.ts';
import { tellRead } from '../receipts/receipts.ts';
import { selectRetention, upsertLifetime } from '../retention/queries.ts';
import { showConversation, viewSettings } from './list.ts';

/**
 * Moves a person's read marker, never back. Every open page of the person gets an event, and those of the
 * others if the person shows it.
 *
 * @throws ApiError 404
 */
export async function markRead(
  deps: MessageDeps,
  { accountId, conversationId }: OwnConversation,
  msgId: string,
): Promise<ReadState> {
  const { db, shards, live } = deps;
  const before = await findOwnConversation(db, { accountId, conversationId });
  const { bucket } = before;
  const [known, [newest]] = await Promise.all([
    isId('msg', msgId) ? findMessageIds(db, [{ bucket, conversationId, msgId }]) : [],
    selectLatestIds(db, shards, [before]),
  ]);
  if (known.length === 0 || !newest) throw notFound('conversation.no-message');
  const [moved] = await moveReadMarkers(db, shards, [{ accountId, conversationId, msgId }]);
  const readMsgId = before.readMsgId !== null && before.readMsgId > msgId ? before.readMsgId : msgId;
  const listed = { ...before, readMsgId };
  const upTo = newest.msgId;
  const counted = { ...listed, after: unreadAfter(listed), upTo };
  const [unread] = await selectUnread(db, shards, accountId, [counted]);
  const state = { conversationId, readMsgId, unreadCount: unread?.unreadCount ?? 0, upTo };
  if (moved) live.publish(accountId, { type: 'conversation.read', data: state });
  if (moved?.isShown) await tellRead(deps, accountId, listed, state.readMsgId);
  return state;
}

/**
 * Changes a person's settings of a conversation: muted, pinned, archived. Nobody else learns of it.
 *
 * @throws ApiError 400 nothing to change, a time without `isMuted`, too many pinned; 404
 */
export async function changeConversation(
  deps: MessageDeps,
  own: OwnConversation,
  change: ChangeConversation,
): Promise<Conversation> {
  const { db, clock, live } = deps;
  if (Object.keys(change).length === 0)
    throw invalidArgument('body', 'needs-one-of', {
      fields: 'isMuted, notifyOf, hasSound, isPinned, isArchived',
    });
  if (change.mutedForSeconds !== undefined && change.isMuted !== true)
    throw invalidArgument('mutedForSeconds', 'not-valid');
  await findOwnConversation(db, own);
  const parts = await readChange(deps, own, change);
  const changed = await db.begin(async (tx) => {
    // One after another, so that their number stays within its limit.
    if (parts.pinnedAt) await deps.accounts.lock(tx, own.accountId);
    if (parts.pinnedAt && (await countPinned(tx, own)) >= LIMITS.pinnedConversations)
      throw failedPrecondition('conversation.too-many-pinned', { count: LIMITS.pinnedConversations });
    return updateSettings(tx, own, parts);
  });
  if (!changed) throw notFound('conversation.unknown');
  live.publish(own.accountId, { type: 'conversation.changed', data: viewSettings(changed, clock.now()) });
  return showConversation(deps, own);
}

async function readChange(
  { db, clock, shards }: MessageDeps,
  own: OwnConversation,
  { isMuted, mutedForSeconds, notifyOf, hasSound, isPinned, isArchived }: ChangeConversation,
): Promise<SettingsChange> {
  const now = clock.now();
  const parts: SettingsChange = { notifyOf, hasSound };
  if (isMuted !== undefined)
    parts.mute = { isMuted, mutedUntil: mutedForSeconds === undefined ? null : now + mutedForSeconds * 1000 };
  if (isPinned !== undefined) parts.pinnedAt = isPinned ? now : null;
  if (isPinned === true || isArchived === false) parts.archivedMsgId = null;
  if (isArchived === true) {
    const [latest] = await selectLatestIds(db, shards, [await findOwnConversation(db, own)]);
    parts.archivedMsgId = latest?.msgId ?? NO_MESSAGE;
    parts.pinnedAt = null;
  }
  return parts;
}

/**
 * Changes how long the messages of a conversation are kept, existing ones included. Either side of a private
 * conversation may change it, and an administrator of a group. A notice in the thread announces it.
 *
 * @param days undefined for the setting of the server
 * @throws ApiError 404; 403 for a member of the group, and blocked
 */
export async function changeLifetime(
  deps: MessageDeps,
  own: OwnConversation,
  days: Lifetime | undefined,
): Promise<Conversation> {
  const { clock, live } = deps;
  const { accountId, conversationId } = own;
  const lifetimeDays = days ?? null;
  const changed = await inChangedConversation(deps, own, 'alone', async (tx, found) => {
    const { bucket, topics, retentionRefusal } = found;
    if (retentionRefusal) throw retentionRefusal;
    const [before] = await selectRetention(tx, [{ bucket, conversationId }]);
    if ((before?.lifetimeDays ?? null) === lifetimeDays) return undefined;
    await upsertLifetime(tx, { bucket, conversationId }, lifetimeDays);
    const at = clock.now();
    const notice = { kind: 'retention', ...(days !== undefined && { lifetimeDays: days }) } as const;
    const group = { bucket, groupId: conversationId, topics };
    return { show: await writeNotice(tx, deps, group, { ...notice, from: accountId, at }), topics };
  });
  if (changed) {
    changed.show();
    const data = { conversationId, lifetimeDays };
    for (const topic of changed.topics) live.publish(topic, { type: 'conversation.retention', data });
  }
  return showConversation(deps, own);
}

/**
 * "Delete for me": hides all messages so far from this person, and deletes their draft. The conversation
 * reappears with its next message.
 *
 * @throws ApiError 404
 */
export async function hideConversation(
  deps: MessageDeps,
  { accountId, conversationId }: OwnConversation,
): Promise<void> {
  const { db, clock, shards, live } = deps;
  const listed = await findOwnConversation(db, { accountId, conversationId });
  const [latest] = await selectLatestIds(db, shards, [listed]);
  const hiddenMsgId = latest?.msgId ?? NO_MESSAGE;
  const hiding = { accountId, conversationId, msgId: hiddenMsgId };
  const [hidden, version] = await db.begin(async (tx) => {
    await deleteMentionsUpTo(tx, hiding);
    return [
      await updateHidden(tx, hiding),
      await deleteDraft(tx, { accountId, conversationId, version: clock.now() }),
    ];
  });
  if (version !== undefined)
    live.publish(accountId, { type: 'draft.changed', data: { conversationId, version } });
  live.publish(accountId, { type: 'conversation.hidden', data: { conversationId, hiddenMsgId } });
  if (hidden?.isShown && latest) await tellRead(deps, accountId, listed, latest.msgId);
}

type Changed = Omit<ListedConversation, 'hasDraft'>;

/** The changed settings of a conversation; undefined ones stay. */
interface SettingsChange {
  mute?: { isMuted: boolean; mutedUntil: number | null } | undefined;
  notifyOf?: Notify | undefined;
  hasSound?: boolean | undefined;
  pinnedAt?: number | null | undefined;
  archivedMsgId?: string | null | undefined;
}

async function updateSettings(
  tx: Tx,
  { accountId, conversationId }: OwnConversation,
  { mute, notifyOf, hasSound, pinnedAt, archivedMsgId }: SettingsChange,
): Promise<Changed | undefined> {
  const [listed] = await tx<Changed[]>`
    update account_conversations
    set is_muted = coalesce(${mute?.isMuted ?? null}, is_muted),
      muted_until = case when ${mute === undefined}::boolean then muted_until else ${mute?.mutedUntil ?? null} end,
      notify_of = coalesce(${notifyOf ?? null}, notify_of), has_sound = coalesce(${hasSound ?? null}, has_sound),
      pinned_at = case when ${pinnedAt === undefined}::boolean then pinned_at else ${pinnedAt ?? null} end,
      archived_msg_id =
        case when ${archivedMsgId === undefined}::boolean then archived_msg_id else ${archivedMsgId ?? null} end,
      settings_version = settings_version + 1
    where account_id = ${accountId} and conversation_id = ${conversationId}
    returning ${listedColumns(tx)}`;
  return listed;
}

/** How many conversations a person has pinned, without counting one of them. */
async function countPinned(db: Db, { accountId, conversationId }: OwnConversation): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from account_conversations
    where account_id = ${accountId} and pinned_at is not null and conversation_id <> ${conversationId}`;
  return row?.count ?? 0;
}
