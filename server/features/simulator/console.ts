import { SIMULATOR } from '#contract/api/simulator.ts';
import { serve } from '#platform/http/serve.ts';
import {
  askAsTestPerson,
  blockAsTestPerson,
  readAsTestPerson,
  resetTestPerson,
  type SimulatorDeps,
  showSimulator,
  voteAsTestPerson,
  writeAsTestPerson,
} from './simulator.ts';
import { readTimeline } from './timeline.ts';

/** An owner acts as a test person who talks to the owner's bot. */
export function simulatorRoutes(deps: SimulatorDeps) {
  return [
    serve(SIMULATOR, {
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
      'GET /applications/:appId/simulator/timeline': ({ chat, appId, query }) =>
        readTimeline(deps, { ...chat, appId }, query.before),
      'GET /applications/:appId/simulator/live': async ({ person, appId, chat: { testPersonId }, reply }) => {
        await deps.webhooks.liveTails.begin(reply, { person, appId, alsoOf: testPersonId });
        return reply;
      },
    }),
  ];
}
