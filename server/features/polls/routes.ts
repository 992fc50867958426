import { CHAT } from '#contract/api/chat.ts';
import { V1 } from '#contract/api/v1.ts';
import { serve } from '#platform/http/serve.ts';
import { closeOwnPoll } from './close.ts';
import { createPoll } from './create.ts';
import type { PollActor, PollDeps } from './service.ts';

/** Polls for bots, for applications that act for a person (contract §4), and as a person's client shows them. */
export function pollRoutes(deps: PollDeps) {
  return [
    serve(V1, {
      'POST /v1/polls': ({ actor, body, reserved }) => createPoll(deps, actor, body, reserved),
      'POST /v1/polls/vote': async ({ actor, body }) => ({ poll: await deps.vote(actor, body) }),
      'POST /v1/polls/close': async ({ actor, body }) => ({ poll: await closeOwnPoll(deps, actor, body) }),
    }),
    serve(CHAT, {
      'POST /polls': ({ person, body, reserved }) => createPoll(deps, actorOf(person), body, reserved),
      'POST /polls/vote': async ({ person, body }) => ({ poll: await deps.vote(actorOf(person), body) }),
      'POST /polls/close': async ({ person, body }) => ({
        poll: await closeOwnPoll(deps, actorOf(person), body),
      }),
    }),
  ];
}

function actorOf({ accountId }: { accountId: string }): PollActor {
  return { kind: 'user', accountId };
}
