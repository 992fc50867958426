import type { Tx } from '#platform/database.ts';
import { deleteMention } from '../access/mention-queries.ts';
import { deleteWaiting } from '../bot-inbox-queries.ts';
import { openBodyIfReadable, withBody } from '../content.ts';
import type { MessageDeps } from '../deps.ts';
import { deletePin } from '../pins.ts';
import { type MessageRow, updateBody } from '../queries.ts';
import { deleteReactions } from '../reactions.ts';
import { keepIfHeld } from '../retention/queries.ts';
import { viewMessage } from '../view.ts';

/**
 * Replaces a message that the transaction has locked with a tombstone: its content, its file, its reactions
 * and its pending events are deleted.
 *
 * @returns shows it on open pages, after the commit
 */
export async function replaceByTombstone(
  tx: Tx,
  { keyring, live, media, webhooks, hooks }: MessageDeps,
  row: MessageRow,
  {
    deletedBy,
    at,
    topics,
    appIds,
  }: {
    deletedBy: string;
    at: number;
    topics: readonly string[];
    appIds: readonly string[];
  },
): Promise<() => void> {
  const { conversationId, msgId } = row;
  const isHeld = await keepIfHeld(tx, row, at);
  const tombstone = { ...withBody(keyring, row, { deletedBy }), type: 'deleted' };
  await updateBody(tx, tombstone);
  await webhooks.revise(tx, { ...row, appIds }, () => undefined);
  await deleteWaiting(tx, row);
  await deleteReactions(tx, row);
  const wasPinned = await deletePin(tx, row);
  const { fileUrl, thumbnailUrl, mentionedUserIds = [] } = openBodyIfReadable(keyring, row) ?? {};
  for (const mentionedId of mentionedUserIds)
    await deleteMention(tx, { accountId: mentionedId, conversationId, msgId });
  for (const url of [fileUrl, thumbnailUrl])
    if (url !== undefined)
      await media[isHeld ? 'hold' : 'release'](tx, { url, usedBy: msgId, ownerId: row.senderId, at });
  for (const hook of hooks) await hook.deleted(tx, { ...row, at });
  const shown = viewMessage(keyring, tombstone);
  return () => {
    for (const topic of topics) {
      live.publish(topic, { type: 'message.changed', data: shown });
      if (wasPinned) live.publish(topic, { type: 'conversation.pins', data: { conversationId } });
    }
  };
}
