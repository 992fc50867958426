import type { Applications } from '#features/applications/index.ts';
import type { FirstState, OutgoingEvent, Webhooks } from '#features/webhooks/index.ts';
import type { Statement } from '#platform/database/statement.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { type Draft, type NewMessage, toMessageRow } from './content.ts';
import { eventsOf, findFirstStates } from './events.ts';
import { insertMessages } from './insert-queries.ts';
import { type NotifyDeps, notifyPeople } from './live/notify.ts';
import type { NewRow } from './queries.ts';
import { showMessage } from './view.ts';

export type WriteDeps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'live' | 'config' | 'shards'> & {
  applications: Applications;
  webhooks: Webhooks;
} & NotifyDeps;

/**
 * Stores those messages that the sender's checks permit and that are not stored yet, with their events if
 * given; returns their ids.
 */
export type Insert = (tx: Tx, rows: NewRow[], recording?: Statement) => Promise<string[]>;

/** The new messages of a transaction, by msgId, and their events. */
export interface Written {
  messages: Map<string, Draft & NewMessage>;
  events: OutgoingEvent[];
}

/**
 * Writes messages of all senders: seals and stores them, records their events, and shows them on open pages.
 * If nothing else commits with them, it is one statement.
 *
 * @returns the new ones, by msgId
 */
export async function writeMessages(
  deps: WriteDeps,
  drafts: Draft[],
  insert: Insert,
): Promise<ReadonlyMap<string, NewMessage>> {
  const written = await (mayBeOneStatement(deps, drafts)
    ? writeInOneStatement(deps, drafts, insert)
    : deps.db.begin((tx) => writeInTransaction(tx, deps, drafts, insert)));
  announceWritten(deps, written);
  return written.messages;
}

/** On Citus a statement can write only one table. */
function mayBeOneStatement({ shards }: WriteDeps, drafts: Draft[]): boolean {
  return drafts.every(
    ({ receivers, extraWrites }) => !extraWrites && (receivers.length === 0 || !shards.isDistributed),
  );
}

async function writeInOneStatement(deps: WriteDeps, drafts: Draft[], insert: Insert): Promise<Written> {
  const { messages, rows } = prepare(deps, drafts);
  if (rows.length === 0) return { messages, events: [] };
  const tx = deps.db.shared(deps.shards.nodeOf(rows[0]?.bucket ?? 0));
  const states = await findFirstStates(deps.applications, deps.db, drafts);
  const events = eventsOfAll(deps, messages, states);
  const recording = events.length > 0 ? deps.webhooks.recording(tx, events) : undefined;
  const isNew = keepNew(messages, await insert(tx, rows, recording));
  return { messages, events: events.filter(({ msgId }) => isNew.has(msgId)) };
}

/** The same in a transaction of the caller, who calls {@link announceWritten} after the commit. */
export async function writeInTransaction(
  tx: Tx,
  deps: WriteDeps,
  drafts: Draft[],
  insert: Insert = insertMessages,
): Promise<Written> {
  const { messages, rows } = prepare(deps, drafts);
  if (rows.length === 0) return { messages, events: [] };
  const [newIds, states] = await Promise.all([
    insert(tx, rows),
    findFirstStates(deps.applications, tx, drafts),
  ]);
  keepNew(messages, newIds);
  for (const message of messages.values()) if (message.extraWrites) await message.extraWrites(tx, message);
  const events = eventsOfAll(deps, messages, states);
  await deps.webhooks.record(tx, events);
  return { messages, events };
}

/** Two requests with one Idempotency-Key may be in the same batch; they count as one message. */
function prepare({ clock, keyring }: WriteDeps, drafts: Draft[]) {
  const sentAt = clock.now();
  const messages = new Map(drafts.map((draft) => [draft.msgId, { ...draft, sentAt }]));
  return { messages, rows: Array.from(messages.values(), (message) => toMessageRow(keyring, message)) };
}

/** Keeps only the messages that were stored. */
function keepNew(messages: Written['messages'], newIds: string[]): ReadonlySet<string> {
  const isNew = new Set(newIds);
  for (const msgId of messages.keys()) if (!isNew.has(msgId)) messages.delete(msgId);
  return isNew;
}

function eventsOfAll(
  deps: WriteDeps,
  messages: Written['messages'],
  states: ReadonlyMap<string, FirstState>,
): OutgoingEvent[] {
  return states.size === 0 ? [] : [...messages.values()].flatMap((one) => eventsOf(deps, one, states));
}

/**
 * After the commit: wakes up delivery and event streams, shows the messages on open pages, and notifies
 * people.
 */
export function announceWritten(deps: WriteDeps, { messages, events }: Written): void {
  deps.webhooks.announce(events);
  for (const message of messages.values()) {
    for (const topic of message.topics) showMessage(deps, topic, message);
    notifyPeople(deps, message);
  }
}
