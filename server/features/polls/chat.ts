import { ClosePoll, CreatedPoll, CreatePoll, UpdatedPoll, VotePoll } from '#contract/polls.ts';
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { Polls } from './index.ts';
import type { PollActor } from './service.ts';

/** Polls as a person's client creates them, votes, and closes. Their results come with the messages. */
export function pollChatRoutes(chat: ChatRoutes, polls: Polls): void {
  chat.post(
    '/polls',
    { body: CreatePoll, reply: CreatedPoll, message: 'poll created', creates: 'msg' },
    ({ person, body, reserved }) => polls.create(actorOf(person), body, reserved),
  );

  chat.post(
    '/polls/vote',
    { body: VotePoll, reply: UpdatedPoll, message: 'vote counted' },
    async ({ person, body }) => ({ poll: await polls.vote(actorOf(person), body) }),
  );

  chat.post(
    '/polls/close',
    { body: ClosePoll, reply: UpdatedPoll, message: 'poll closed' },
    async ({ person, body }) => ({ poll: await polls.close(actorOf(person), body) }),
  );
}

function actorOf({ accountId }: { accountId: string }): PollActor {
  return { kind: 'user', accountId };
}
