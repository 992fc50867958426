import { contactKey } from '#features/contacts/index.ts';
import type { Tx } from '#platform/database.ts';
import { readEachShard } from '#platform/partitioning/shards.ts';
import { listPrivateConversations } from './access/queries.ts';
import {
  deleteWaiting,
  findWaiting,
  lockWaiting,
  postponeWaiting,
  type Waiters,
  type WaitingMessage,
} from './bot-inbox-queries.ts';
import { openBodyIfReadable, toMessageRow } from './content.ts';
import type { MessageDeps } from './deps.ts';
import { findMessage, type MessageKey, updateBody } from './queries.ts';
import { viewMessage } from './view.ts';
import { announceWritten, writeInTransaction } from './write.ts';

/** To be called after the commit: shows the written messages on the person's open pages. */
export type ShowWritten = () => void;

/** Messages to built-in bots, which read them in process and answer in one transaction. */
export function createBotInbox(deps: MessageDeps) {
  const { db, keyring, live, shards, log } = deps;
  const write = async (
    tx: Tx,
    answers: (MessageKey & { botId: string; personId: string; text: string })[],
  ): Promise<ShowWritten> => {
    const drafts = answers.map(({ botId, personId, text, ...key }) => ({
      kind: 'private' as const,
      ...key,
      senderId: botId,
      content: { type: 'text' as const, body: { content: text }, replyToMsgId: undefined },
      topics: [personId],
      receivers: [],
    }));
    const written = await writeInTransaction(tx, deps, drafts);
    return () => announceWritten(deps, written);
  };
  return {
    /** The oldest message of each conversation, if it is due. */
    findDue({ limit, ...asked }: Waiters): Promise<WaitingMessage[]> {
      const ofShard = { ...asked, limit: Math.ceil(limit / shards.parts.length) };
      return readEachShard(
        shards,
        (part) => findWaiting(db, ofShard, { shards, part }),
        (err) => log.error({ err }, 'the messages to the management bot in a shard cannot be read'),
      );
    },
    postpone: postponeWaiting,

    /**
     * Removes a message from the inbox, in the transaction that answers it.
     *
     * @returns undefined if another transaction has locked or answered it; without `text` for other types
     */
    async take(tx: Tx, waiting: WaitingMessage): Promise<{ sentAt: number; text?: string } | undefined> {
      if (!(await lockWaiting(tx, waiting))) return undefined;
      await deleteWaiting(tx, waiting);
      const row = await findMessage(tx, waiting);
      if (!row) return undefined;
      const text = row.type === 'text' ? openBodyIfReadable(keyring, row)?.content : undefined;
      return { sentAt: row.sentAt, ...(text !== undefined && { text }) };
    },

    answer: (
      tx: Tx,
      { bucket, conversationId, personId }: Pick<WaitingMessage, 'bucket' | 'conversationId' | 'personId'>,
      given: { botId: string; msgId: string; text: string },
    ): Promise<ShowWritten> => write(tx, [{ bucket, conversationId, personId, ...given }]),

    /** The bot writes to people, even if they have not written to it. */
    async tell(
      tx: Tx,
      botId: string,
      told: readonly { personId: string; text: string }[],
    ): Promise<ShowWritten> {
      const createdAt = deps.clock.now();
      const answers = told.map((one) => {
        const { bucket, conversationId } = contactKey(one.personId, botId);
        return { ...one, bucket, conversationId, botId, msgId: deps.newId('msg') };
      });
      await listPrivateConversations(
        tx,
        deps.shards,
        answers.map(({ personId, conversationId }) => {
          return { accountId: personId, conversationId, peerId: botId, createdAt, readMsgId: null };
        }),
      );
      return write(tx, answers);
    },

    /** Replaces the text of a message. Undefined if there is no such message. */
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
