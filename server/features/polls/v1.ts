import { ClosePoll, CreatedPoll, CreatePoll, UpdatedPoll, VotePoll } from '#contract/polls.ts';
import type { Access, V1 } from '#features/applications/index.ts';
import type { Polls } from './index.ts';

const access: Access = { actors: ['bot', 'user'], scope: 'polls:write' };
const tags = ['Polls'];

/** Polls for bots and for applications that act for a person (contract §4). */
export function pollRoutes(v1: V1, polls: Polls): void {
  v1.post(
    '/v1/polls',
    {
      access,
      operationId: 'createPoll',
      summary: 'Create a poll',
      description:
        'Posts a poll to a group (`groupId`) or to a private conversation (`receiverId`). The caller must be a member of ' +
        'the group; a bot can send a poll only to a user who has written to it. `msgId` identifies the poll from then on.',
      tags,
      body: CreatePoll,
      reply: CreatedPoll,
      message: 'poll created',
      creates: 'msg',
    },
    ({ actor, body, reserved }) => polls.create(actor, body, reserved),
  );

  v1.post(
    '/v1/polls/vote',
    {
      access,
      operationId: 'votePoll',
      summary: 'Vote in a poll',
      description:
        'Votes for an option, or takes the vote back if the caller has voted for it already. Without ' +
        '`allowMultipleAnswers` a new vote replaces the previous one.',
      tags,
      body: VotePoll,
      reply: UpdatedPoll,
      message: 'vote counted',
    },
    async ({ actor, body }) => ({ poll: await polls.vote(actor, body) }),
  );

  v1.post(
    '/v1/polls/close',
    {
      access,
      operationId: 'closePoll',
      summary: 'Close your poll',
      description: 'Ends the voting permanently. Only the creator of a poll may close it.',
      tags,
      body: ClosePoll,
      reply: UpdatedPoll,
      message: 'poll closed',
    },
    async ({ actor, body }) => ({ poll: await polls.close(actor, body) }),
  );
}
