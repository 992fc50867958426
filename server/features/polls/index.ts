import { withDeps } from '#platform/with-deps.ts';
import { createPollAccountHook } from './account-hook.ts';
import { createPoll } from './create.ts';
import { createPollMessageHook } from './message-hook.ts';
import { pollRoutes } from './routes.ts';
import { type PollDeps, withPollResults } from './service.ts';
import { createVoteCaster } from './vote.ts';

/** Polls in private conversations and groups. Votes that arrive at the same time are counted as one batch. */
export type Polls = ReturnType<typeof createPolls>['api'];

export function createPolls(given: Omit<PollDeps, 'vote'>) {
  const deps: PollDeps = { ...given, vote: createVoteCaster(given) };
  const api = {
    ...withDeps(deps, { create: createPoll, withResults: withPollResults }),
    vote: deps.vote,
  };
  return {
    api,
    routes: pollRoutes(deps),
    hooks: {
      account: createPollAccountHook(deps),
      message: { ...createPollMessageHook(deps), complete: api.withResults },
    },
  };
}
