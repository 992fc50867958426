import { Success } from '#contract/envelope.ts';
import { ClosePoll, CreatedPoll, CreatePoll, UpdatedPoll, VotePoll } from '#contract/polls.ts';
import type { PersonLimits } from '#features/accounts/person-limits.ts';
import type { Access } from '#features/applications/actor.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import { createOnce, repeatable } from '#platform/idempotency.ts';
import type { Platform } from '#platform/platform.ts';
import { closeOwnPoll } from './close.ts';
import { createPoll } from './create.ts';
import { createVoteCaster } from './vote.ts';

const ACCESS: Access = { actors: ['bot', 'user'], scope: 'polls:write' };

/** Polls for bots and for applications that act for a person (contract §4). */
export function pollRoutes(app: App, deps: Platform & { limits: PersonLimits }): void {
  const { clock } = deps;
  const castVote = createVoteCaster(deps);

  app.post(
    '/v1/polls',
    {
      config: { access: ACCESS },
      schema: {
        operationId: 'createPoll',
        summary: 'Create a poll',
        description:
          'Posts a poll to a group (`groupId`) or to a private conversation (`receiverId`). The caller must be a member of ' +
          'the group; a bot can send a poll only to a user who has written to it. `msgId` identifies the poll from then on.',
        tags: ['Polls'],
        body: CreatePoll,
        response: { 201: Success(CreatedPoll) },
      },
    },
    async (request, reply) => {
      const { actor, body } = request;
      reply.code(201);
      return createOnce(
        deps,
        repeatable(request, { accountId: actor.accountId, clientId: actor.appId }, 'msg'),
        'poll created',
        (msgId, isResumed) => createPoll(deps, actor, body, { msgId, isResumed }),
      );
    },
  );

  app.post(
    '/v1/polls/vote',
    {
      config: { access: ACCESS },
      schema: {
        operationId: 'votePoll',
        summary: 'Vote in a poll',
        description:
          'Votes for an option, or takes the vote back if the caller has voted for it already. Without ' +
          '`allowMultipleAnswers` a new vote replaces the previous one.',
        tags: ['Polls'],
        body: VotePoll,
        response: { 200: Success(UpdatedPoll) },
      },
    },
    async ({ actor, body }) => success(clock.now(), 'vote counted', { poll: await castVote(actor, body) }),
  );

  app.post(
    '/v1/polls/close',
    {
      config: { access: ACCESS },
      schema: {
        operationId: 'closePoll',
        summary: 'Close your poll',
        description: 'Ends the voting permanently. Only the creator of a poll may close it.',
        tags: ['Polls'],
        body: ClosePoll,
        response: { 200: Success(UpdatedPoll) },
      },
    },
    async ({ actor, body }) =>
      success(clock.now(), 'poll closed', { poll: await closeOwnPoll(deps, actor, body) }),
  );
}
