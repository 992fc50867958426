import type { ChatMessage } from '#contract/chat.ts';
import type { ClosePoll, CreatePoll } from '#contract/polls.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { Reserved } from '#platform/http/routes.ts';
import type { Platform } from '#platform/platform.ts';
import { createPollAccountHook } from './account-hook.ts';
import { closeOwnPoll } from './close.ts';
import { createPoll } from './create.ts';
import { type PollActor, withPollResults } from './service.ts';
import { createVoteCaster } from './vote.ts';

export { pollChatRoutes } from './chat.ts';
export { pollRoutes } from './v1.ts';

/** Polls in private conversations and groups. Votes that arrive at the same time are counted as one batch, wherever they come from. */
export type Polls = ReturnType<typeof createPolls>;

export function createPolls(platform: Platform, features: { groups: Groups; messages: Messages }) {
  const deps = { ...platform, ...features };
  return {
    create: (actor: PollActor, body: CreatePoll, reserved: Reserved) =>
      createPoll(deps, actor, body, reserved),
    vote: createVoteCaster(deps),
    close: (actor: PollActor, body: ClosePoll) => closeOwnPoll(deps, actor, body),
    /** Puts the live results into messages that are polls, as the given account sees them. */
    withResults: (accountId: string, messages: ChatMessage[]) => withPollResults(deps, accountId, messages),
    /** What a person's data holds of polls. */
    accountHook: createPollAccountHook(deps),
  };
}
