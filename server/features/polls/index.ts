import type { Groups } from '#features/groups/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { createPollAccountHook } from './account-hook.ts';
import { closeOwnPoll } from './close.ts';
import { createPoll } from './create.ts';
import { createPollMessageHook } from './message-hook.ts';
import { withPollResults } from './service.ts';
import { createVoteCaster } from './vote.ts';

export { pollChatRoutes } from './chat.ts';
export { pollRoutes } from './v1.ts';

/** Polls in private conversations and groups. Votes that arrive at the same time are counted as one batch. */
export type Polls = ReturnType<typeof createPolls>;

export function createPolls(platform: Platform, features: { groups: Groups; messages: Messages }) {
  const deps = { ...platform, ...features };
  return {
    ...withDeps(deps, { create: createPoll, close: closeOwnPoll, withResults: withPollResults }),
    vote: createVoteCaster(deps),
    accountHook: createPollAccountHook(deps),
    messageHook: createPollMessageHook(deps),
  };
}
