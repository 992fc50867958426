import { KeyChanged } from '#features/applications/index.ts';
import { type Db, isSerializationFailure, type Tx } from '#platform/database.ts';
import { isId } from '#platform/ids.ts';
import type { Draft, NewMessage } from '../content.ts';
import type { WriteDeps } from '../deps.ts';
import { findMessageIds, findQuotable, type MessageKey } from '../queries.ts';
import { announceWritten, type Insert, writeInTransaction, writeMessages } from '../write.ts';

/**
 * Who may send messages of one kind: as a statement that checks while it stores, and as a rule that explains
 * refusals.
 */
export interface SendPermission<D extends Draft> {
  /** Removes drafts that can never be permitted, and adds the data that the events of the others need. */
  prepare(drafts: D[], db: Db): Promise<D[]>;
  insert: Insert;
  /** Keeps that as it is until the transaction ends: nothing comes after the answer to who withdraws the permission. */
  keep(tx: Tx, drafts: D[]): Promise<unknown>;
  /** The error for each refused draft. */
  refuse(drafts: D[], db: Db): Promise<(Error | undefined)[]>;
}

/**
 * The answer to a send: the message, undefined if an earlier request with its Idempotency-Key stored it, or an
 * error.
 */
type Answer = NewMessage | undefined | Error;

/**
 * Sends a batch. Nearly all sends are permitted, so permissions are checked by the statement that stores
 * them, and only refused ones are examined. Each send is answered separately, after the commit.
 */
export async function sendBatch<D extends Draft>(
  deps: WriteDeps,
  permission: SendPermission<D>,
  drafts: D[],
): Promise<Answer[]> {
  const written = await writeMessages(deps, await permission.prepare(drafts, deps.db), permission);
  const leftOut = drafts.filter(({ msgId }) => !written.has(msgId));
  // Looking up the key tells whether the key or the message was refused.
  const confirmed = leftOut.filter(({ cachedKey }) => !cachedKey);
  const answers = confirmed.length > 0 ? await answerLeftOut(deps, permission, confirmed) : undefined;
  return drafts.map(
    (draft) => written.get(draft.msgId) ?? (draft.cachedKey ? new KeyChanged() : answers?.get(draft)),
  );
}

async function answerLeftOut<D extends Draft>(
  deps: WriteDeps,
  permission: SendPermission<D>,
  drafts: D[],
): Promise<Map<D, Answer>> {
  const [stored, refusals] = await Promise.all([
    findStored(deps.db, drafts),
    permission.refuse(drafts, deps.db),
  ]);
  const answers = new Map(drafts.map((draft, i) => [draft, refusals[i] as Answer]));
  for (const draft of drafts) if (stored.has(draft.msgId)) answers.set(draft, undefined);
  // The obstacle to these has just been removed, for example by unblocking the bot.
  const passed = drafts.filter((draft, i) => !refusals[i] && !stored.has(draft.msgId));
  if (passed.length > 0) {
    const again = await untilSerialized(() => sendInSnapshot(deps, permission, passed));
    for (const [i, draft] of passed.entries()) answers.set(draft, again[i]);
  }
  return answers;
}

/** So many snapshots in a row can be older than what they concern, while a person blocks and unblocks without a pause. */
const SNAPSHOTS = 10;

/**
 * Repeats a transaction that failed because of what another has just committed, the message of an earlier request with the
 * Idempotency-Key or a changed permission: the next snapshot shows it.
 */
async function untilSerialized<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let left = SNAPSHOTS - 1; left > 0; left--) {
    try {
      return await transaction();
    } catch (error) {
      if (!isSerializationFailure(error)) throw error;
    }
  }
  return transaction();
}

/**
 * Statement and rule see one snapshot, so they agree whatever changes meanwhile. If they do not, one of them
 * is wrong, and retrying would not help.
 */
async function sendInSnapshot<D extends Draft>(
  deps: WriteDeps,
  permission: SendPermission<D>,
  drafts: D[],
): Promise<Answer[]> {
  const { written, answers } = await deps.db.begin(async (tx) => {
    await tx`set transaction isolation level repeatable read`;
    await permission.keep(tx, drafts);
    const refusals = await permission.refuse(drafts, tx);
    const permitted = drafts.filter((_, i) => !refusals[i]);
    const prepared = await permission.prepare(permitted, tx);
    const written = await writeInTransaction(tx, deps, prepared, permission.insert);
    const stored = await findStored(tx, drafts);
    const answers = drafts.map(({ msgId }, i): Answer => {
      if (refusals[i] || written.messages.has(msgId)) return refusals[i] ?? written.messages.get(msgId);
      return stored.has(msgId) ? undefined : new Error(`${msgId} is permitted, and yet was not stored`);
    });
    return { written, answers };
  });
  announceWritten(deps, written);
  return answers;
}

/** The ids of those that an earlier request with the same Idempotency-Key stored. */
export async function findStored(db: Db, keys: MessageKey[]): Promise<ReadonlySet<string>> {
  return new Set((await findMessageIds(db, keys)).map(({ msgId }) => msgId));
}

/** False for a quoted id that cannot be a message's: it never reaches the database. */
export function isQuotePossible({ content: { replyToMsgId } }: Draft): boolean {
  return replyToMsgId === undefined || isId('msg', replyToMsgId);
}

/** Finds the drafts that quote something other than a message of their conversation. */
export async function findMissingQuotes(
  db: Db,
  drafts: Draft[],
  { isKept = false } = {},
): Promise<(draft: Draft) => boolean> {
  const keys = drafts.filter(isQuotePossible).flatMap(({ bucket, conversationId, content }) => {
    const { replyToMsgId: msgId } = content;
    return msgId === undefined ? [] : { bucket, conversationId, msgId };
  });
  const found = await findQuotable(db, keys, { isKept });
  const known = new Set(found.map(({ conversationId, msgId }) => conversationId + msgId));
  return ({ conversationId, content: { replyToMsgId } }) =>
    replyToMsgId !== undefined && !known.has(conversationId + replyToMsgId);
}
