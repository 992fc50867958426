import type { Tx } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import { bucketOf, isId } from '#platform/ids.ts';
import type { BotMessage } from '../access/bot-conversation.ts';
import { type ChangedConversation, inChangedConversation } from '../access/changed-conversation.ts';
import { deleteMentions } from '../access/mention-queries.ts';
import { findOwnConversation, type OwnMessage } from '../access/own-conversation.ts';
import { insertHidden } from '../access/queries.ts';
import { moveReadMarker } from '../access/read-markers.ts';
import { deleteWaiting } from '../bot-inbox.ts';
import { openBodyIfReadable, usesOf, withBody } from '../content.ts';
import type { MessageDeps } from '../deps.ts';
import { writeNotice } from '../notices.ts';
import { deletePin } from '../pins.ts';
import { findMessageIds, lockMessage, type MessageRow, updateBody } from '../queries.ts';
import { receiversOf } from '../quiet-bots.ts';
import { deleteReactions } from '../reactions.ts';
import { tellRead } from '../receipts/receipts.ts';
import { keepIfHeld } from '../retention/queries.ts';
import { refuseMissing } from '../rules.ts';
import { viewMessage } from '../view.ts';
import { refuseToDelete } from './rules.ts';

/**
 * A person or a bot deletes a message for everybody: their own, or a person as an administrator any message of the group.
 * A tombstone stays (docs/decisions/0056-messages-that-change.md).
 *
 * @throws ApiError 404 conversation or message, 403 somebody else's, 400 too old
 */
export async function deleteMessage(
  deps: MessageDeps,
  { msgId, ...own }: OwnMessage | BotMessage,
): Promise<void> {
  const { accountId, conversationId } = own;
  const isBot = 'isBot' in own;
  const now = deps.clock.now();
  const shows = await inChangedConversation(deps, own, 'shared', async (tx, found) => {
    const { bucket, isAdmin } = found;
    const message = await lockMessage(tx, { bucket, conversationId, msgId });
    const row = message as MessageRow;
    const refused = refuseMissing(message) ?? refuseToDelete(row, { accountId, isBot, now, isAdmin });
    if (refused) throw refused;
    const show = await replaceByTombstone(tx, deps, row, { ...found, deletedBy: accountId, at: now });
    if (row.senderId === accountId) return [show];
    const showNotice = await writeNotice(
      tx,
      deps,
      { bucket, groupId: conversationId },
      { kind: 'message-deleted', userIds: [row.senderId], from: accountId, at: now },
    );
    return [show, showNotice];
  });
  for (const show of shows) show();
}

/**
 * "Delete for me": hides the message on all of the person's pages, and counts as having read up to it.
 *
 * @throws ApiError 404
 */
export async function hideMessage(
  deps: MessageDeps,
  { accountId, conversationId, msgId }: OwnMessage,
): Promise<void> {
  const { db, live } = deps;
  const listed = await findOwnConversation(db, { accountId, conversationId });
  const { bucket } = listed;
  const known = isId('msg', msgId) ? await findMessageIds(db, [{ bucket, conversationId, msgId }]) : [];
  if (known.length === 0) throw notFound('conversation.no-message');
  const moved = await db.begin(async (tx) => {
    await deps.accounts.lockActor(tx, accountId);
    await insertHidden(tx, accountId, msgId);
    return moveReadMarker(tx, { accountId, conversationId, msgId });
  });
  live.publish(accountId, { type: 'message.hidden', data: { conversationId, msgId } });
  if (moved?.isShown) await tellRead(deps, accountId, listed, msgId);
}

export interface RemovedMessages {
  conversationId: string;
  msgIds: readonly string[];
  deletedBy: string;
}

/**
 * Deletes messages for everybody, whoever wrote them, in a transaction of the caller. Messages that are already
 * deleted do not change.
 *
 * @returns shows it on open pages, after the commit
 */
export async function removeMessages(
  tx: Tx,
  deps: MessageDeps,
  { conversationId, msgIds, deletedBy }: RemovedMessages,
): Promise<() => void> {
  const bucket = bucketOf(conversationId);
  const at = deps.clock.now();
  const audience = await findAudience(tx, deps, { bucket, conversationId });
  const shows: (() => void)[] = [];
  for (const msgId of [...msgIds].sort()) {
    const message = await lockMessage(tx, { bucket, conversationId, msgId });
    if (!message || refuseMissing(message)) continue;
    shows.push(await replaceByTombstone(tx, deps, message, { deletedBy, at, ...audience }));
  }
  return () => {
    for (const show of shows) show();
  };
}

type Audience = Pick<ChangedConversation, 'topics' | 'bots' | 'shownAs'>;

/** Who sees the messages of a conversation, on which pages, and which applications receive them. */
async function findAudience(
  tx: Tx,
  { accounts, contacts, groups }: MessageDeps,
  { bucket, conversationId }: { bucket: number; conversationId: string },
): Promise<Audience> {
  if (isId('grp', conversationId)) {
    const bots = await groups.findBots([{ bucket, groupId: conversationId }], tx);
    return { topics: [conversationId], bots, shownAs: { groupId: conversationId } };
  }
  const participants = await contacts.findParticipants(tx, { bucket, conversationId });
  const found = await accounts.findAll(participants, tx);
  const bots = found.flatMap(({ accountId, appId }) =>
    appId === null ? [] : { accountId, botAppId: appId },
  );
  const person = found.find(({ isBot }) => !isBot);
  return { topics: participants, bots, shownAs: { chatId: String(person?.accountId) } };
}

/**
 * Replaces a message that the transaction has locked with a tombstone: its content, its file, its reactions
 * and its pending events are deleted.
 *
 * @returns shows it on open pages, after the commit
 */
async function replaceByTombstone(
  tx: Tx,
  deps: MessageDeps,
  row: MessageRow,
  { deletedBy, at, topics, bots, shownAs }: Audience & { deletedBy: string; at: number },
): Promise<() => void> {
  const { bucket, conversationId, msgId, senderId: from } = row;
  const { keyring, live, media, webhooks, hooks } = deps;
  const isHeld = await keepIfHeld(tx, row, at);
  const tombstone = { ...withBody(keyring, row, { deletedBy }), type: 'deleted' };
  await updateBody(tx, tombstone);
  const receivers = receiversOf(tx, keyring, row, bots);
  await webhooks.revise(tx, { ...row, ...receivers }, () => undefined);
  await deleteWaiting(tx, row);
  await deleteReactions(tx, row);
  const wasPinned = await deletePin(tx, row);
  const { mentionedUserIds = [], ...body } = openBodyIfReadable(keyring, row) ?? {};
  const mentions = mentionedUserIds.map((accountId) => ({ accountId, conversationId, msgId }));
  await deleteMentions(tx, mentions);
  await media[isHeld ? 'hold' : 'release'](tx, usesOf(row, body), at);
  for (const hook of hooks) await hook.deleted(tx, { ...row, at });
  const announce = await webhooks.recordChosen(tx, [
    { bucket, ...receivers, type: 'message.deleted', data: { msgId, ...shownAs, from }, at },
  ]);
  const shown = viewMessage(keyring, tombstone);
  return () => {
    announce();
    for (const topic of topics) {
      live.publish(topic, { type: 'message.changed', data: shown });
      if (wasPinned) live.publish(topic, { type: 'conversation.pins', data: { conversationId } });
    }
  };
}
