import type { ClosePoll, Poll, PollResults } from '#contract/polls.ts';
import type { Live } from '#platform/live.ts';
import { findOwnPoll } from './find-polls.ts';
import { deleteAllVotes, lockPolls, updateClosed } from './queries.ts';
import { pollNotFound, refuseToClose } from './rules.ts';
import type { PollActor, PollDeps } from './service.ts';
import { type OpenedPoll, openPoll, openPollIfReadable, viewPolls, withoutOthers } from './view.ts';

/**
 * The creator closes a poll, also after leaving the group. The link between votes and voters of an anonymous
 * poll is deleted, because votes can no longer be withdrawn.
 *
 * @throws ApiError 404, 403 for anybody but the creator, 400 if it is already closed or cannot be read
 */
export async function closeOwnPoll(
  { groups, db, clock, keyring, live }: PollDeps,
  { accountId }: PollActor,
  address: ClosePoll,
): Promise<Poll> {
  const key = await findOwnPoll({ db, groups }, accountId, address);
  const closedAt = clock.now();
  const { poll, view } = await db.begin(async (tx) => {
    const [row] = await lockPolls(tx, [key]);
    if (!row) throw pollNotFound();
    const refusal = refuseToClose({ creatorId: row.senderId, closedAt: row.closedAt }, accountId);
    if (refusal) throw refusal;
    // Votes are no longer counted, so an unreadable voter secret does not matter.
    const poll = { ...(openPollIfReadable(keyring, row) ?? openPoll(keyring, row)), closedAt };
    const view = (await viewPolls(tx, [poll], accountId)).get(key.msgId) as Poll;
    await updateClosed(tx, key, closedAt);
    if (poll.asked.isAnonymous) await deleteAllVotes(tx, key);
    return { poll, view };
  });
  const { myOptionIds, ...results } = view;
  announceResults(live, poll, results);
  return view;
}

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
