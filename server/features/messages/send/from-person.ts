import type { Peer } from '#contract/chat.ts';
import { type Account, actorDeleted } from '#features/accounts/index.ts';
import { type Contact, contactKey } from '#features/contacts/index.ts';
import { Batcher } from '#platform/batch.ts';
import { isUnavailable, type Tx } from '#platform/database.ts';
import { type ApiError, invalidArgument, notFound } from '#platform/errors.ts';
import type { Reserved } from '#platform/http/serve.ts';
import { batchKeyOf, requireInReach } from '#platform/partitioning/shards.ts';
import { listPrivateConversations } from '../access/queries.ts';
import { updateWrittenMarkers } from '../access/read-markers.ts';
import { insertWaiting } from '../bot-inbox.ts';
import type { Draft, NewMessage } from '../content.ts';
import type { WriteDeps } from '../deps.ts';
import { insertMessages } from '../insert-queries.ts';
import { quoteNotFound, refuseBlocked, refuseFromPerson, refuseGroupId } from '../rules.ts';
import { announceWritten, type Written, writeInTransaction } from '../write.ts';
import { findMissingQuotes, findStored } from './batch.ts';
import type { Sending } from './private.ts';

/** A person who writes. */
export interface Writer {
  accountId: string;
  /** When the person last signed in or confirmed their identity in the session of the message. */
  authenticatedAt?: number;
  /** The person as others see them. */
  peer?: Peer | undefined;
}

/** A message of a person, and who may get it. */
interface PersonDraft extends Draft {
  recipientId: string;
  field: string;
  /** The person has written in this conversation before: both have it in their lists. */
  hasWritten?: boolean;
  /** For a bot of the server itself, which gets no event. */
  waiting?: { authenticatedAt: number | null };
}

/** The message is to be written by itself: its sender's account is locked, or its batch has failed. */
class Apart extends Error {}

/** The recipient of a message that may be sent, and what the limits depend on. */
interface Allowed {
  recipient: Account;
  hasWritten: boolean;
  hasAnswered: boolean;
}

export type SendFromPerson = ReturnType<typeof createPersonSender>;

/**
 * People write to bots and to other people. Concurrent sends are checked by the same reads and stored in the same transaction;
 * the message, the contact, and the event for the bot commit together. A message that has to wait for a lock, or that makes the
 * transaction fail, is written in its own, so that it concerns nobody else. On Citus, where each row lies in a shard of its own,
 * every message is.
 *
 * @returns the message, or undefined if an earlier request with its Idempotency-Key stored it
 */
export function createPersonSender(deps: WriteDeps) {
  const checks = new Batcher<PersonDraft, Allowed>((drafts) => checkAll(deps, drafts), { runsAtOnce: 2 });
  const writes = new Batcher<PersonDraft, NewMessage | undefined>((drafts) => writeTogether(deps, drafts), {
    runsAtOnce: 2,
  });
  const write = async (draft: PersonDraft): Promise<NewMessage | undefined> => {
    // Further writes of a message might fail, or wait for others.
    if (draft.extraWrites || draft.waiting || deps.shards.isDistributed) return writeAlone(deps, draft);
    try {
      return await writes.submit(draft);
    } catch (error) {
      if (error instanceof Apart) return writeAlone(deps, draft);
      throw error;
    }
  };
  return async (
    { accountId: senderId, authenticatedAt, peer: sender }: Writer,
    { to, field, content, extraWrites }: Sending,
    { id: msgId, isResumed }: Reserved,
  ): Promise<NewMessage | undefined> => {
    if (to === senderId) throw invalidArgument(field, 'yourself');
    refuseGroupId(to, field);
    const { bucket, conversationId } = contactKey(senderId, to);
    if (isResumed && (await findStored(deps.db, [{ bucket, conversationId, msgId }])).size > 0)
      return undefined;
    const draft: PersonDraft = {
      kind: 'private',
      bucket,
      conversationId,
      msgId,
      senderId,
      sender,
      recipientId: to,
      field,
      content,
      topics: [senderId, to],
      receivers: [],
      extraWrites,
    };
    await requireInReach(deps.shards, { accountIds: [to], conversationId });
    const { recipient, hasWritten, hasAnswered } = await checks.submit(draft, batchKeyOf(deps.shards, msgId));
    const { isBot, appId } = recipient;
    await countWriting(deps, senderId, { isStranger: !isBot && !hasAnswered, hasWritten });
    const isBuiltIn = isBot && appId === null;
    return write({
      ...draft,
      hasWritten,
      receivers: isBot && appId !== null ? [{ accountId: to, botAppId: appId }] : [],
      ...(isBuiltIn && { waiting: { authenticatedAt: authenticatedAt ?? null } }),
    });
  };
}

/**
 * Generous between people who write to each other, strict towards people who never wrote back
 * (docs/decisions/0037).
 */
async function countWriting(
  { accounts: { limits } }: WriteDeps,
  personId: string,
  { isStranger, hasWritten }: { isStranger: boolean; hasWritten: boolean },
): Promise<void> {
  await limits.messages.count(personId);
  if (!isStranger) return;
  await limits.unanswered.count(personId);
  if (!hasWritten) await limits.newPeople.count(personId);
}

/** A quote is judged when the message is written, under a lock. */
async function checkAll(
  { accounts, contacts }: WriteDeps,
  drafts: PersonDraft[],
): Promise<(Allowed | Error)[]> {
  const recipientIds = [...new Set(drafts.map(({ recipientId }) => recipientId))];
  const [found, sides] = await Promise.all([
    accounts.findAll(recipientIds),
    contacts.find(drafts.flatMap(sidesOf)),
  ]);
  // A test person exists only for its owner's bots, not for people.
  const recipients = new Map(
    found.flatMap((one) => (one.isTestPerson ? [] : [[one.accountId, one] as const])),
  );
  const contactsOf = bySides(sides);
  return drafts.map((draft) => {
    const recipient = recipients.get(draft.recipientId);
    const [own, theirs] = contactsOf(draft);
    const refusal = refuseFromPerson(recipient, own, theirs, draft.field);
    if (refusal || !recipient) return refusal as Error;
    return { recipient, hasWritten: own?.wroteAt != null, hasAnswered: theirs?.wroteAt != null };
  });
}

/** The sender's side, then the recipient's. */
function sidesOf({ bucket, conversationId, senderId, recipientId }: PersonDraft) {
  return [senderId, recipientId].map((accountId) => ({ bucket, conversationId, accountId }));
}

/** Finds the contacts of both sides among these. */
function bySides(found: readonly Contact[]): (draft: PersonDraft) => (Contact | undefined)[] {
  const contactOf = new Map(found.map((side) => [side.conversationId + side.accountId, side]));
  return (draft) => sidesOf(draft).map((side) => contactOf.get(side.conversationId + side.accountId));
}

/**
 * Why messages that were allowed may not be written any more. Read under the lock on the senders, for which a block waits: nothing
 * of a person comes after the block is answered.
 */
async function findObstacles(
  tx: Tx,
  { contacts }: WriteDeps,
  drafts: PersonDraft[],
): Promise<(draft: PersonDraft) => ApiError | undefined> {
  const [sides, isQuoteMissing] = await Promise.all([
    contacts.find(drafts.flatMap(sidesOf), tx),
    findMissingQuotes(tx, drafts, { isKept: true }),
  ]);
  const contactsOf = bySides(sides);
  return (draft) => {
    const [own, theirs] = contactsOf(draft);
    return refuseBlocked(own, theirs) ?? (isQuoteMissing(draft) ? quoteNotFound() : undefined);
  };
}

/** Whose lists the message changes: that of its author, and by a first message that of the other person. */
function listedFor({ senderId, recipientId, hasWritten, receivers, waiting }: PersonDraft): string[] {
  const isPerson = receivers.length === 0 && !waiting;
  return isPerson && !hasWritten ? [senderId, recipientId] : [senderId];
}

/** Why a message cannot be written with these accounts, which are locked; another transaction may have locked the missing ones. */
function refuseEnded(
  draft: PersonDraft,
  locked: ReadonlyMap<string, Pick<Account, 'deletedAt'>>,
): Error | undefined {
  const accounts = listedFor(draft).map((accountId) => locked.get(accountId));
  if (accounts.includes(undefined)) return new Apart();
  const [isSenderEnded, isRecipientEnded] = accounts.map((account) => account?.deletedAt !== null);
  if (isSenderEnded) return actorDeleted();
  return isRecipientEnded ? notFound('recipient.unknown', { field: draft.field }) : undefined;
}

async function writeTogether(
  deps: WriteDeps,
  drafts: PersonDraft[],
): Promise<(NewMessage | undefined | Error)[]> {
  const { accounts, db } = deps;
  try {
    const { written, refuse } = await db.begin(async (tx) => {
      // One after another, without waiting for an answer.
      const [free, findObstacle] = await Promise.all([
        accounts.lockFreeShared(tx, [...new Set(drafts.flatMap(listedFor))]),
        findObstacles(tx, deps, drafts),
      ]);
      const locked = new Map(free.map((account) => [account.accountId, account]));
      const refuse = (draft: PersonDraft) => refuseEnded(draft, locked) ?? findObstacle(draft);
      const permitted = drafts.filter((draft) => !refuse(draft));
      return { written: await writeLocked(tx, deps, permitted), refuse };
    });
    announceWritten(deps, written);
    return drafts.map((draft) => refuse(draft) ?? written.messages.get(draft.msgId));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    return drafts.map(() => new Apart());
  }
}

async function writeAlone(deps: WriteDeps, draft: PersonDraft): Promise<NewMessage | undefined> {
  const written = await deps.db.begin(async (tx) => {
    const accounts = await deps.accounts.lockShared(tx, listedFor(draft));
    const locked = new Map(accounts.map((account) => [account.accountId, account]));
    const refusal = refuseEnded(draft, locked) ?? (await findObstacles(tx, deps, [draft]))(draft);
    if (refusal) throw refusal;
    return writeLocked(tx, deps, [draft]);
  });
  announceWritten(deps, written);
  return written.messages.get(draft.msgId);
}

/**
 * With the accounts locked before anything else: deleting an account locks it first, then the objects it belongs to.
 */
async function writeLocked(tx: Tx, deps: WriteDeps, drafts: PersonDraft[]): Promise<Written> {
  const written = await writeInTransaction(tx, deps, drafts, insertMessages);
  const stored = drafts.flatMap((draft) => {
    const message = written.messages.get(draft.msgId);
    return message ? [{ ...draft, sentAt: message.sentAt }] : [];
  });
  if (stored.length > 0) await listAll(tx, deps, stored);
  return written;
}

async function listAll(
  tx: Tx,
  { contacts, shards }: WriteDeps,
  stored: readonly (PersonDraft & NewMessage)[],
): Promise<void> {
  const first = stored.filter(({ hasWritten }) => !hasWritten);
  const sides = new Map(
    first.map(({ bucket, conversationId, senderId, recipientId, sentAt }) => [
      conversationId + senderId,
      { bucket, conversationId, accountId: senderId, peerId: recipientId, wroteAt: sentAt },
    ]),
  );
  await contacts.addWritten(tx, [...sides.values()]);
  // On Citus the marker moves with every message.
  const unlisted = shards.isDistributed ? stored : first;
  if (unlisted.length > 0) await listPrivateConversations(tx, shards, unlisted.flatMap(entriesOf));
  const listed = shards.isDistributed ? [] : stored.filter(({ hasWritten }) => hasWritten);
  if (listed.length > 0)
    await updateWrittenMarkers(
      tx,
      listed.map(({ senderId, ...message }) => ({ ...message, accountId: senderId })),
    );
  for (const { waiting, recipientId, senderId, sentAt, ...message } of stored)
    if (waiting)
      await insertWaiting(tx, { ...message, ...waiting, botId: recipientId, personId: senderId, at: sentAt });
}

/** The sender's list, and for a first message that of the recipient, unless it is a bot. */
function entriesOf(message: PersonDraft & NewMessage) {
  const { conversationId, senderId, recipientId, msgId, sentAt } = message;
  const entry = { conversationId, createdAt: sentAt };
  return listedFor(message).map((accountId) =>
    accountId === senderId
      ? { ...entry, accountId, peerId: recipientId, readMsgId: msgId }
      : { ...entry, accountId, peerId: senderId, readMsgId: null },
  );
}
