import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { toMessageRow } from './content.ts';
import { findMessage, type MessageKey, type MessageRow } from './queries.ts';
import { viewMessage } from './view.ts';

/**
 * Puts another text in the place of a message's own, which is gone with the commit. After it, {@link showReplaced}.
 *
 * @returns undefined when there is no such message
 */
export async function replaceText(
  tx: Tx,
  { keyring }: Pick<Platform, 'keyring'>,
  key: MessageKey,
  text: string,
): Promise<MessageRow | undefined> {
  const stored = await findMessage(tx, key);
  if (!stored) return undefined;
  const { type: _, body: __, bodyKeyId: ___, replyToMsgId: ____, ...message } = stored;
  const content = { type: 'text' as const, body: { content: text }, replyToMsgId: undefined };
  const row = { ...toMessageRow(keyring, { ...message, content }), replyToMsgId: stored.replyToMsgId };
  await updateBody(tx, row);
  return row;
}

/** Tells the open pages of a person what the message says now. */
export function showReplaced(
  { keyring, live }: Pick<Platform, 'keyring' | 'live'>,
  topic: string,
  row: MessageRow,
): void {
  live.publish(topic, { type: 'message.changed', data: viewMessage(keyring, row) });
}

async function updateBody(tx: Tx, row: MessageRow): Promise<void> {
  await tx`
    update messages set type = ${row.type}, body = ${row.body}, body_key_id = ${row.bodyKeyId}
    where bucket = ${row.bucket} and conversation_id = ${row.conversationId} and msg_id = ${row.msgId}`;
}
