import type { SendGroupMessage } from '#contract/groups.ts';
import { groupNotFound, refuseMentions, refuseToPost } from '#features/groups/rules.ts';
import { findGroups, findMembers, type GroupActor, groupKey } from '#features/groups/service.ts';
import { announceEvents, type OutgoingEvent, recordEvents } from '#features/webhooks/record-events.ts';
import { Batcher } from '#platform/batch.ts';
import { isForeignKeyViolation } from '#platform/database.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { type MessageContent, publicContent, readContent, toMessageRow } from './content.ts';
import { findHearers, groupEvents } from './group-events.ts';
import { findMessageIds, insertGroupMessages, type MessageKey, type MessageRow } from './queries.ts';
import { quoteNotFound } from './rules.ts';
import type { Reserved } from './send-private.ts';
import { showMessage } from './view.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'live' | 'newId' | 'dueDeliveries' | 'config'>;

interface Send {
  senderId: string;
  bucket: number;
  groupId: string;
  msgId: string;
  content: MessageContent;
}

interface Sent {
  msgId: string;
}

export type GroupSender = (actor: GroupActor, body: SendGroupMessage, reserved: Reserved) => Promise<Sent>;

/**
 * A bot or a person writes into a group or broadcast list (contract §4). One row and one publication, however many are
 * in the group: its members are never read, but for the sender, who is mentioned, and the bots. Sends that arrive
 * together are checked by one round of reads and stored by one transaction; each is answered for itself, after the commit.
 */
export function createGroupSender(deps: Deps): GroupSender {
  const batcher = new Batcher<Send, Sent>((sends) => sendTogether(deps, sends));
  return async ({ accountId }, body, { msgId, isResumed }) => {
    const content = readContent(body);
    // A mention twice is a mention; an empty list is none.
    const mentioned = [...new Set(body.mentionedUserIds)];
    if (mentioned.length > 0) content.body.mentionedUserIds = mentioned;
    const key = groupKey(body.groupId);
    if (!key) throw groupNotFound();
    const send = { ...key, senderId: accountId, msgId, content };
    if (isResumed && (await findMessageIds(deps.db, [messageKey(send, msgId)])).length > 0) return { msgId };
    return batcher.submit(send);
  };
}

async function sendTogether(deps: Deps, sends: Send[]): Promise<(Sent | Error)[]> {
  const [refusals, hearers] = await Promise.all([refuseTogether(deps, sends), findHearers(deps.db, sends)]);
  const sentAt = deps.clock.now();
  const rows = new Map<string, MessageRow>();
  const events: OutgoingEvent[] = [];
  for (const [i, send] of sends.entries()) {
    const { bucket, groupId, senderId, msgId, content } = send;
    // Two tries with one Idempotency-Key may meet here; they are one message.
    if (refusals[i] || rows.has(msgId)) continue;
    const row = { bucket, conversationId: groupId, msgId, senderId, content, sentAt };
    rows.set(msgId, toMessageRow(deps.keyring, row));
    const told = publicContent(deps.config, content);
    events.push(...groupEvents(hearers, send, told, { msgId, from: senderId, sentAt }));
  }
  if (rows.size > 0) {
    try {
      await store(deps, [...rows.values()], events);
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      // A quoted message went away after it was seen. Whose it was shows when each is tried alone.
      if (sends.length === 1) return [quoteNotFound()];
      return (await Promise.all(sends.map((send) => sendTogether(deps, [send])))).flat();
    }
  }
  return sends.map(({ msgId }, i) => refusals[i] ?? { msgId });
}

/** Messages and the events that they cause commit together; what a repeated key has stored before is left as it is. */
async function store(deps: Deps, rows: MessageRow[], events: OutgoingEvent[]): Promise<void> {
  const newIds = new Set(
    events.length === 0
      ? await insertGroupMessages(deps.db, rows)
      : await storeWithEvents(deps, rows, events),
  );
  announceEvents(deps, events);
  for (const row of rows) if (newIds.has(row.msgId)) showMessage(deps, row.conversationId, row);
}

async function storeWithEvents(deps: Deps, rows: MessageRow[], events: OutgoingEvent[]): Promise<string[]> {
  return deps.db.begin(async (tx) => {
    const newIds = await insertGroupMessages(tx, rows);
    await recordEvents(
      tx,
      deps,
      events.filter(({ msgId }) => newIds.includes(msgId)),
    );
    return newIds;
  });
}

/** The error that answers each send, where there is one, in the order of checks of the decisions page. */
async function refuseTogether({ db }: Pick<Deps, 'db'>, sends: Send[]): Promise<(Error | undefined)[]> {
  const quotes = sends.flatMap((send) => quoteOf(send) ?? []);
  const [groups, members, known] = await Promise.all([
    findGroups(db, sends),
    findMembers(
      db,
      sends.flatMap((send) => peopleOf(send).map((accountId) => ({ ...send, accountId }))),
    ),
    quotes.length === 0 ? [] : findMessageIds(db, quotes),
  ]);
  const groupOf = new Map(groups.map((group) => [group.groupId, group]));
  const memberOf = new Map(members.map((member) => [member.groupId + member.accountId, member]));
  const quotable = new Set(known.map((row) => row.conversationId + row.msgId));
  return sends.map(({ groupId, senderId, content: { replyToMsgId, body } }) => {
    const group = groupOf.get(groupId);
    if (!group) return groupNotFound();
    const refusal = refuseToPost(group, memberOf.get(groupId + senderId));
    if (refusal) return refusal;
    if (replyToMsgId !== undefined && !quotable.has(groupId + replyToMsgId)) return quoteNotFound();
    return refuseMentions(body.mentionedUserIds ?? [], (accountId) => memberOf.has(groupId + accountId));
  });
}

/** Whose membership a send depends on. */
function peopleOf({ senderId, content }: Send): string[] {
  const mentioned = content.body.mentionedUserIds?.filter((accountId) => isId('usr', accountId)) ?? [];
  return [senderId, ...mentioned];
}

function quoteOf(send: Send): MessageKey | undefined {
  const { replyToMsgId } = send.content;
  return replyToMsgId !== undefined && isId('msg', replyToMsgId) ? messageKey(send, replyToMsgId) : undefined;
}

function messageKey({ bucket, groupId }: Pick<Send, 'bucket' | 'groupId'>, msgId: string): MessageKey {
  return { bucket, conversationId: groupId, msgId };
}
