import type { Applications } from '#features/applications/index.ts';
import type { OutgoingEvent, Webhooks } from '#features/webhooks/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { type Draft, type NewMessage, toMessageRow } from './content.ts';
import { eventsOf, findFirstStates } from './events.ts';
import { type NotifyDeps, notifyPeople } from './live/notify.ts';
import { insertMessages, type NewRow } from './queries.ts';
import { showMessage } from './view.ts';

export type WriteDeps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'live' | 'config' | 'shards'> & {
  applications: Applications;
  webhooks: Webhooks;
} & NotifyDeps;

/** Stores those messages that the sender's judgement lets pass and that were not stored before; returns their ids. */
export type Insert = (tx: Tx, rows: NewRow[]) => Promise<string[]>;

/** The new messages of a transaction, by msgId, and their events. */
export interface Written {
  messages: Map<string, Draft & NewMessage>;
  events: OutgoingEvent[];
}

/**
 * Writes messages: whoever sends them, all are sealed, stored, recorded as events and shown here. Where nothing else
 * commits with them, that is one statement.
 *
 * @returns the new ones, by msgId
 */
export async function writeMessages(
  deps: WriteDeps,
  drafts: Draft[],
  insert: Insert,
): Promise<ReadonlyMap<string, NewMessage>> {
  const write = (tx: Tx) => writeInTransaction(tx, deps, drafts, insert);
  const isAlone = drafts.every(({ receivers, alongside }) => receivers.length === 0 && !alongside);
  const written = await (isAlone ? write(deps.db.shared) : deps.db.begin(write));
  announceWritten(deps, written);
  return written.messages;
}

/** The same in a transaction of the caller, who calls {@link announceWritten} after the commit. */
export async function writeInTransaction(
  tx: Tx,
  deps: WriteDeps,
  drafts: Draft[],
  insert: Insert = insertMessages,
): Promise<Written> {
  const sentAt = deps.clock.now();
  // Two requests with one Idempotency-Key may meet in a batch; they are one message.
  const messages = new Map(drafts.map((draft) => [draft.msgId, { ...draft, sentAt }]));
  const rows = Array.from(messages.values(), (message) => toMessageRow(deps.keyring, message));
  if (rows.length === 0) return { messages, events: [] };
  const [newIds, states] = await Promise.all([
    insert(tx, rows),
    findFirstStates(deps.applications, tx, drafts),
  ]);
  const isNew = new Set(newIds);
  for (const msgId of messages.keys()) if (!isNew.has(msgId)) messages.delete(msgId);
  for (const message of messages.values()) if (message.alongside) await message.alongside(tx, message);
  const events =
    states.size === 0 ? [] : [...messages.values()].flatMap((one) => eventsOf(deps, one, states));
  await deps.webhooks.record(tx, events);
  return { messages, events };
}

/** After the commit: wakes those who deliver and fetch the events, shows the messages on open pages, and notifies people. */
export function announceWritten(deps: WriteDeps, { messages, events }: Written): void {
  deps.webhooks.announce(events);
  for (const message of messages.values()) {
    for (const topic of message.topics) showMessage(deps, topic, message);
    notifyPeople(deps, message);
  }
}
