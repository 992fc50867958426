import { Success } from '#contract/envelope.ts';
import { ClosePoll, CreatedPoll, CreatePoll, UpdatedPoll, VotePoll } from '#contract/polls.ts';
import type { PersonLimits } from '#features/accounts/person-limits.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import { createOnce, repeatable } from '#platform/idempotency.ts';
import type { Platform } from '#platform/platform.ts';
import { closeOwnPoll } from './close.ts';
import { createPoll } from './create.ts';
import type { PollActor } from './service.ts';
import { createVoteCaster } from './vote.ts';

/** Polls as a person's client asks them, votes, and closes. Their results come with the messages. */
export function pollChatRoutes(app: App, deps: Platform & { limits: PersonLimits }): void {
  const { clock } = deps;
  const castVote = createVoteCaster(deps);

  app.post(
    '/polls',
    { schema: { body: CreatePoll, response: { 201: Success(CreatedPoll) } } },
    async (request, reply) => {
      const { person, body } = request;
      reply.code(201);
      return createOnce(
        deps,
        repeatable(request, { accountId: person.accountId, clientId: 'chat' }, 'msg'),
        'poll created',
        (msgId, isResumed) => createPoll(deps, actorOf(person), body, { msgId, isResumed }),
      );
    },
  );

  app.post(
    '/polls/vote',
    { schema: { body: VotePoll, response: { 200: Success(UpdatedPoll) } } },
    async ({ person, body }) =>
      success(clock.now(), 'vote counted', { poll: await castVote(actorOf(person), body) }),
  );

  app.post(
    '/polls/close',
    { schema: { body: ClosePoll, response: { 200: Success(UpdatedPoll) } } },
    async ({ person, body }) =>
      success(clock.now(), 'poll closed', { poll: await closeOwnPoll(deps, actorOf(person), body) }),
  );
}

function actorOf({ accountId }: { accountId: string }): PollActor {
  return { kind: 'user', accountId };
}
