import type { Account, Accounts } from '#features/accounts/index.ts';
import { type Contacts, contactKey } from '#features/contacts/index.ts';
import type { Tx } from '#platform/database.ts';
import { invalidArgument } from '#platform/errors.ts';
import type { Reserved } from '#platform/http/serve.ts';
import { listPrivateConversations } from '../access/queries.ts';
import { insertWaiting } from '../bot-inbox-queries.ts';
import type { Draft, NewMessage } from '../content.ts';
import { insertMessages } from '../insert-queries.ts';
import { refuseFromPerson, refuseGroupId } from '../rules.ts';
import { type WriteDeps, writeMessages } from '../write.ts';
import { findMissingQuotes } from './batch.ts';
import type { Sending } from './private.ts';

type Deps = WriteDeps & { accounts: Accounts; contacts: Contacts };

/** A person who writes. */
export interface Writer {
  accountId: string;
  /** When the person last signed in or confirmed their identity in the session of the message. */
  authenticatedAt?: number;
}

/**
 * A person writes to a bot or to another person. The message, the contact, and the event for the bot commit
 * together.
 *
 * @returns the message, or undefined if an earlier request with its Idempotency-Key stored it
 */
export async function sendFromPerson(
  deps: Deps,
  { accountId: personId, authenticatedAt }: Writer,
  { to, field, content, extraWrites }: Sending,
  { id: msgId }: Reserved,
): Promise<NewMessage | undefined> {
  const { accounts, contacts } = deps;
  if (to === personId) throw invalidArgument(field, 'yourself');
  const { bucket, conversationId } = contactKey(personId, to);
  const draft: Draft = {
    kind: 'private',
    bucket,
    conversationId,
    msgId,
    senderId: personId,
    content,
    topics: [personId, to],
    receivers: [],
  };
  const { recipient, hasWritten, hasAnswered } = await findAllowedRecipient(deps, draft, { to, field });
  const { isBot, appId } = recipient;
  await countWriting(deps, personId, { isStranger: !isBot && !hasAnswered, hasWritten });
  const commit = async (tx: Tx, message: NewMessage) => {
    const { sentAt } = message;
    await contacts.noteWrote(tx, { bucket, conversationId, accountId: personId, peerId: to, at: sentAt });
    const entry = { conversationId, createdAt: sentAt };
    await listPrivateConversations(tx, [
      { ...entry, accountId: personId, peerId: to, readMsgId: msgId },
      ...(isBot ? [] : [{ ...entry, accountId: to, peerId: personId, readMsgId: null }]),
    ]);
    await extraWrites?.(tx, message);
    // A bot of the server itself gets no event.
    if (isBot && appId === null)
      await insertWaiting(tx, {
        ...message,
        botId: to,
        personId,
        authenticatedAt: authenticatedAt ?? null,
        at: sentAt,
      });
  };
  const receivers = isBot && appId !== null ? [{ accountId: to, botAppId: appId }] : [];
  const written = await writeMessages(
    deps,
    [{ ...draft, receivers, extraWrites: commit }],
    async (tx, rows) => {
      await accounts.lockActor(tx, personId);
      return insertMessages(tx, rows);
    },
  );
  return written.get(msgId);
}

/**
 * Generous between people who write to each other, strict towards people who never wrote back
 * (docs/decisions/0037).
 */
async function countWriting(
  { accounts: { limits } }: Deps,
  personId: string,
  { isStranger, hasWritten }: { isStranger: boolean; hasWritten: boolean },
): Promise<void> {
  await limits.messages.count(personId);
  if (!isStranger) return;
  await limits.unanswered.count(personId);
  if (!hasWritten) await limits.newPeople.count(personId);
}

async function findAllowedRecipient(
  deps: Deps,
  draft: Draft,
  { to, field }: Pick<Sending, 'to' | 'field'>,
): Promise<{ recipient: Account; hasWritten: boolean; hasAnswered: boolean }> {
  const { senderId } = draft;
  refuseGroupId(to, field);
  const recipient = await findReachable(deps, to);
  const [contacts, isQuoteMissing] = await Promise.all([
    deps.contacts.find([contactKey(senderId, to), contactKey(to, senderId)]),
    findMissingQuotes(deps.db, [draft]),
  ]);
  const [own, theirs] = [senderId, to].map((id) => contacts.find(({ accountId }) => accountId === id));
  const refusal = refuseFromPerson(
    recipient,
    {
      hasBlocked: own?.blockedAt != null,
      isBlocked: theirs?.blockedAt != null,
      isQuoteMissing: isQuoteMissing(draft),
    },
    field,
  );
  if (refusal) throw refusal;
  return {
    recipient: recipient as Account,
    hasWritten: own?.wroteAt != null,
    hasAnswered: theirs?.wroteAt != null,
  };
}

/** A test person exists only for its owner's bots, not for people. */
async function findReachable({ accounts }: Deps, accountId: string): Promise<Account | undefined> {
  const account = await accounts.find(accountId);
  return account && !account.isBot && (await accounts.isTestPerson(accountId)) ? undefined : account;
}
