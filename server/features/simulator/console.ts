import { Type } from 'typebox';
import {
  SimulatorMessage,
  SimulatorPoll,
  SimulatorVote,
  Simulator as State,
  Timeline,
  TimelineQuery,
} from '#contract/applications/simulator.ts';
import { AppId } from '#contract/applications.ts';
import { ChatMessage, MessagePage, ReadMessages } from '#contract/chat.ts';
import { CreatedPoll, UpdatedPoll } from '#contract/polls.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import type { Simulator, SimulatorRoutes } from './index.ts';

const AT = '/applications/:appId/simulator';

/** An owner acts as a test person who talks to the owner's bot. */
export function simulatorRoutes(
  routes: SimulatorRoutes,
  simulator: Simulator,
  { liveTails }: Pick<Webhooks, 'liveTails'>,
): void {
  const params = Type.Object({ appId: AppId });
  const state = { params, reply: State };

  routes.get(AT, { ...state, message: 'simulator' }, ({ chat }) => simulator.show(chat));

  routes.post(
    `${AT}/messages`,
    { params, body: SimulatorMessage, reply: ChatMessage, message: 'message sent', creates: 'msg' },
    ({ chat, body, reserved }) => simulator.write(chat, body, reserved),
  );

  routes.get(
    `${AT}/messages`,
    { params, query: ReadMessages, reply: MessagePage, message: 'messages, newest first' },
    ({ chat, query }) => simulator.read(chat, query),
  );

  routes.post(
    `${AT}/polls`,
    { params, body: SimulatorPoll, reply: CreatedPoll, message: 'poll created', creates: 'msg' },
    ({ chat, body, reserved }) => simulator.ask(chat, body, reserved),
  );

  routes.post(
    `${AT}/polls/vote`,
    { params, body: SimulatorVote, reply: UpdatedPoll, message: 'vote counted' },
    async ({ chat, body }) => ({ poll: await simulator.vote(chat, body) }),
  );

  routes.post(`${AT}/block`, { ...state, message: 'blocked' }, async ({ chat }) => {
    await simulator.block(chat, true);
    return simulator.show(chat);
  });

  routes.post(`${AT}/unblock`, { ...state, message: 'unblocked' }, async ({ chat }) => {
    await simulator.block(chat, false);
    return simulator.show(chat);
  });

  routes.post(`${AT}/reset`, { ...state, message: 'the conversation starts again' }, async ({ chat }) => {
    await simulator.reset(chat);
    return simulator.show(chat);
  });

  routes.get(
    `${AT}/timeline`,
    { params, query: TimelineQuery, reply: Timeline, message: 'what happened, newest first' },
    ({ chat, appId, query }) => simulator.readTimeline({ ...chat, appId }, query.before),
  );

  routes.raw(`${AT}/live`, { params }, async ({ person, appId, chat: { testPersonId }, reply }) => {
    await liveTails.begin(reply, { person, appId, alsoOf: testPersonId });
    return reply;
  });
}
