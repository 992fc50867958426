import type { Tx } from '#platform/database.ts';
import { failedPrecondition, notFound } from '#platform/errors.ts';
import { BUCKETS, bucketOf, firstIdAt, isId } from '#platform/ids.ts';
import { readEachShard, type ShardPart } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { deleteMentions } from '../access/mention-queries.ts';
import { openBodyIfReadable, usesOf } from '../content.ts';
import type { MessageDeps } from '../deps.ts';
import { type ConversationKey, findMessages, type MessageRow } from '../queries.ts';
import {
  clearHold,
  clearQuotes,
  deleteKept,
  deleteLifetime,
  deleteMessages,
  type HeldRow,
  hasMessages,
  isConversation,
  lockOldest,
  selectDue,
  selectLimited,
  selectReleased,
  selectRetention,
  upsertHold,
  waitForOldest,
} from './queries.ts';

const DAY_MS = 24 * 3_600_000;

/** Messages with ids before this one are older than the given number of days. */
function expiredBefore(now: number, days: number): string {
  return firstIdAt('msg', Math.max(0, now - days * DAY_MS));
}

/** After so many days, a message has no events any more. */
export const daysOfEvents = ({ eventRetentionDays }: Pick<MessageDeps['config'], 'eventRetentionDays'>) =>
  eventRetentionDays + 1;

/** Messages deleted in one transaction: a few milliseconds each. */
export const SLICE = 200;
/** The pause between two slices, which leaves disk and processor to others. */
const BETWEEN_SLICES_MS = 50;
/** From the beginning of a round over all conversations to that of the next one. */
const ROUND_EVERY_MS = 15 * 60_000;

interface Due extends ConversationKey {
  before: string;
  /** The period of the conversation itself, if that is the reason. */
  lifetimeDays?: number;
}

/**
 * Removes expired messages, slice by slice (docs/decisions/0076-retention.md). One of them per process with
 * the role `worker`; two at the same time share the work.
 */
export class MessageExpiry {
  readonly #deps: MessageDeps;
  #round: AsyncGenerator<boolean> | undefined;
  #begunAt = 0;
  #errors: unknown[] = [];
  #removed = 0;

  constructor(deps: MessageDeps) {
    this.#deps = deps;
  }

  /** Deletes one slice, or looks for messages that are due. @returns how long to wait until the next step */
  async step(): Promise<number> {
    const { clock } = this.#deps;
    if (!this.#round) {
      this.#round = this.#takeRound();
      this.#begunAt = clock.now();
    }
    try {
      const { done, value: isMore } = await this.#round.next();
      if (!done) return isMore ? BETWEEN_SLICES_MS : 0;
    } catch (error) {
      this.#round = undefined;
      throw error;
    }
    this.#round = undefined;
    return Math.max(0, this.#begunAt + ROUND_EVERY_MS - clock.now());
  }

  /** Deletes everything that is due now, without pauses. */
  async finish(): Promise<void> {
    for await (const _ of this.#takeRound());
  }

  /** Yields after each slice (true) and after each check. A failure in one place does not stop the others. */
  async *#takeRound(): AsyncGenerator<boolean> {
    this.#errors = [];
    this.#removed = 0;
    const { db, clock, config, groups, shards, log } = this.#deps;
    for (const key of await this.#read((part) => selectReleased(db, { limit: SLICE, shards, part }))) {
      yield* this.#whileMore(() => releaseKept(this.#deps, key));
    }
    for (const limited of await this.#read((part) => selectLimited(db, { shards, part }))) {
      const removed = this.#removed;
      yield* this.#expire({ ...limited, before: expiredBefore(clock.now(), limited.lifetimeDays) });
      if (this.#removed > removed)
        await forgetPrivate(this.#deps, limited).catch((error) => this.#note(error));
    }
    const deletedBefore = clock.now() - DAY_MS * daysOfEvents(config);
    for (const group of await this.#read((part) => groups.findDeleted({ deletedBefore, shards, part }))) {
      const key = { bucket: group.bucket, conversationId: group.groupId };
      yield* this.#expire({ ...key, before: expiredBefore(clock.now(), 0) });
      await forgetGroup(this.#deps, key).catch((error) => this.#note(error));
    }
    const { messageRetentionDays: days } = config;
    for (let bucket = 0; days !== undefined && bucket < BUCKETS; bucket++) {
      const before = expiredBefore(clock.now(), days);
      const due = await selectDue(db, { bucket, before }).catch((error) => this.#note(error));
      for (const conversationId of due) yield* this.#expire({ bucket, conversationId, before });
      yield false;
    }
    // A setting in the wrong unit would otherwise be noticed by what is missing.
    if (this.#removed > 0) log.info({ messages: this.#removed }, 'removed expired messages');
    if (this.#errors.length > 0)
      throw new AggregateError(this.#errors, 'not all expired messages could be removed');
  }

  #read<R>(read: (part: ShardPart) => Promise<R[]>): Promise<R[]> {
    const note = (error: unknown) => this.#note(error);
    return readEachShard(this.#deps.shards, read, note).catch(note);
  }

  async *#expire(due: Due): AsyncGenerator<boolean> {
    yield* this.#whileMore(async () => {
      const count = await expireSlice(this.#deps, due);
      this.#removed += count;
      return count === SLICE;
    });
    yield true;
  }

  async *#whileMore(takeSlice: () => Promise<boolean>): AsyncGenerator<boolean> {
    try {
      while (await takeSlice()) yield true;
    } catch (error) {
      this.#note(error);
    }
  }

  #note(error: unknown): never[] {
    this.#errors.push(error);
    return [];
  }
}

/** @returns how many messages it removed */
async function expireSlice(deps: MessageDeps, due: Due): Promise<number> {
  const { db, live } = deps;
  const rows = await db.begin(async (tx) => {
    const locked = await lockOldest(tx, due, { before: due.before, limit: SLICE });
    // After the lock: a concurrent hold waits for it.
    const [kept] = await selectRetention(tx, [due]);
    if (locked.length === 0 || (kept && kept.heldAt !== null)) return [];
    // People have withdrawn or lengthened the period since the round began.
    if (due.lifetimeDays !== undefined && (kept?.lifetimeDays ?? Infinity) > due.lifetimeDays) return [];
    await removeRows(tx, deps, due, locked);
    return locked;
  });
  const last = rows.at(-1);
  if (!last) return 0;
  const event = {
    type: 'conversation.expired',
    data: { conversationId: due.conversationId, upTo: last.msgId },
  } as const;
  for (const topic of await topicsOf(deps, due)) live.publish(topic, event);
  return rows.length;
}

/** Deletes locked rows and everything that belongs to them. */
async function removeRows(
  tx: Tx,
  deps: MessageDeps,
  key: ConversationKey,
  rows: MessageRow[],
): Promise<void> {
  const { clock, config, keyring, media, webhooks, hooks } = deps;
  const at = clock.now();
  const msgIds = rows.map(({ msgId }) => msgId);
  const opened = rows.flatMap((row) => {
    const body = isTextAlone(row, key) ? undefined : openBodyIfReadable(keyring, row);
    return body ? { row, body } : [];
  });
  await media.release(
    tx,
    opened.flatMap(({ row, body }) => usesOf(row, body)),
    at,
  );
  const mentions = opened.flatMap(({ row, body: { mentionedUserIds = [] } }) =>
    mentionedUserIds.map((accountId) => ({ ...row, accountId })),
  );
  await deleteMentions(tx, mentions);
  const keptSince = at - daysOfEvents(config) * DAY_MS;
  const inEvents = rows.filter(({ sentAt }) => sentAt >= keptSince);
  if (inEvents.length > 0) await webhooks.forget(tx, key.bucket, inEvents);
  await clearQuotes(tx, key, msgIds);
  for (const hook of hooks) await hook.expired?.(tx, rows);
  await deleteMessages(tx, key, msgIds);
}

/** A text in a private conversation names no file and mentions nobody. */
const isTextAlone = ({ type }: HeldRow, { conversationId }: ConversationKey) =>
  type === 'text' && conversationId.startsWith('prv_');

/**
 * Deletes the data of edited and deleted messages that an ended hold kept. @returns whether there may be more
 */
async function releaseKept(deps: MessageDeps, key: ConversationKey): Promise<boolean> {
  const { db, clock, keyring, media } = deps;
  const rows = await db.begin(async (tx) => {
    const kept = await deleteKept(tx, key, SLICE);
    const keys = kept.map((row) => ({ ...key, ...row }));
    const current = await findMessages(tx, keys);
    // The file of an edited message is still that of the message.
    const shown = new Set(current.flatMap(({ msgId, type }) => (type === 'deleted' ? [] : msgId)));
    const released = kept.filter(({ msgId }) => !shown.has(msgId));
    const uses = released.flatMap((row) => usesOf(row, openBodyIfReadable(keyring, row) ?? {}));
    await media.release(tx, uses, clock.now());
    return kept;
  });
  return rows.length === SLICE;
}

/** A private conversation without messages, both of whose accounts are deleted, is none any more. */
async function forgetPrivate({ db }: MessageDeps, key: ConversationKey): Promise<void> {
  if (!(await isConversation(db, key))) await db.write((tx) => deleteLifetime(tx, key));
}

/** Of a deleted group without messages, only its id stays. Under a legal hold, messages are left. */
async function forgetGroup({ db, groups }: MessageDeps, key: ConversationKey): Promise<void> {
  await db.begin(async (tx) => {
    if (await hasMessages(tx, key)) return;
    await deleteLifetime(tx, key);
    await groups.clearDeleted(tx, { bucket: key.bucket, groupId: key.conversationId });
  });
}

async function topicsOf({ db, contacts }: MessageDeps, key: ConversationKey): Promise<string[]> {
  if (key.conversationId.startsWith('grp_')) return [key.conversationId];
  return contacts.findParticipants(db, key);
}

/**
 * Keeps everything in a conversation: nothing in it expires, and edited and deleted messages are kept sealed
 * and hidden. Once this returns, no removal is in progress.
 *
 * @throws ApiError 404; 400 if it is already held
 */
export async function holdConversation(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  conversationId: string,
  extraWrites: (tx: Tx) => Promise<void>,
): Promise<void> {
  const key = { bucket: bucketOf(conversationId), conversationId };
  const isPossible = isId('grp', conversationId) || isId('prv', conversationId);
  if (!isPossible || !(await isConversation(db, key))) throw notFound('conversation.unknown');
  await db.begin(async (tx) => {
    if (!(await upsertHold(tx, key, clock.now()))) throw failedPrecondition('hold.there');
    await extraWrites(tx);
  });
  await db.write((tx) => waitForOldest(tx, key, SLICE));
}

/** Ends the hold and deletes the data kept for it. @throws ApiError 404 */
export async function releaseConversation(
  { db }: Pick<Platform, 'db'>,
  conversationId: string,
  extraWrites: (tx: Tx) => Promise<void>,
): Promise<void> {
  await db.begin(async (tx) => {
    if (!(await clearHold(tx, { bucket: bucketOf(conversationId), conversationId })))
      throw notFound('hold.unknown');
    await extraWrites(tx);
  });
}
