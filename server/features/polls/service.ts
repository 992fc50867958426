import type { Poll, VotePoll } from '#contract/polls.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Actor } from '#features/applications/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import type { Platform } from '#platform/platform.ts';

/** Who creates, votes or closes: a bot, or a person through an OAuth token or in the chat. */
export type PollActor = Pick<Actor, 'kind' | 'accountId'>;

export type PollDeps = Platform & {
  groups: Groups;
  messages: Messages;
  accounts: Accounts;
  webhooks: Webhooks;
  vote: (actor: PollActor, body: VotePoll) => Promise<Poll>;
};
