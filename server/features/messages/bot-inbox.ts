import type { Tx } from '#platform/database.ts';
import {
  deleteWaiting,
  findWaiting,
  lockWaiting,
  postponeWaiting,
  type WaitingMessage,
} from './bot-inbox-queries.ts';
import { openBodyIfReadable, toMessageRow } from './content.ts';
import { findMessage, type MessageKey, updateBody } from './queries.ts';
import { viewMessage } from './view.ts';
import { announceWritten, type WriteDeps, writeInTransaction } from './write.ts';

/** To be called after the commit: shows on the person's open pages what the transaction has written. */
export type ShowWritten = () => void;

/** Messages to bots of the server itself, which read them in process and answer in one transaction. */
export function createBotInbox(deps: WriteDeps) {
  const { db, keyring, live } = deps;
  return {
    /** The oldest message of each conversation, where it is due. */
    findDue: (asked: { botId: string; now: number; limit: number }) => findWaiting(db, asked),
    postpone: postponeWaiting,

    /**
     * Takes a message out of the inbox, for the transaction that answers it.
     *
     * @returns undefined when another transaction has it, or has answered it; `text` is missing of what is no text
     */
    async take(tx: Tx, waiting: WaitingMessage): Promise<{ sentAt: number; text?: string } | undefined> {
      if (!(await lockWaiting(tx, waiting))) return undefined;
      await deleteWaiting(tx, waiting);
      const row = await findMessage(tx, waiting);
      if (!row) return undefined;
      const text = row.type === 'text' ? openBodyIfReadable(keyring, row)?.content : undefined;
      return { sentAt: row.sentAt, ...(text !== undefined && { text }) };
    },

    async answer(
      tx: Tx,
      { bucket, conversationId, personId }: Omit<WaitingMessage, 'msgId'>,
      { botId, msgId, text }: { botId: string; msgId: string; text: string },
    ): Promise<ShowWritten> {
      const content = { type: 'text' as const, body: { content: text }, replyToMsgId: undefined };
      const key = { bucket, conversationId, msgId };
      const draft = {
        kind: 'private' as const,
        ...key,
        senderId: botId,
        content,
        topics: [personId],
        receivers: [],
      };
      const written = await writeInTransaction(tx, deps, [draft]);
      return () => announceWritten(deps, written);
    },

    /** Replaces the text of a message; the old one is gone with the commit. Undefined when there is no such message. */
    async replaceText(
      tx: Tx,
      { personId, ...key }: MessageKey & { personId: string },
      text: string,
    ): Promise<ShowWritten | undefined> {
      const stored = await findMessage(tx, key);
      if (!stored) return undefined;
      const content = {
        type: 'text' as const,
        body: { content: text },
        replyToMsgId: stored.replyToMsgId ?? undefined,
      };
      const { bucket, conversationId, msgId, senderId, sentAt } = stored;
      const row = toMessageRow(keyring, { bucket, conversationId, msgId, senderId, sentAt, content });
      await updateBody(tx, row);
      return () => live.publish(personId, { type: 'message.changed', data: viewMessage(keyring, row) });
    },
  };
}
