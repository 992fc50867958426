import { SIMULATOR } from '#contract/api/simulator.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { Simulator } from './index.ts';

/** An owner acts as a test person who talks to the owner's bot. */
export function simulatorRoutes(simulator: Simulator, { liveTails }: Pick<Webhooks, 'liveTails'>) {
  return [
    serve(SIMULATOR, {
      'GET /applications/:appId/simulator': ({ chat }) => simulator.show(chat),
      'POST /applications/:appId/simulator/messages': ({ chat, body, reserved }) =>
        simulator.write(chat, body, reserved),
      'GET /applications/:appId/simulator/messages': ({ chat, query }) => simulator.read(chat, query),
      'POST /applications/:appId/simulator/polls': ({ chat, body, reserved }) =>
        simulator.ask(chat, body, reserved),
      'POST /applications/:appId/simulator/polls/vote': async ({ chat, body }) => ({
        poll: await simulator.vote(chat, body),
      }),
      'POST /applications/:appId/simulator/block': async ({ chat }) => {
        await simulator.block(chat, true);
        return simulator.show(chat);
      },
      'POST /applications/:appId/simulator/unblock': async ({ chat }) => {
        await simulator.block(chat, false);
        return simulator.show(chat);
      },
      'POST /applications/:appId/simulator/reset': async ({ chat }) => {
        await simulator.reset(chat);
        return simulator.show(chat);
      },
      'GET /applications/:appId/simulator/timeline': ({ chat, appId, query }) =>
        simulator.readTimeline({ ...chat, appId }, query.before),
      'GET /applications/:appId/simulator/live': async ({ person, appId, chat: { testPersonId }, reply }) => {
        await liveTails.begin(reply, { person, appId, alsoOf: testPersonId });
        return reply;
      },
    }),
  ];
}
