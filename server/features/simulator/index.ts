import { SIMULATOR } from '#contract/api/simulator.ts';
import type { AccountHook, Person } from '#features/accounts/index.ts';
import type { Owned } from '#features/applications/index.ts';
import type { Tx } from '#platform/database.ts';
import { serve } from '#platform/http/serve.ts';
import { withDeps } from '#platform/with-deps.ts';
import {
  findTestChat,
  readAsTestPerson,
  readTimeline,
  resetTestPerson,
  type SimulatorDeps,
  showSimulator,
  type TestChat,
} from './simulator.ts';

/** An owner acts as a test person who talks to the owner's bot, within the limits of any person. */
function simulatorRoutes(deps: SimulatorDeps) {
  const { contacts, messages, polls } = deps;
  const actorIn = ({ testPersonId: accountId }: TestChat) => ({ kind: 'user' as const, accountId });
  const block = async (chat: TestChat, isBlocked: boolean) => {
    await contacts.changeBlock(chat.testPersonId, { userId: chat.botId, isBlocked });
    return showSimulator(deps, chat);
  };
  return serve(SIMULATOR, {
    'GET /applications/:appId/simulator': ({ chat }) => showSimulator(deps, chat),
    'POST /applications/:appId/simulator/messages': ({ chat, body, reserved }) =>
      messages.write({ accountId: chat.testPersonId }, { ...body, to: chat.botId }, reserved),
    'GET /applications/:appId/simulator/messages': ({ chat, query }) => readAsTestPerson(deps, chat, query),
    'POST /applications/:appId/simulator/polls': ({ chat, body, reserved }) =>
      polls.create(actorIn(chat), { ...body, receiverId: chat.botId }, reserved),
    'POST /applications/:appId/simulator/polls/vote': async ({ chat, body }) => ({
      poll: await polls.vote(actorIn(chat), { ...body, receiverId: chat.botId }),
    }),
    'POST /applications/:appId/simulator/block': ({ chat }) => block(chat, true),
    'POST /applications/:appId/simulator/unblock': ({ chat }) => block(chat, false),
    'POST /applications/:appId/simulator/reset': async ({ chat }) => {
      await resetTestPerson(deps, chat);
      return showSimulator(deps, chat);
    },
    'GET /applications/:appId/simulator/timeline': ({ chat, own, query }) =>
      readTimeline(deps, { ...chat, appId: own.appId }, query.before),
    'GET /applications/:appId/simulator/live': async ({ person, own, chat: { testPersonId }, reply }) => {
      await deps.webhooks.beginLiveTail(reply, { person, own, alsoOf: testPersonId });
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
