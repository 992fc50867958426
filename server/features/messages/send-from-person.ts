import type { Static } from 'typebox';
import type { ChatMessage, WriteMessage } from '#contract/chat.ts';
import type { Account, Accounts, PersonLimits } from '#features/accounts/index.ts';
import { isTestPerson } from '#features/accounts/test-person.ts';
import { findEventReceivers } from '#features/applications/service.ts';
import { type Contacts, contactKey } from '#features/contacts/index.ts';
import { eventMessage } from '#features/webhooks/event-message.ts';
import { announceEvents, type OutgoingEvent, recordEvents } from '#features/webhooks/record-events.ts';
import { firstStateFor } from '#features/webhooks/rules.ts';
import type { Tx } from '#platform/database.ts';
import { invalidArgument } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { insertWaiting } from './bot-inbox.ts';
import { type MessageContent, publicContent, readContent, toMessageRow } from './content.ts';
import { listPrivateConversations } from './conversation-queries.ts';
import { findMessageIds, insertMessages, type MessageRow } from './queries.ts';
import { withQuotes } from './quotes.ts';
import { refuseFromPerson } from './rules.ts';
import { showMessage, viewMessage } from './view.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'live' | 'newId' | 'dueDeliveries' | 'config'> & {
  accounts: Accounts;
  contacts: Contacts;
  limits: PersonLimits;
};

/** A person who writes, and when the person last signed in, or confirmed it, in the session that the message comes from. */
export interface Writer {
  accountId: string;
  authenticatedAt?: number;
}

/**
 * A person writes to a bot or to another person. The message, the note that the person wrote, and the event that the
 * bot gets commit together.
 *
 * @param msgId the id that the message gets; a message that has it already is left as it is
 */
export async function writeMessage(
  deps: Deps,
  { accountId, authenticatedAt }: Writer,
  sent: Static<typeof WriteMessage>,
  msgId: string,
): Promise<ChatMessage> {
  const { row } = await writeContent(deps, accountId, {
    to: sent.to,
    field: 'to',
    content: readContent(sent),
    msgId,
    ...(authenticatedAt !== undefined && { authenticatedAt }),
  });
  const [message] = await withQuotes(deps, [viewMessage(deps.keyring, row)]);
  return message as ChatMessage;
}

/** What a person writes, and the field of the request that names the recipient. */
export interface Writing {
  to: string;
  field: string;
  content: MessageContent;
  msgId: string;
  /** Of the session that it comes from. */
  authenticatedAt?: number;
}

/**
 * The same for content of any kind.
 *
 * @param alongside what else commits with a message that is new
 */
export async function writeContent(
  deps: Deps,
  personId: string,
  { to, field, content, msgId, authenticatedAt }: Writing,
  alongside: (tx: Tx, row: MessageRow) => Promise<void> = async () => {},
): Promise<{ row: MessageRow; isNew: boolean }> {
  const { db, clock, keyring, accounts, contacts } = deps;
  if (to === personId) throw invalidArgument(field, 'must be somebody else');
  const { recipient, hasWritten, hasAnswered } = await findAllowedRecipient(deps, personId, {
    to,
    field,
    content,
  });
  await countWriting(deps.limits, personId, { isStranger: !recipient.isBot && !hasAnswered, hasWritten });
  const { bucket, conversationId } = contactKey(personId, to);
  const sentAt = clock.now();
  const row = toMessageRow(keyring, { bucket, conversationId, msgId, senderId: personId, content, sentAt });
  const events = await eventsFor(deps, recipient, content, row);
  const isNew = await db.begin(async (tx) => {
    await accounts.holdActor(tx, personId);
    const inserted = await insertMessages(tx, [row]);
    if (inserted.length === 0) return false;
    await contacts.noteWrote(tx, { bucket, conversationId, accountId: personId, peerId: to, at: sentAt });
    const entry = { conversationId, createdAt: sentAt };
    await listPrivateConversations(tx, [
      { ...entry, accountId: personId, peerId: to, readMsgId: msgId },
      ...(recipient.isBot ? [] : [{ ...entry, accountId: to, peerId: personId, readMsgId: null }]),
    ]);
    await alongside(tx, row);
    await recordEvents(tx, deps, events);
    if (isBuiltIn(recipient))
      await insertWaiting(tx, {
        ...row,
        botId: to,
        personId,
        authenticatedAt: authenticatedAt ?? null,
        at: sentAt,
      });
    return true;
  });
  if (isNew) announceEvents(deps, events);
  if (isNew) for (const accountId of [personId, to]) showMessage(deps, accountId, row);
  return { row, isNew };
}

/** Generous among those who write to each other, tight towards people who never wrote back (docs/decisions/0037). */
async function countWriting(
  { messages, unanswered, newPeople }: PersonLimits,
  personId: string,
  { isStranger, hasWritten }: { isStranger: boolean; hasWritten: boolean },
): Promise<void> {
  await messages.count(personId);
  if (!isStranger) return;
  await unanswered.count(personId);
  if (!hasWritten) await newPeople.count(personId);
}

/** A bot of the server itself, which hears of messages in process. */
function isBuiltIn({ isBot, appId }: Account): boolean {
  return isBot && appId === null;
}

async function findAllowedRecipient(
  deps: Pick<Deps, 'db' | 'accounts' | 'contacts'>,
  personId: string,
  { to, field, content: { replyToMsgId } }: Omit<Writing, 'msgId' | 'authenticatedAt'>,
): Promise<{ recipient: Account; hasWritten: boolean; hasAnswered: boolean }> {
  const recipient = await findReachable(deps, to);
  const own = contactKey(personId, to);
  const { bucket, conversationId } = own;
  const contacts = await deps.contacts.find([own, contactKey(to, personId)]);
  const quotes = replyToMsgId
    ? await findMessageIds(deps.db, [{ bucket, conversationId, msgId: replyToMsgId }])
    : [];
  const contactOf = new Map(contacts.map((contact) => [contact.accountId, contact]));
  const refusal = refuseFromPerson(
    recipient,
    {
      hasBlocked: contactOf.get(personId)?.blockedAt != null,
      isBlocked: contactOf.get(to)?.blockedAt != null,
      isQuoteMissing: replyToMsgId !== undefined && quotes.length === 0,
    },
    field,
  );
  if (refusal) throw refusal;
  return {
    recipient: recipient as Account,
    hasWritten: contactOf.get(personId)?.wroteAt != null,
    hasAnswered: contactOf.get(to)?.wroteAt != null,
  };
}

/** Only its own bots know a test person; towards people it is nobody. */
async function findReachable(
  { db, accounts }: Pick<Deps, 'db' | 'accounts'>,
  accountId: string,
): Promise<Account | undefined> {
  const account = await accounts.find(accountId);
  if (account && !account.isBot && (await isTestPerson(db, accountId))) return undefined;
  return account;
}

/** What the bot is told, when the recipient is one whose application's events are recorded. */
async function eventsFor(
  deps: Deps,
  { isBot, appId }: Account,
  content: MessageContent,
  { bucket, msgId, senderId, sentAt }: MessageRow,
): Promise<OutgoingEvent[]> {
  if (!isBot || appId === null) return [];
  const [receiver] = await findEventReceivers(deps.db, [appId]);
  const state = receiver && firstStateFor(receiver);
  if (!state) return [];
  const data = eventMessage(
    publicContent(deps.config, content),
    { msgId, from: senderId, sentAt },
    { chatId: senderId },
  );
  return [{ bucket, appId, type: 'message.received', msgId, data, state, at: sentAt }];
}
