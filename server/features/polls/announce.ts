import type { Poll, PollResults } from '#contract/polls.ts';
import type { Live } from '#platform/live.ts';
import { type OpenedPoll, withoutOthers } from './view.ts';

/** Shows new results on the open pages of everybody in the conversation. */
export function announceResults(live: Live, poll: OpenedPoll, results: PollResults): void {
  const { conversationId, senderId, receiverId, isBroadcast } = poll;
  const show = (topic: string, shown: PollResults) =>
    live.publish(topic, { type: 'poll.changed', data: { conversationId, poll: shown } });
  if (receiverId === null) show(conversationId, isBroadcast ? withoutOthers(results) : results);
  // The creator of a broadcast list gets both.
  if (receiverId !== null || isBroadcast) show(senderId, results);
  if (receiverId !== null) show(receiverId, results);
}

/** Shows a voter's own choice on the voter's other pages, and to nobody else. */
export function announceChoice(live: Live, accountId: string, { msgId, myOptionIds }: Poll): void {
  live.publish(accountId, { type: 'poll.voted', data: { msgId, myOptionIds } });
}
