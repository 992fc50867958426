import { plainText } from '#contract/formatting.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Notification } from '#features/push/index.ts';
import {
  eventMessage,
  type FirstState,
  firstStateFor,
  type OutgoingEvent,
} from '#features/webhooks/index.ts';
import type { Statement } from '#platform/database/statement.ts';
import type { Db, Tx } from '#platform/database.ts';
import { selectWanting } from './access/queries.ts';
import { type Draft, type NewMessage, publicContent, toMessageRow } from './content.ts';
import type { WriteDeps } from './deps.ts';
import { insertMessages } from './insert-queries.ts';
import type { NewRow } from './queries.ts';
import { showMessage } from './view.ts';

/**
 * Stores those messages that the sender's checks permit and that are not stored yet, with their events if
 * given; returns their ids.
 */
export type Insert = (tx: Tx, rows: NewRow[], recording?: Statement) => Promise<string[]>;

type WrittenMessage = Draft & NewMessage;

/** The new messages of a transaction, by msgId, and their events. */
export interface Written {
  messages: Map<string, WrittenMessage>;
  events: OutgoingEvent[];
}

/**
 * Writes messages of all senders: seals and stores them, records their events, and shows them on open pages.
 * If nothing else commits with them, it is one statement.
 *
 * @param keep keeps what permits the messages as it is until the end of a transaction of several statements
 * @returns the new ones, by msgId
 */
export async function writeMessages<D extends Draft>(
  deps: WriteDeps,
  drafts: D[],
  { insert, keep }: { insert: Insert; keep: (tx: Tx, drafts: D[]) => Promise<unknown> },
): Promise<ReadonlyMap<string, NewMessage>> {
  const written = await (mayBeOneStatement(deps, drafts)
    ? writeInOneStatement(deps, drafts, insert)
    : deps.db.begin(async (tx) => {
        await keep(tx, drafts);
        return writeInTransaction(tx, deps, drafts, insert);
      }));
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
  const isStored = ({ msgId }: OutgoingEvent) => isNew.has(msgId);
  deps.webhooks.discard(events.filter((event) => !isStored(event)));
  return { messages, events: events.filter(isStored) };
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

/** The initial state of the events of each application, if its events are recorded at this moment. */
async function findFirstStates(
  applications: Applications,
  db: Db,
  drafts: readonly Draft[],
): Promise<ReadonlyMap<string, FirstState>> {
  const states = new Map<string, FirstState>();
  const unknown = new Set<string>();
  const note = (appId: string, state: FirstState | undefined) => state && states.set(appId, state);
  for (const { botAppId, state, hasWebhookUrl } of drafts.flatMap(({ receivers }) => receivers)) {
    if (state === undefined || hasWebhookUrl === undefined) unknown.add(botAppId);
    else note(botAppId, firstStateFor({ state, hasWebhookUrl }));
  }
  const found = unknown.size === 0 ? [] : await applications.findEventReceivers([...unknown], db);
  for (const receiver of found) note(receiver.appId, firstStateFor(receiver));
  return states;
}

/** The events that a new message causes: one for each receiver that has a first state. */
function eventsOf(
  { config }: WriteDeps,
  { kind, bucket, conversationId, msgId, senderId, content, sentAt, receivers }: WrittenMessage,
  states: ReadonlyMap<string, FirstState>,
): OutgoingEvent[] {
  const recipients = receivers.filter(({ botAppId }) => states.has(botAppId));
  if (recipients.length === 0) return [];
  const origin = { msgId, from: senderId, sentAt };
  const isPrivate = kind === 'private';
  const mentionedUserIds = content.body.mentionedUserIds ?? [];
  const dataFor = (isMentioned: boolean) =>
    eventMessage(
      publicContent(config, content),
      origin,
      isPrivate ? { chatId: senderId } : { groupId: conversationId, mentionedUserIds, isMentioned },
    );
  // The text is the same for all bots except mentioned ones, and serialised once.
  const toOthers = dataFor(false);
  const toMentioned = mentionedUserIds.length > 0 ? dataFor(true) : toOthers;
  return recipients.map(({ accountId, botAppId: appId }) => ({
    bucket,
    appId,
    type: isPrivate ? 'message.received' : 'group_message.received',
    msgId,
    data: mentionedUserIds.includes(accountId) ? toMentioned : toOthers,
    state: states.get(appId) as FirstState,
    at: sentAt,
  }));
}

/**
 * Notifies the browsers of the recipients of a new message; the sender neither waits for that nor learns of
 * failures.
 */
function notifyPeople(deps: WriteDeps, message: WrittenMessage): void {
  if (!deps.push.notifier.isUsed) return;
  void notify(deps, message).catch((err) => deps.log.warn({ err }, 'nobody was notified of a message'));
}

async function notify(deps: WriteDeps, message: WrittenMessage): Promise<void> {
  const { db, push } = deps;
  if (!(await push.notifier.isUsed)) return;
  const { conversationId, msgId, senderId, sentAt: at, content } = message;
  const mentionedUserIds = content.body.mentionedUserIds ?? [];
  const people = (await findPeople(deps, message)).filter((accountId) => accountId !== senderId);
  if (people.length === 0) return;
  await push.notifier.tell(people, at, async (reachable) => ({
    to: await selectWanting(db, reachable, { conversationId, msgId, mentionedUserIds, at }),
    notification: await describe(deps, message),
  }));
}

async function findPeople({ groups }: WriteDeps, { kind, bucket, conversationId, topics }: WrittenMessage) {
  if (kind === 'private') return [...topics];
  return groups.findPeople([{ bucket, groupId: conversationId }]);
}

async function describe({ accounts, groups }: WriteDeps, message: WrittenMessage): Promise<Notification> {
  const { kind, bucket, conversationId, msgId, senderId, content } = message;
  const { type, body } = content;
  const [sender] = await accounts.findAll([senderId]);
  const [group] = kind === 'group' ? await groups.find([{ bucket, groupId: conversationId }]) : [];
  const name = sender?.name ?? '';
  const text = body.content ?? body.caption ?? body.poll?.question ?? body.location?.name ?? '';
  const labels = (body.quickReplies?.buttons ?? []).map(({ label }) => `[${label}]`);
  return {
    conversationId,
    msgId,
    title: group?.name ?? name,
    ...(group && { sender: name }),
    kind: type,
    text: [sender?.plainText ? text : plainText(text), ...labels].join(' '),
    isUrgent: kind === 'private',
  };
}
