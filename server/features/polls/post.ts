import type { Accounts, PersonLimits } from '#features/accounts/index.ts';
import { type Contacts, contactKey } from '#features/contacts/index.ts';
import { type Groups, groupNotFound, refuseToPost } from '#features/groups/index.ts';
import { type MessageContent, toMessageRow } from '#features/messages/content.ts';
import { updateReadMarker } from '#features/messages/conversation-queries.ts';
import { findBotsIn, findFirstStates, groupEvents, hearersOf } from '#features/messages/group-events.ts';
import { refuseFromBot } from '#features/messages/rules.ts';
import { writeContent } from '#features/messages/send-from-person.ts';
import { insertMessages, type MessageRow } from '#features/messages/service.ts';
import { showMessage } from '#features/messages/view.ts';
import { announceEvents, type OutgoingEvent, recordEvents } from '#features/webhooks/record-events.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { PollActor } from './service.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'live' | 'newId' | 'dueDeliveries' | 'config'> & {
  accounts: Accounts;
  contacts: Contacts;
  groups: Groups;
  limits: PersonLimits;
};

/** What commits with the poll's message when it is new. */
type Alongside = (tx: Tx, row: MessageRow) => Promise<void>;

interface Posting {
  content: MessageContent;
  msgId: string;
}

interface Posted {
  row: MessageRow;
  isNew: boolean;
}

/** A bot's private poll obeys the rules of its private messages, in their order. */
export async function postFromBot(
  deps: Deps,
  { accountId }: PollActor,
  { receiverId, content, msgId }: Posting & { receiverId: string },
  alongside: Alongside,
): Promise<Posted> {
  const side = contactKey(receiverId, accountId);
  const [account, [contact]] = await Promise.all([
    deps.accounts.find(receiverId),
    deps.contacts.find([side]),
  ]);
  const recipient = { exists: account?.deletedAt === null, isBot: account?.isBot === true };
  const refusal = refuseFromBot(recipient, contact, false, 'receiverId');
  if (refusal) throw refusal;
  const { bucket, conversationId } = side;
  const sentAt = deps.clock.now();
  const row = toMessageRow(deps.keyring, {
    bucket,
    conversationId,
    msgId,
    senderId: accountId,
    content,
    sentAt,
  });
  const isNew = await store(deps, row, { events: [], alongside });
  if (isNew) showMessage(deps, receiverId, row);
  return { row, isNew };
}

/** A person's private poll counts as writing to the recipient; a bot hears of it. */
export async function postFromPerson(
  deps: Deps,
  { accountId }: PollActor,
  { receiverId, content, msgId }: Posting & { receiverId: string },
  alongside: Alongside,
): Promise<Posted> {
  return writeContent(deps, accountId, { to: receiverId, field: 'receiverId', content, msgId }, alongside);
}

/** One row and one event per member bot, however large the group. */
export async function postToGroup(
  deps: Deps,
  { kind, accountId }: PollActor,
  { groupId, content, msgId }: Posting & { groupId: string },
  alongside: Alongside,
): Promise<Posted> {
  const found = await deps.groups.findForActor(groupId, accountId);
  if (!found) throw groupNotFound();
  const refusal = refuseToPost(found.group, found.member);
  if (refusal) throw refusal;
  if (kind === 'user') await deps.limits.messages.count(accountId);
  const { bucket } = found.group;
  const sentAt = deps.clock.now();
  const row = toMessageRow(deps.keyring, {
    bucket,
    conversationId: groupId,
    msgId,
    senderId: accountId,
    content,
    sentAt,
  });
  const hearers = hearersOf(await findBotsIn(deps.groups, [found.group]), { groupId, senderId: accountId });
  const states = await findFirstStates(deps.db, hearers);
  const origin = { msgId, from: accountId, sentAt };
  const events = groupEvents(hearers, states, found.group, content, origin);
  const isNew = await store(deps, row, {
    events,
    async alongside(tx) {
      await alongside(tx, row);
      if (kind === 'user') await updateReadMarker(tx, { accountId, conversationId: groupId, msgId });
    },
  });
  if (isNew) showMessage(deps, groupId, row);
  return { row, isNew };
}

/** False when a message with this id is there already. */
async function store(
  deps: Deps,
  row: MessageRow,
  { events, alongside }: { events: OutgoingEvent[]; alongside: Alongside },
): Promise<boolean> {
  const isNew = await deps.db.begin(async (tx) => {
    const inserted = await insertMessages(tx, [row]);
    if (inserted.length === 0) return false;
    await alongside(tx, row);
    await recordEvents(tx, deps, events);
    return true;
  });
  if (isNew) announceEvents(deps, events);
  return isNew;
}
