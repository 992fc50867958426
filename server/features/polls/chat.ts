import { CHAT } from '#contract/api/chat.ts';
import { serve } from '#platform/http/serve.ts';
import type { Polls } from './index.ts';
import type { PollActor } from './service.ts';

/** Polls as a person's client creates them, votes, and closes. Their results come with the messages. */
export function pollChatRoutes(polls: Polls) {
  return [
    serve(CHAT, {
      'POST /polls': ({ person, body, reserved }) => polls.create(actorOf(person), body, reserved),
      'POST /polls/vote': async ({ person, body }) => ({ poll: await polls.vote(actorOf(person), body) }),
      'POST /polls/close': async ({ person, body }) => ({ poll: await polls.close(actorOf(person), body) }),
    }),
  ];
}

function actorOf({ accountId }: { accountId: string }): PollActor {
  return { kind: 'user', accountId };
}
