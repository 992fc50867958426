import type { Groups } from '#features/groups/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { createPollAccountHook } from './account-hook.ts';
import { pollChatRoutes } from './chat.ts';
import { closeOwnPoll } from './close.ts';
import { createPoll } from './create.ts';
import { createPollMessageHook } from './message-hook.ts';
import { withPollResults } from './service.ts';
import { pollRoutes } from './v1.ts';
import { createVoteCaster } from './vote.ts';

/** Polls in private conversations and groups. Votes that arrive at the same time are counted as one batch. */
export type Polls = ReturnType<typeof openPolls>['api'];

function openPolls(platform: Platform, features: { groups: Groups; messages: Messages }) {
  const deps = { ...platform, ...features };
  const api = {
    ...withDeps(deps, { create: createPoll, close: closeOwnPoll, withResults: withPollResults }),
    vote: createVoteCaster(deps),
  };
  return {
    api,
    hooks: {
      account: createPollAccountHook(deps),
      message: { ...createPollMessageHook(deps), complete: api.withResults },
    },
  };
}

export function createPolls(platform: Platform, features: Parameters<typeof openPolls>[1]) {
  const { api, hooks } = openPolls(platform, features);
  return { api, hooks, routes: [...pollRoutes(api), ...pollChatRoutes(api)] };
}
