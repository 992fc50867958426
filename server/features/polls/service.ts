import type { ChatMessage } from '#contract/chat.ts';
import type { Poll, VotePoll } from '#contract/polls.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Actor } from '#features/applications/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import { bucketOf } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { type PollKey, selectPolls } from './queries.ts';
import { openPollIfReadable, viewPolls } from './view.ts';

/** Who creates, votes or closes: a bot, or a person through an OAuth token or in the chat. */
export type PollActor = Pick<Actor, 'kind' | 'accountId'>;

export type PollDeps = Platform & {
  groups: Groups;
  messages: Messages;
  accounts: Accounts;
  webhooks: Webhooks;
  vote: (actor: PollActor, body: VotePoll) => Promise<Poll>;
};

/** A stored poll as one account sees it; undefined when it cannot be read. */
export async function findPollView(
  { db, keyring }: Platform,
  key: PollKey,
  accountId: string,
): Promise<Poll | undefined> {
  const rows = await selectPolls(db, [key]);
  const polls = rows.flatMap((row) => openPollIfReadable(keyring, row) ?? []);
  return (await viewPolls(db, polls, accountId)).get(key.msgId);
}

/** Adds the current results to messages that are polls, as the given account sees them. */
export async function withPollResults(
  { db, keyring }: Platform,
  accountId: string,
  messages: ChatMessage[],
): Promise<ChatMessage[]> {
  const keys = messages.flatMap(({ type, conversationId, msgId }) =>
    type === 'poll' ? { bucket: bucketOf(conversationId), msgId } : [],
  );
  if (keys.length === 0) return messages;
  const rows = await selectPolls(db, keys);
  const polls = rows.flatMap((row) => openPollIfReadable(keyring, row) ?? []);
  const viewOf = await viewPolls(db, polls, accountId);
  return messages.map((message) => {
    const poll = viewOf.get(message.msgId);
    return poll ? { ...message, poll } : message;
  });
}
