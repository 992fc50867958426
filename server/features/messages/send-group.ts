import type { SendGroupMessage } from '#contract/groups.ts';
import type { PersonLimits } from '#features/accounts/index.ts';
import type { Actor, CachedKey } from '#features/applications/index.ts';
import {
  type Groups,
  groupKey,
  groupNotFound,
  type MemberBot,
  refuseMentions,
  refuseToPost,
} from '#features/groups/index.ts';
import { announceEvents, recordGroupEvents } from '#features/webhooks/record-events.ts';
import { Batcher } from '#platform/batch.ts';
import type { Db } from '#platform/database.ts';
import type { Reserved } from '#platform/http/routes.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { type MessageContent, publicContent, readContent, toMessageRow } from './content.ts';
import { updateReadMarker } from './conversation-queries.ts';
import { findBotsIn, findFirstStates, groupEvents, hearersOf } from './group-events.ts';
import { findMessageIds, insertPermittedInGroups, type KeyedRow, type MessageKey } from './queries.ts';
import { quoteNotFound } from './rules.ts';
import { sendBatch } from './send-batch.ts';
import { showMessage } from './view.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'live' | 'newId' | 'dueDeliveries' | 'config'> & {
  groups: Groups;
};

interface Send {
  senderId: string;
  bucket: number;
  groupId: string;
  msgId: string;
  content: MessageContent;
  /** The key of the bot, when nobody has looked it up for this request. */
  cachedKey: CachedKey | null;
}

/** A bot or a person; the key of a bot where nobody has looked it up for this request. */
export type GroupWriter = Pick<Actor, 'kind' | 'accountId' | 'cachedKey'>;

interface Sent {
  msgId: string;
}

export type GroupSender = (actor: GroupWriter, body: SendGroupMessage, reserved: Reserved) => Promise<Sent>;

/**
 * A bot or a person writes into a group or broadcast list (contract §4). One row and one publication, however many are
 * in the group: its members are never read, but for the sender, who is mentioned, and the bots. Sends that arrive
 * together are judged and stored by one statement, and the events that they cause by another in its transaction.
 */
export function createGroupSender(deps: Deps & { limits: PersonLimits }): GroupSender {
  const sending = {
    storePermitted: (sends: Send[]) => storePermitted(deps, sends),
    findStored: (sends: Send[]) => findStored(deps.db, sends),
    refuse: (sends: Send[]) => refuseBatch(deps, sends),
  };
  // With events a batch goes to the database and back several times.
  const batcher = new Batcher<Send, Sent>((sends) => sendBatch(sending, sends), { runsAtOnce: 2 });
  return async ({ kind, accountId, cachedKey = null }, body, { id: msgId, isResumed }) => {
    const content = readContent(body);
    // A mention twice is a mention; an empty list is none.
    const mentioned = [...new Set(body.mentionedUserIds)];
    if (mentioned.length > 0) content.body.mentionedUserIds = mentioned;
    const key = groupKey(body.groupId);
    if (!key) throw groupNotFound();
    const send = { ...key, senderId: accountId, msgId, content, cachedKey };
    if (kind === 'user') await deps.limits.messages.count(accountId);
    const isStored = isResumed && (await findStored(deps.db, [send])).has(msgId);
    if (!isStored) await batcher.submit(send);
    const written = { accountId, conversationId: body.groupId, msgId };
    // Who writes into a group has read what is there.
    if (kind === 'user') await deps.db.begin((tx) => updateReadMarker(tx, written));
    return { msgId };
  };
}

async function storePermitted(deps: Deps, sends: Send[]): Promise<Set<string>> {
  const [bots, mentioned] = await Promise.all([
    findBotsIn(deps.groups, sends),
    findMentioned(deps.groups, sends),
  ]);
  // Two tries with one Idempotency-Key may meet here; they are one message.
  const possible = new Map(
    sends.filter((send) => namesNothingImpossible(send, mentioned)).map((send) => [send.msgId, send]),
  );
  const sentAt = deps.clock.now();
  const written = [...possible.values()].map((send) => ({
    send,
    row: toRow(deps, send, sentAt),
    hearers: hearersOf(bots, send),
  }));
  const newIds = written.some(({ hearers }) => hearers.length > 0)
    ? await storeWithEvents(deps, written)
    : new Set(await insertPermittedInGroups(deps.db, rowsOf(written)));
  for (const { row } of written) if (newIds.has(row.msgId)) showMessage(deps, row.conversationId, row);
  return newIds;
}

interface Written {
  send: Send;
  row: KeyedRow;
  hearers: MemberBot[];
}

/** Messages and the events that they cause commit together; one that was stored before causes none. */
async function storeWithEvents(deps: Deps, written: Written[]): Promise<Set<string>> {
  const { newIds, events } = await deps.db.begin(async (tx) => {
    const [inserted, states] = await Promise.all([
      insertPermittedInGroups(tx, rowsOf(written)),
      findFirstStates(
        tx,
        written.flatMap(({ hearers }) => hearers),
      ),
    ]);
    const newIds = new Set(inserted);
    const events = written
      .filter(({ row }) => newIds.has(row.msgId))
      .flatMap(({ send, row: { msgId, senderId: from, sentAt }, hearers }) =>
        groupEvents(hearers, states, send, publicContent(deps.config, send.content), { msgId, from, sentAt }),
      );
    await recordGroupEvents(tx, deps, events);
    return { newIds, events };
  });
  announceEvents(deps, events);
  return newIds;
}

function rowsOf(written: Written[]): KeyedRow[] {
  return written.map(({ row }) => row);
}

function toRow({ keyring }: Deps, { cachedKey, groupId, ...message }: Send, sentAt: number): KeyedRow {
  return { ...toMessageRow(keyring, { ...message, conversationId: groupId, sentAt }), cachedKey };
}

/** The error that answers each send, where there is one, in the order of checks of the decisions page. */
async function refuseBatch({ db, groups }: Deps, sends: Send[]): Promise<(Error | undefined)[]> {
  const quotes = sends.filter(quotesNothingImpossible).flatMap((send) => {
    const { replyToMsgId } = send.content;
    return replyToMsgId === undefined ? [] : messageKey(send, replyToMsgId);
  });
  const [found, members, known] = await Promise.all([
    groups.find(sends),
    groups.findMembers(
      sends.flatMap((send) =>
        [send.senderId, ...mentionedIn(send)].map((accountId) => ({ ...send, accountId })),
      ),
    ),
    quotes.length === 0 ? [] : findMessageIds(db, quotes),
  ]);
  const groupOf = new Map(found.map((group) => [group.groupId, group]));
  const memberOf = new Map(members.map((member) => [member.groupId + member.accountId, member]));
  const quotable = new Set(known.map((row) => row.conversationId + row.msgId));
  return sends.map((send) => {
    const { groupId, senderId, content } = send;
    const group = groupOf.get(groupId);
    if (!group) return groupNotFound();
    const refusal = refuseToPost(group, memberOf.get(groupId + senderId));
    if (refusal) return refusal;
    const { replyToMsgId } = content;
    if (replyToMsgId !== undefined && !quotable.has(groupId + replyToMsgId)) return quoteNotFound();
    return refuseMentions(mentionedIn(send), (accountId) => memberOf.has(groupId + accountId));
  });
}

/** Who is mentioned and a member, each as group and account in one text. */
async function findMentioned(groups: Groups, sends: Send[]): Promise<Set<string>> {
  const keys = sends.flatMap((send) => mentionedIn(send).map((accountId) => ({ ...send, accountId })));
  const members = keys.length === 0 ? [] : await groups.findMembers(keys);
  return new Set(members.map(({ groupId, accountId }) => groupId + accountId));
}

function mentionedIn({ content }: Send): string[] {
  return content.body.mentionedUserIds ?? [];
}

function namesNothingImpossible(send: Send, mentioned: ReadonlySet<string>): boolean {
  return (
    quotesNothingImpossible(send) &&
    mentionedIn(send).every((accountId) => mentioned.has(send.groupId + accountId))
  );
}

/** False for a quoted id that is none of ours: it never reaches the database. */
function quotesNothingImpossible({ content: { replyToMsgId } }: Send): boolean {
  return replyToMsgId === undefined || isId('msg', replyToMsgId);
}

async function findStored(db: Db, sends: Send[]): Promise<Set<string>> {
  const keys = sends.map((send) => messageKey(send, send.msgId));
  return new Set((await findMessageIds(db, keys)).map(({ msgId }) => msgId));
}

function messageKey({ bucket, groupId }: Send, msgId: string): MessageKey {
  return { bucket, conversationId: groupId, msgId };
}
