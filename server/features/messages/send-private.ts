import type { Static } from 'typebox';
import type { SendMessage } from '#contract/messages.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Actor, CachedKey } from '#features/applications/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import { Batcher } from '#platform/batch.ts';
import type { Reserved } from '#platform/http/routes.ts';
import { bucketOf, isId, privateConversationId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { type MessageContent, readContent, toMessageRow } from './content.ts';
import { type AddressedRow, findMessageIds, insertPermitted } from './queries.ts';
import { type Recipient, refuseFromBot } from './rules.ts';
import { sendBatch } from './send-batch.ts';
import { showMessage } from './view.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'live'> & { accounts: Accounts; contacts: Contacts };

interface Send {
  botId: string;
  to: string;
  msgId: string;
  content: MessageContent;
  bucket: number;
  conversationId: string;
  /** The key of the bot, when nobody has looked it up for this request. */
  cachedKey: CachedKey | null;
}

interface Sent {
  msgId: string;
}

export type PrivateSender = (
  bot: Pick<Actor, 'accountId' | 'cachedKey'>,
  body: Static<typeof SendMessage>,
  reserved: Reserved,
) => Promise<Sent>;

/**
 * A bot writes to a person (contract §4, `POST /v1/messages`). Sends that arrive together are judged and stored by one
 * statement; each is answered for itself, after the commit. Only those that it left out are looked into.
 */
export function createPrivateSender(deps: Deps): PrivateSender {
  const sending = {
    storePermitted: (sends: Send[]) => storePermitted(deps, sends),
    findStored: (sends: Send[]) => findStored(deps.db, sends),
    refuse: (sends: Send[]) => refuseBatch(deps, sends),
  };
  const batcher = new Batcher<Send, Sent>((sends) => sendBatch(sending, sends), { runsAtOnce: 2 });
  return async ({ accountId: botId, cachedKey = null }, body, { id: msgId, isResumed }) => {
    const content = readContent(body);
    const conversationId = privateConversationId(botId, body.to);
    const bucket = bucketOf(conversationId);
    const send = { botId, to: body.to, msgId, content, bucket, conversationId, cachedKey };
    if (isResumed && (await findStored(deps.db, [send])).has(msgId)) return { msgId };
    await batcher.submit(send);
    return { msgId };
  };
}

async function storePermitted(deps: Deps, sends: Send[]): Promise<Set<string>> {
  const sentAt = deps.clock.now();
  const rows = new Map<string, AddressedRow>();
  for (const { botId, to, bucket, conversationId, msgId, content, cachedKey } of sends.filter(
    quotesNothingImpossible,
  )) {
    const row = toMessageRow(deps.keyring, {
      bucket,
      conversationId,
      msgId,
      senderId: botId,
      content,
      sentAt,
    });
    rows.set(msgId, { ...row, recipientId: to, cachedKey });
  }
  const newIds = new Set(await insertPermitted(deps.db, [...rows.values()]));
  for (const row of rows.values()) if (newIds.has(row.msgId)) showMessage(deps, row.recipientId, row);
  return newIds;
}

async function findStored(db: Deps['db'], sends: Send[]): Promise<Set<string>> {
  return new Set((await findMessageIds(db, sends)).map(({ msgId }) => msgId));
}

/** The error that answers each send, where there is one. */
async function refuseBatch({ db, accounts, contacts }: Deps, sends: Send[]): Promise<(Error | undefined)[]> {
  const quoting = sends.filter((send) => send.content.replyToMsgId && quotesNothingImpossible(send));
  const [sides, quotes] = await Promise.all([
    contacts.find(sends.map(({ bucket, conversationId, to }) => ({ bucket, conversationId, accountId: to }))),
    quoting.length === 0 ? [] : findMessageIds(db, quoting.map(quoteOf)),
  ]);
  const contactOf = new Map(sides.map((row) => [row.conversationId + row.accountId, row]));
  const known = new Set(quotes.map((row) => row.conversationId + row.msgId));
  const recipients = await findStrangers(
    accounts,
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

/** False for a quoted id that is none of ours: it never reaches the database. */
function quotesNothingImpossible({ content: { replyToMsgId } }: Send): boolean {
  return replyToMsgId === undefined || isId('msg', replyToMsgId);
}

function quoteOf({ bucket, conversationId, content }: Send) {
  return { bucket, conversationId, msgId: content.replyToMsgId as string };
}

/** Who the recipients are that never wrote: nobody, a bot, or a person. The others are known to be people. */
async function findStrangers(accounts: Accounts, sends: Send[]): Promise<Map<string, Recipient>> {
  const found = await accounts.findAll(sends.map((send) => send.to));
  return new Map(
    found.map(({ accountId, isBot, deletedAt }) => [accountId, { exists: deletedAt === null, isBot }]),
  );
}
