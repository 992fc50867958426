import type { Static } from 'typebox';
import type {
  Simulator,
  SimulatorMessage,
  SimulatorPoll,
  SimulatorVote,
} from '#contract/applications/simulator.ts';
import type { ChatMessage, MessagePage, ReadMessages } from '#contract/chat.ts';
import type { CreatedPoll, Poll } from '#contract/polls.ts';
import { type AccountHook, type Accounts, viewPeer } from '#features/accounts/index.ts';
import type { Applications, Owned } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import { type Contacts, contactKey } from '#features/contacts/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { Polls } from '#features/polls/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import { ApiError } from '#platform/errors.ts';
import type { Reserved } from '#platform/http/serve.ts';
import { privateConversationId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';

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

/** The test person's limits are those of any person. */
export function writeAsTestPerson(
  { messages }: SimulatorDeps,
  { testPersonId, botId }: TestChat,
  content: Static<typeof SimulatorMessage>,
  reserved: Reserved,
): Promise<ChatMessage> {
  return messages.write({ accountId: testPersonId }, { ...content, to: botId }, reserved);
}

export function askAsTestPerson(
  { polls }: SimulatorDeps,
  { testPersonId, botId }: TestChat,
  poll: SimulatorPoll,
  reserved: Reserved,
): Promise<CreatedPoll> {
  return polls.create({ kind: 'user', accountId: testPersonId }, { ...poll, receiverId: botId }, reserved);
}

export function voteAsTestPerson(
  { polls }: SimulatorDeps,
  { testPersonId, botId }: TestChat,
  vote: SimulatorVote,
): Promise<Poll> {
  return polls.vote({ kind: 'user', accountId: testPersonId }, { ...vote, receiverId: botId });
}

/** As the test person sees it: empty before the first message. */
export async function readAsTestPerson(
  { messages }: SimulatorDeps,
  { testPersonId, botId }: TestChat,
  asked: ReadMessages,
): Promise<MessagePage> {
  const conversationId = privateConversationId(testPersonId, botId);
  try {
    return await messages.readThread(testPersonId, { ...asked, conversationId });
  } catch (error) {
    if (isNotFound(error)) return { messages: [], people: [] };
    throw error;
  }
}

export async function blockAsTestPerson(
  { contacts }: SimulatorDeps,
  { testPersonId, botId }: TestChat,
  isBlocked: boolean,
): Promise<void> {
  await contacts.changeBlock(testPersonId, { userId: botId, isBlocked });
}

/** Resets the conversation; its messages stay stored, but are no longer shown. */
export async function resetTestPerson(
  { db, contacts, messages }: SimulatorDeps,
  { testPersonId, botId }: TestChat,
): Promise<void> {
  const conversationId = privateConversationId(testPersonId, botId);
  await db.begin((tx) => contacts.remove(tx, testPersonId, [botId]));
  try {
    await messages.hideConversation({ accountId: testPersonId, conversationId });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
