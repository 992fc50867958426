import type { ChatMessage } from '#contract/chat.ts';
import type { ClosePoll, Poll } from '#contract/polls.ts';
import type { Actor } from '#features/applications/actor.ts';
import { groupNotFound, refuseToRead } from '#features/groups/rules.ts';
import { findGroupForActor } from '#features/groups/service.ts';
import type { Db } from '#platform/database.ts';
import { type ApiError, permissionDenied } from '#platform/errors.ts';
import { bucketOf, isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { type PollKey, type PollRow, selectConversationOfPoll, selectPolls } from './queries.ts';
import { pollNotFound, readPlace } from './rules.ts';
import { openPoll, viewPolls } from './view.ts';

/** Who creates, votes or closes: a bot, or a person through an OAuth token or in the chat. */
export type PollActor = Pick<Actor, 'kind' | 'accountId'>;

/**
 * The poll of a conversation that the actor takes part in, in the order of the decisions page: 404 conversation, 403
 * not a participant, 404 poll.
 *
 * @throws ApiError 400, 403, 404
 */
export async function findPollForActor(db: Db, accountId: string, address: ClosePoll): Promise<PollKey> {
  const { messageId } = address;
  const place = readPlace(address);
  const conversationId = isId('msg', messageId) ? await selectConversationOfPoll(db, messageId) : undefined;
  if (place && 'groupId' in place) {
    await admitToGroup(db, { groupId: place.groupId, accountId, missing: groupNotFound() });
    if (conversationId !== place.groupId) throw pollNotFound();
  }
  if (conversationId === undefined) throw pollNotFound();
  const key = { bucket: bucketOf(conversationId), msgId: messageId };
  if (isId('prv', conversationId)) await admitToPrivate(db, key, { accountId, place });
  else if (!place) await admitToGroup(db, { groupId: conversationId, accountId, missing: pollNotFound() });
  else if ('receiverId' in place) throw pollNotFound();
  return key;
}

async function admitToGroup(
  db: Db,
  { groupId, accountId, missing }: { groupId: string; accountId: string; missing: ApiError },
): Promise<void> {
  const found = await findGroupForActor(db, groupId, accountId);
  if (!found) throw missing;
  const refusal = refuseToRead(found.member);
  if (refusal) throw refusal;
}

/** In a private chat either participant's id is right as `receiverId` (decisions: Polls). */
async function admitToPrivate(
  db: Db,
  key: PollKey,
  { accountId, place }: { accountId: string; place: ReturnType<typeof readPlace> },
): Promise<void> {
  const [poll] = await selectPolls(db, [key]);
  if (!poll) throw pollNotFound();
  if (place && 'receiverId' in place && !isParticipant(poll, place.receiverId)) throw pollNotFound();
  if (!isParticipant(poll, accountId)) throw permissionDenied('you are not a participant of this chat');
}

function isParticipant({ senderId, receiverId }: PollRow, accountId: string): boolean {
  return accountId === senderId || accountId === receiverId;
}

/** A stored poll as one account sees it. */
export async function findPollView(
  { db, keyring }: Pick<Platform, 'db' | 'keyring'>,
  key: PollKey,
  accountId: string,
): Promise<Poll | undefined> {
  const rows = await selectPolls(db, [key]);
  const polls = rows.map((row) => openPoll(keyring, row));
  return (await viewPolls(db, polls, accountId)).get(key.msgId);
}

/** Puts the live results into messages that are polls, as the given account sees them. */
export async function withPollResults(
  { db, keyring }: Pick<Platform, 'db' | 'keyring'>,
  accountId: string,
  messages: ChatMessage[],
): Promise<ChatMessage[]> {
  const keys = messages.flatMap(({ type, conversationId, msgId }) =>
    type === 'poll' ? { bucket: bucketOf(conversationId), msgId } : [],
  );
  if (keys.length === 0) return messages;
  const rows = await selectPolls(db, keys);
  const polls = rows.map((row) => openPoll(keyring, row));
  const viewOf = await viewPolls(db, polls, accountId);
  return messages.map((message) => {
    const poll = viewOf.get(message.msgId);
    return poll ? { ...message, poll } : message;
  });
}
