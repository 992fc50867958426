import { contactKey } from '#features/contacts/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { readEachShard, type ShardScope, withinShard } from '#platform/partitioning/shards.ts';
import { listPrivateConversations } from './access/queries.ts';
import { openBodyIfReadable, withBody } from './content.ts';
import type { MessageDeps } from './deps.ts';
import { findMessage, isOfMessage, type MessageKey, updateBody } from './queries.ts';
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
      const row = { ...withBody(keyring, stored, { content: text }), type: 'text' };
      await updateBody(tx, row);
      return () => live.publish(personId, { type: 'message.changed', data: viewMessage(keyring, row) });
    },
  };
}

/** A message to a built-in bot that has not been answered. */
export interface WaitingMessage extends MessageKey {
  personId: string;
  /** When the sender's session was authenticated; null without a session. */
  authenticatedAt: number | null;
  attempts: number;
}

/** In the transaction that stores the message. */
export async function insertWaiting(
  tx: Tx,
  row: Omit<WaitingMessage, 'attempts'> & { botId: string; at: number },
): Promise<void> {
  await tx`
    insert into bot_inbox (bucket, conversation_id, msg_id, bot_id, person_id, authenticated_at, attempts,
      next_attempt_at)
    values (${row.bucket}, ${row.conversationId}, ${row.msgId}, ${row.botId}, ${row.personId},
      ${row.authenticatedAt}, 0, ${row.at})`;
}

interface Waiters {
  botId: string;
  now: number;
  limit: number;
}

/** The oldest message of each conversation if it is due; on Citus, of one shard. */
async function findWaiting(
  db: Db,
  { botId, now, limit }: Waiters,
  { shards, part }: ShardScope,
): Promise<WaitingMessage[]> {
  const within = (table: string) => withinShard(db, shards, part, table);
  return db<WaitingMessage[]>`
    select bucket, conversation_id, msg_id, person_id, authenticated_at, attempts
    from bot_inbox as waiting
    where bot_id = ${botId} and next_attempt_at <= ${now} ${within('waiting')} and not exists (
      select 1 from bot_inbox as earlier
      where earlier.bucket = waiting.bucket and earlier.conversation_id = waiting.conversation_id
        and earlier.msg_id < waiting.msg_id ${within('earlier')}
    )
    order by next_attempt_at
    limit ${limit}`;
}

/** Locks a message for this transaction; false if another one has locked or answered it. */
async function lockWaiting(tx: Tx, key: MessageKey): Promise<boolean> {
  const rows = await tx`select msg_id from bot_inbox where ${isOfMessage(tx, key)} for update skip locked`;
  return rows.length === 1;
}

/** In the transaction that answers. */
export async function deleteWaiting(tx: Tx, key: MessageKey): Promise<void> {
  await tx`delete from bot_inbox where ${isOfMessage(tx, key)}`;
}

async function postponeWaiting(tx: Tx, key: MessageKey, nextAttemptAt: number): Promise<void> {
  await tx`
    update bot_inbox set attempts = attempts + 1, next_attempt_at = ${nextAttemptAt}
    where ${isOfMessage(tx, key)}`;
}
