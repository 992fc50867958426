import { SIMULATOR } from '#contract/api/simulator.ts';
import type { Timeline, TimelineItem } from '#contract/applications/simulator.ts';
import type { AccountHook, Person } from '#features/accounts/index.ts';
import type { Owned } from '#features/applications/index.ts';
import type { Tx } from '#platform/database.ts';
import { serve } from '#platform/http/serve.ts';
import { bucketOf, firstIdAt, privateConversationId } from '#platform/ids.ts';
import { withDeps } from '#platform/with-deps.ts';
import {
  askAsTestPerson,
  blockAsTestPerson,
  findTestChat,
  readAsTestPerson,
  resetTestPerson,
  type SimulatorDeps,
  showSimulator,
  type TestChat,
  voteAsTestPerson,
  writeAsTestPerson,
} from './simulator.ts';

const REQUESTS = 100;

/**
 * Messages of the test person and the bot, their events, and the bot's API requests in that time, newest first.
 * A page reaches back only as far as all three are known.
 */
async function readTimeline(
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

/** An owner acts as a test person who talks to the owner's bot. */
function simulatorRoutes(deps: SimulatorDeps) {
  return serve(SIMULATOR, {
    'GET /applications/:appId/simulator': ({ chat }) => showSimulator(deps, chat),
    'POST /applications/:appId/simulator/messages': ({ chat, body, reserved }) =>
      writeAsTestPerson(deps, chat, body, reserved),
    'GET /applications/:appId/simulator/messages': ({ chat, query }) => readAsTestPerson(deps, chat, query),
    'POST /applications/:appId/simulator/polls': ({ chat, body, reserved }) =>
      askAsTestPerson(deps, chat, body, reserved),
    'POST /applications/:appId/simulator/polls/vote': async ({ chat, body }) => ({
      poll: await voteAsTestPerson(deps, chat, body),
    }),
    'POST /applications/:appId/simulator/block': async ({ chat }) => {
      await blockAsTestPerson(deps, chat, true);
      return showSimulator(deps, chat);
    },
    'POST /applications/:appId/simulator/unblock': async ({ chat }) => {
      await blockAsTestPerson(deps, chat, false);
      return showSimulator(deps, chat);
    },
    'POST /applications/:appId/simulator/reset': async ({ chat }) => {
      await resetTestPerson(deps, chat);
      return showSimulator(deps, chat);
    },
    'GET /applications/:appId/simulator/timeline': ({ chat, own, query }) =>
      readTimeline(deps, { ...chat, appId: own.appId }, query.before),
    'GET /applications/:appId/simulator/live': async ({ person, own, chat: { testPersonId }, reply }) => {
      await deps.webhooks.liveTails.begin(reply, { person, own, alsoOf: testPersonId });
      return reply;
    },
  });
}

declare module '#platform/http/serve.ts' {
  interface Callers {
    tester: { person: Person; own: Owned; chat: TestChat };
  }
}

/** An owner acts as a test person who talks to the owner's bot. */
export type Simulator = ReturnType<typeof createSimulator>['api'];

export function createSimulator(deps: SimulatorDeps) {
  return {
    api: withDeps(deps, { findChat: findTestChat }),
    routes: [simulatorRoutes(deps)],
    hooks: { account: createSimulatorAccountHook(deps) },
  };
}

/**
 * The test person is deleted with its owner, like any account: in a transaction before the owner's, since both may be in groups,
 * and in the owner's if it was created in between.
 */
function createSimulatorAccountHook({ db, clock, accounts, accountHooks }: SimulatorDeps): AccountHook {
  const end = async (tx: Tx, { accountId: ownerId, at }: { accountId: string; at: number }) => {
    const accountId = await accounts.findTestPersonId(ownerId, tx);
    if (accountId === undefined) return undefined;
    for (const hook of accountHooks) await hook.deleted?.(tx, { accountId, at });
    await accounts.markDeleted(tx, accountId, at);
    await accounts.forgetTestPerson(tx, ownerId);
    return accountId;
  };
  return {
    async beforeDeletion(accountId) {
      const ended = await db.begin((tx) => end(tx, { accountId, at: clock.now() }));
      if (ended !== undefined) for (const hook of accountHooks) await hook.afterDeletion?.(ended);
    },
    async deleted(tx, account) {
      await end(tx, account);
    },
  };
}
