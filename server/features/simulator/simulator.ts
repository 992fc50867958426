import type { Simulator, Timeline, TimelineItem } from '#contract/applications/simulator.ts';
import type { MessagePage, ReadMessages } from '#contract/chat.ts';
import { type AccountHook, type Accounts, viewPeer } from '#features/accounts/index.ts';
import type { Applications, Owned } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import { type Contacts, contactKey } from '#features/contacts/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { Polls } from '#features/polls/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import { ApiError } from '#platform/errors.ts';
import { bucketOf, firstIdAt, privateConversationId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';

/** How many requests of the bot a page of the timeline has at most. */
const REQUESTS = 100;

export type SimulatorDeps = Platform & {
  accounts: Accounts;
  accountHooks: readonly AccountHook[];
  applications: Applications;
  bots: Bots;
  contacts: Contacts;
  messages: Messages;
  polls: Polls;
  webhooks: Webhooks;
};

/** The two sides of the conversation. */
export interface TestChat {
  testPersonId: string;
  botId: string;
}

/**
 * The owner's test person, and the bot of the application. Actions of the test person use the same code as
 * those of any person, up to the bot's webhook and back.
 *
 * @throws ApiError 404 for an application that is not the owner's, or has no bot
 */
export async function findTestChat({ accounts, bots }: SimulatorDeps, own: Owned): Promise<TestChat> {
  const { userId: botId } = await bots.showOwn(own);
  return { testPersonId: await accounts.keepTestPerson(own.actorId), botId };
}

export async function showSimulator(
  { accounts, contacts }: SimulatorDeps,
  { testPersonId, botId }: TestChat,
): Promise<Simulator> {
  const [peers, [contact]] = await Promise.all([
    accounts.findAll([testPersonId, botId]),
    contacts.find([contactKey(testPersonId, botId)]),
  ]);
  const peerOf = (id: string) => viewPeer(peers.find(({ accountId }) => accountId === id) as never);
  const isBlocked = contact?.blockedAt != null;
  return {
    testPerson: { ...peerOf(testPersonId), isTest: true },
    bot: peerOf(botId),
    isBlocked,
    hasWritten: contact?.wroteAt != null && !isBlocked,
  };
}

/** As the test person sees it: empty before the first message. */
export async function readAsTestPerson(
  { messages }: SimulatorDeps,
  { testPersonId, botId }: TestChat,
  asked: ReadMessages,
): Promise<MessagePage> {
  const thread = { ...asked, conversationId: privateConversationId(testPersonId, botId) };
  const read = await ifBegun(messages.readThread(testPersonId, thread));
  return read ?? { messages: [], people: [] };
}

/** Resets the conversation; its messages stay stored, but are no longer shown. */
export async function resetTestPerson(
  { db, contacts, messages }: SimulatorDeps,
  { testPersonId, botId }: TestChat,
): Promise<void> {
  const conversationId = privateConversationId(testPersonId, botId);
  await db.begin((tx) => contacts.remove(tx, testPersonId, [botId]));
  await ifBegun(messages.hideConversation({ accountId: testPersonId, conversationId }));
}

/** Undefined if there is no conversation yet. */
function ifBegun<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
}

/**
 * Messages of the test person and the bot, their events, and the bot's API requests in that time, newest first.
 * A page reaches back only as far as all three are known.
 */
export async function readTimeline(
  deps: SimulatorDeps,
  { appId, ...chat }: TestChat & { appId: string },
  before: string | undefined,
): Promise<Timeline> {
  const { applications, webhooks } = deps;
  await applications.recorder.flushLog();
  const until = before === undefined ? undefined : Number(before);
  const [{ messages, nextBefore }, requests] = await Promise.all([
    readAsTestPerson(deps, chat, until === undefined ? {} : { before: firstIdAt('msg', until) }),
    applications.findLatestRequests(appId, {
      ...(until !== undefined && { before: firstIdAt('req', until) }),
      limit: REQUESTS,
    }),
  ]);
  const events = await webhooks.findEventsOfMessages({
    appId,
    bucket: bucketOf(privateConversationId(chat.testPersonId, chat.botId)),
    msgIds: messages.map(({ msgId }) => msgId),
  });
  const items: TimelineItem[] = [
    ...messages.map((message) => ({ kind: 'message' as const, at: message.sentAt, message })),
    ...events.map((event) => ({ kind: 'event' as const, at: event.createdAt, event })),
    ...requests.map((request) => ({ kind: 'request' as const, at: request.at, request })),
  ];
  const ends = [
    ...(nextBefore === undefined ? [] : [messages.at(-1)?.sentAt ?? 0]),
    ...(requests.length < REQUESTS ? [] : [requests.at(-1)?.at ?? 0]),
  ];
  const known = Math.min(Math.max(...ends), (until ?? Number.POSITIVE_INFINITY) - 1);
  const isLast = ends.length === 0;
  const shown = isLast ? items : items.filter(({ at }) => at >= known);
  // At the same time, causes come before effects; the newest are first.
  const order = { message: 0, event: 1, request: 2 };
  shown.sort((one, other) => other.at - one.at || order[other.kind] - order[one.kind]);
  return { items: shown, ...(!isLast && { nextBefore: String(known) }) };
}
