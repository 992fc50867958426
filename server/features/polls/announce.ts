import type { Poll, PollResults } from '#contract/polls.ts';
import type { Live } from '#platform/live.ts';
import type { OpenedPoll } from './view.ts';

/**
 * Shows new results on the open pages of everybody in the conversation; those of anonymous polls have no
 * voters.
 */
export function announceResults(
  live: Live,
  { conversationId, senderId, receiverId }: Pick<OpenedPoll, 'conversationId' | 'senderId' | 'receiverId'>,
  poll: PollResults,
): void {
  const topics = receiverId === null ? [conversationId] : [senderId, receiverId];
  for (const topic of topics) live.publish(topic, { type: 'poll.changed', data: { conversationId, poll } });
}

/** Shows a voter's own choice on the voter's other pages, and to nobody else. */
export function announceChoice(live: Live, accountId: string, { msgId, myOptionIds }: Poll): void {
  live.publish(accountId, { type: 'poll.voted', data: { msgId, myOptionIds } });
}
