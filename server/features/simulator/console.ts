import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { ChatMessage, MessagePage, ReadMessages } from '#contract/chat.ts';
import { Success } from '#contract/envelope.ts';
import { CreatedPoll, UpdatedPoll } from '#contract/polls.ts';
import {
  Simulator,
  SimulatorMessage,
  SimulatorPoll,
  SimulatorVote,
  Timeline,
  TimelineQuery,
} from '#contract/simulator.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { RequestRecorder } from '#features/applications/monitoring/recorder.ts';
import { ownedBy } from '#features/applications/service.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { Polls } from '#features/polls/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import { createOnce, repeatable } from '#platform/idempotency.ts';
import type { Platform } from '#platform/platform.ts';
import {
  askAsTestPerson,
  blockAsTestPerson,
  findPair,
  readAsTestPerson,
  resetTestPerson,
  showSimulator,
  voteAsTestPerson,
  writeAsTestPerson,
} from './simulator.ts';
import { readTimeline } from './timeline.ts';

/** An owner plays a test person against the own bot. */
export function simulatorRoutes(
  app: App,
  deps: Platform & {
    accounts: Accounts;
    contacts: Contacts;
    messages: Messages;
    polls: Polls;
    webhooks: Webhooks;
    recorder: Pick<RequestRecorder, 'flushLog'>;
  },
): void {
  const { clock } = deps;
  const at = '/applications/:appId/simulator';
  const params = Type.Object({ appId: AppId });
  const simulator = { params, response: { 200: Success(Simulator) } };

  app.get(at, { schema: simulator }, async ({ person, params: { appId } }) => {
    const pair = await findPair(deps, ownedBy(person, appId));
    return success(clock.now(), 'simulator', await showSimulator(deps, pair));
  });

  app.post(
    `${at}/messages`,
    { schema: { params, body: SimulatorMessage, response: { 201: Success(ChatMessage) } } },
    async (request, reply) => {
      const { person, params, body } = request;
      const pair = await findPair(deps, ownedBy(person, params.appId));
      const who = { accountId: pair.testPersonId, clientId: 'simulator' };
      reply.code(201);
      return createOnce(deps, repeatable(request, who, 'msg'), 'message sent', (msgId) =>
        writeAsTestPerson(deps, pair, { content: body, msgId }),
      );
    },
  );

  app.get(
    `${at}/messages`,
    { schema: { params, querystring: ReadMessages, response: { 200: Success(MessagePage) } } },
    async ({ person, params: { appId }, query }) => {
      const pair = await findPair(deps, ownedBy(person, appId));
      return success(clock.now(), 'messages, newest first', await readAsTestPerson(deps, pair, query));
    },
  );

  app.post(
    `${at}/polls`,
    { schema: { params, body: SimulatorPoll, response: { 201: Success(CreatedPoll) } } },
    async (request, reply) => {
      const { person, params, body } = request;
      const pair = await findPair(deps, ownedBy(person, params.appId));
      const who = { accountId: pair.testPersonId, clientId: 'simulator' };
      reply.code(201);
      return createOnce(deps, repeatable(request, who, 'msg'), 'poll created', (msgId, isResumed) =>
        askAsTestPerson(deps, pair, { poll: body, msgId, isResumed }),
      );
    },
  );

  app.post(
    `${at}/polls/vote`,
    { schema: { params, body: SimulatorVote, response: { 200: Success(UpdatedPoll) } } },
    async ({ person, params: { appId }, body }) => {
      const pair = await findPair(deps, ownedBy(person, appId));
      return success(clock.now(), 'vote counted', { poll: await voteAsTestPerson(deps, pair, body) });
    },
  );

  for (const [verb, isBlocked] of [
    ['block', true],
    ['unblock', false],
  ] as const) {
    app.post(`${at}/${verb}`, { schema: simulator }, async ({ person, params: { appId } }) => {
      const pair = await findPair(deps, ownedBy(person, appId));
      await blockAsTestPerson(deps, pair, isBlocked);
      return success(clock.now(), isBlocked ? 'blocked' : 'unblocked', await showSimulator(deps, pair));
    });
  }

  app.post(`${at}/reset`, { schema: simulator }, async ({ person, params: { appId } }) => {
    const pair = await findPair(deps, ownedBy(person, appId));
    await resetTestPerson(deps, pair);
    return success(clock.now(), 'the conversation begins anew', await showSimulator(deps, pair));
  });

  app.get(
    `${at}/timeline`,
    { schema: { params, querystring: TimelineQuery, response: { 200: Success(Timeline) } } },
    async ({ person, params: { appId }, query }) => {
      const pair = await findPair(deps, ownedBy(person, appId));
      await deps.recorder.flushLog();
      const timeline = await readTimeline(deps, { ...pair, appId }, query.before);
      return success(clock.now(), 'what happened, newest first', timeline);
    },
  );

  app.get(`${at}/live`, { schema: { params } }, async ({ person, params: { appId } }, reply) => {
    const { testPersonId } = await findPair(deps, ownedBy(person, appId));
    await deps.webhooks.liveTails.begin(reply, { person, appId, alsoOf: testPersonId });
    return reply;
  });
}
