import type { ChatMessage, Reactions } from '#contract/chat.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import { bucketOf } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { type ReactionRow, selectReactions } from './queries.ts';

/** Adds the reactions to the messages that have any. */
export async function withReactions(
  { db, keyring }: Pick<Platform, 'db' | 'keyring'>,
  messages: ChatMessage[],
): Promise<ChatMessage[]> {
  if (messages.length === 0) return messages;
  const keys = messages.map(({ conversationId, msgId }) => ({
    bucket: bucketOf(conversationId),
    conversationId,
    msgId,
  }));
  const rows = await selectReactions(db, keys);
  const reactionsOf = new Map(rows.map((row) => [row.msgId, openReactions(keyring, row)]));
  return messages.map((message) => {
    const reactions = reactionsOf.get(message.msgId);
    return reactions ? { ...message, reactions } : message;
  });
}

/** Unreadable reactions are shown as none. */
export function openReactions(keyring: Keyring, row: ReactionRow): Reactions {
  const { msgId, version, bodyKeyId: keyId, body: ciphertext } = row;
  const opened = keyring.openIfReadable({ table: 'reactions', rowId: msgId }, { keyId, ciphertext });
  return { version, given: opened ? JSON.parse(opened.toString()) : [] };
}

export function sealReactions(
  keyring: Keyring,
  key: Pick<ReactionRow, 'bucket' | 'conversationId' | 'msgId'>,
  { version, given }: Reactions,
): ReactionRow {
  const context = { table: 'reactions', rowId: key.msgId };
  const { ciphertext, keyId } = keyring.seal(context, Buffer.from(JSON.stringify(given)));
  return { ...key, version, body: ciphertext, bodyKeyId: keyId };
}
