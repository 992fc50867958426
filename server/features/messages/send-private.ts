import type { Static } from 'typebox';
import type { SendMessage } from '#contract/messages.ts';
import { findAccounts } from '#features/accounts/service.ts';
import type { Actor } from '#features/applications/actor.ts';
import { findContacts } from '#features/contacts/service.ts';
import { Batcher } from '#platform/batch.ts';
import { isForeignKeyViolation } from '#platform/database.ts';
import { bucketOf, isId, privateConversationId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { type MessageContent, readContent, toMessageRow } from './content.ts';
import { findMessageIds, insertMessages } from './queries.ts';
import { quoteNotFound, type Recipient, refuseFromBot } from './rules.ts';
import { showMessage } from './view.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'live'>;

interface Send {
  botId: string;
  to: string;
  msgId: string;
  content: MessageContent;
  bucket: number;
  conversationId: string;
}

interface Sent {
  msgId: string;
}

/** The id that the message gets; `isResumed` when an earlier try may have stored it already. */
export interface Reserved {
  msgId: string;
  isResumed: boolean;
}

export type PrivateSender = (
  bot: Actor,
  body: Static<typeof SendMessage>,
  reserved: Reserved,
) => Promise<Sent>;

/**
 * A bot writes to a person (contract §4, `POST /v1/messages`). Sends that arrive together are checked by one read and
 * stored by one statement; each is answered for itself, after the commit.
 */
export function createPrivateSender(deps: Deps): PrivateSender {
  const batcher = new Batcher<Send, Sent>((sends) => sendTogether(deps, sends));
  return async (bot, body, { msgId, isResumed }) => {
    const content = readContent(body);
    const conversationId = privateConversationId(bot.accountId, body.to);
    const bucket = bucketOf(conversationId);
    if (isResumed) {
      const stored = await findMessageIds(deps.db, [{ bucket, conversationId, msgId }]);
      if (stored.length > 0) return { msgId };
    }
    return batcher.submit({ botId: bot.accountId, to: body.to, msgId, content, bucket, conversationId });
  };
}

async function sendTogether(deps: Deps, sends: Send[]): Promise<(Sent | Error)[]> {
  const refusals = await refuseTogether(deps, sends);
  const sentAt = deps.clock.now();
  const allowed = sends.filter((_, i) => !refusals[i]);
  if (allowed.length > 0) {
    const rows = allowed.map(({ botId, bucket, conversationId, msgId, content }) =>
      toMessageRow(deps.keyring, { bucket, conversationId, msgId, senderId: botId, content, sentAt }),
    );
    try {
      await insertMessages(deps.db, rows);
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      // A quoted message went away after it was seen. Whose it was shows when each is tried alone.
      if (sends.length === 1) return [quoteNotFound()];
      return (await Promise.all(sends.map((send) => sendTogether(deps, [send])))).flat();
    }
    for (const [i, row] of rows.entries()) showMessage(deps, (allowed[i] as Send).to, row);
  }
  return sends.map(({ msgId }, i) => refusals[i] ?? { msgId });
}

/** The error that answers each send, where there is one. */
async function refuseTogether({ db }: Pick<Deps, 'db'>, sends: Send[]): Promise<(Error | undefined)[]> {
  const quoting = sends.filter((send) => send.content.replyToMsgId && isId('msg', send.content.replyToMsgId));
  const [contacts, quotes] = await Promise.all([
    findContacts(
      db,
      sends.map(({ bucket, conversationId, to }) => ({ bucket, conversationId, accountId: to })),
    ),
    quoting.length === 0 ? [] : findMessageIds(db, quoting.map(quoteOf)),
  ]);
  const contactOf = new Map(contacts.map((row) => [row.conversationId + row.accountId, row]));
  const known = new Set(quotes.map((row) => row.conversationId + row.msgId));
  const recipients = await findStrangers(
    db,
    sends.filter((send) => contactOf.get(send.conversationId + send.to)?.wroteAt == null),
  );
  return sends.map((send) => {
    const contact = contactOf.get(send.conversationId + send.to);
    const { replyToMsgId } = send.content;
    const isQuoteMissing = replyToMsgId !== undefined && !known.has(send.conversationId + replyToMsgId);
    const recipient = recipients.get(send.to) ?? { exists: contact?.wroteAt != null, isBot: false };
    return refuseFromBot(recipient, contact, isQuoteMissing);
  });
}

function quoteOf({ bucket, conversationId, content }: Send) {
  return { bucket, conversationId, msgId: content.replyToMsgId as string };
}

/** Who the recipients are that never wrote: nobody, a bot, or a person. The others are known to be people. */
async function findStrangers(db: Deps['db'], sends: Send[]): Promise<Map<string, Recipient>> {
  const accounts = await findAccounts(
    db,
    sends.map((send) => send.to),
  );
  return new Map(
    accounts.map(({ accountId, isBot, deletedAt }) => [accountId, { exists: deletedAt === null, isBot }]),
  );
}
