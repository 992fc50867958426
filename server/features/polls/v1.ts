import { V1 } from '#contract/api/v1.ts';
import { serve } from '#platform/http/serve.ts';
import type { Polls } from './index.ts';

/** Polls for bots and for applications that act for a person (contract §4). */
export function pollRoutes(polls: Polls) {
  return [
    serve(V1, {
      'POST /v1/polls': ({ actor, body, reserved }) => polls.create(actor, body, reserved),
      'POST /v1/polls/vote': async ({ actor, body }) => ({ poll: await polls.vote(actor, body) }),
      'POST /v1/polls/close': async ({ actor, body }) => ({ poll: await polls.close(actor, body) }),
    }),
  ];
}
