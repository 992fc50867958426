import type { PinnedMessages } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { viewPeer } from '#features/accounts/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { failedPrecondition } from '#platform/errors.ts';
import { findRights, inChangedConversation } from './access/changed-conversation.ts';
import { findOwnConversation, type OwnConversation, type OwnMessage } from './access/own-conversation.ts';
import { withoutHidden } from './access/queries.ts';
import type { MessageDeps } from './deps.ts';
import {
  type ConversationKey,
  findMessage,
  isOfConversation,
  isOfMessage,
  lockMessage,
  type MessageKey,
  type MessageRow,
  type ReadConversation,
} from './queries.ts';
import { refuseMissing } from './rules.ts';
import { complete, viewMessage } from './view.ts';

/**
 * Pins a message for everybody in the conversation: in a group, for those who may change its details; in a
 * private conversation, for both sides.
 *
 * @throws ApiError 404 conversation or message, 403 not allowed, 400 too many
 */
export async function pinMessage(deps: MessageDeps, { msgId, ...own }: OwnMessage): Promise<void> {
  const at = deps.clock.now();
  await changePins(deps, own, async (tx, { bucket, conversationId }) => {
    const key = { bucket, conversationId, msgId };
    const refused = refuseMissing(await lockMessage(tx, key));
    if (refused) throw refused;
    if ((await countOtherPins(tx, key)) >= LIMITS.pinnedMessages)
      throw failedPrecondition('message.too-many-pinned', { count: LIMITS.pinnedMessages });
    await insertPin(tx, { ...key, by: own.accountId, at });
  });
}

/** @throws ApiError 404 conversation or message, 403 not allowed */
export async function unpinMessage(deps: MessageDeps, { msgId, ...own }: OwnMessage): Promise<void> {
  await changePins(deps, own, async (tx, { bucket, conversationId }) => {
    const key = { bucket, conversationId, msgId };
    const refused = (await deletePin(tx, key)) ? undefined : refuseMissing(await findMessage(tx, key));
    if (refused) throw refused;
  });
}

/** One after another, so that their number stays within its limit. */
async function changePins(
  deps: MessageDeps,
  own: OwnConversation,
  change: (tx: Tx, key: ConversationKey) => Promise<void>,
): Promise<void> {
  const { conversationId } = own;
  const shownOn = await inChangedConversation(deps, own, 'alone', async (tx, conversation) => {
    const { bucket, topics, pinRefusal } = conversation;
    if (pinRefusal) throw pinRefusal;
    await change(tx, { bucket, conversationId });
    return topics;
  });
  for (const topic of shownOn)
    deps.live.publish(topic, { type: 'conversation.pins', data: { conversationId } });
}

export async function listPinned(deps: MessageDeps, own: OwnConversation): Promise<PinnedMessages> {
  const { db, keyring, accounts } = deps;
  const { accountId } = own;
  const listed = await findOwnConversation(db, own);
  const [{ pinRefusal }, rows] = await Promise.all([
    findRights(deps, own, listed),
    selectPinned(db, { ...listed, hiddenMsgId: listed.hiddenMsgId ?? '' }),
  ]);
  const seen = await withoutHidden(db, accountId, rows);
  const shown = seen.map((row) => viewMessage(keyring, row));
  const messages = await complete(deps, accountId, shown);
  const people = await accounts.findAll(messages.map(({ from }) => from));
  return { mayPin: pinRefusal === undefined, messages, people: people.map(viewPeer) };
}

/** Pinning a pinned message again keeps its position. */
export async function insertPin(
  tx: Tx,
  { bucket, conversationId, msgId, by, at }: MessageKey & { by: string; at: number },
): Promise<void> {
  await tx`
    insert into pinned_messages (bucket, conversation_id, msg_id, pinned_by, pinned_at)
    values (${bucket}, ${conversationId}, ${msgId}, ${by}, ${at})
    on conflict (bucket, conversation_id, msg_id) do nothing`;
}

/** False when it was not pinned. */
export async function deletePin(tx: Tx, key: MessageKey): Promise<boolean> {
  const rows = await tx`delete from pinned_messages where ${isOfMessage(tx, key)} returning msg_id`;
  return rows.length === 1;
}

/** The pinned messages after one, the one pinned last first. */
async function selectPinned(
  db: Db,
  { bucket, conversationId, hiddenMsgId }: ReadConversation,
): Promise<MessageRow[]> {
  return db<MessageRow[]>`
    select messages.bucket, messages.conversation_id, messages.msg_id, sender_id, type, body, body_key_id,
      reply_to_msg_id, sent_at
    from pinned_messages
    join messages on messages.bucket = pinned_messages.bucket
      and messages.conversation_id = pinned_messages.conversation_id and messages.msg_id = pinned_messages.msg_id
    where pinned_messages.bucket = ${bucket} and pinned_messages.conversation_id = ${conversationId}
      and pinned_messages.msg_id > ${hiddenMsgId}
    order by pinned_at desc, messages.msg_id desc`;
}

/** How many messages of a conversation are pinned, without counting one of them. */
async function countOtherPins(db: Db, key: MessageKey): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from pinned_messages
    where ${isOfConversation(db, key)} and msg_id <> ${key.msgId}`;
  return row?.count ?? 0;
}
