import type { ClosePoll } from '#contract/polls.ts';
import { type Groups, groupKey, groupNotFound, type Member, refuseToRead } from '#features/groups/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { type ApiError, permissionDenied } from '#platform/errors.ts';
import { bucketOf, isId } from '#platform/ids.ts';
import { type PollKey, type PollRow, selectConversationsOfPolls, selectPolls } from './queries.ts';
import { type PollConversation, pollNotFound, readConversation } from './rules.ts';

interface Deps {
  db: Db;
  groups: Groups;
}

/** The poll named by a request. */
export interface PollQuery {
  accountId: string;
  messageId: string;
  /** The field that names the message, if it is another one. */
  field?: 'msgId';
  conversation: PollConversation | undefined;
  /** Its creator finds it even after leaving the group: for closing, not for voting (decisions: Polls). */
  isOpenToCreator?: boolean;
}

/** @throws ApiError 400 when the request names two conversations */
export function toPollQuery(accountId: string, address: ClosePoll): PollQuery {
  return { accountId, messageId: address.messageId, conversation: readConversation(address) };
}

/**
 * The poll that somebody wants to close or read: one in a conversation that the actor takes part in, or one that the
 * actor created.
 *
 * @throws ApiError 400, 403, 404
 */
export async function findOwnPoll(
  deps: Deps,
  accountId: string,
  { field, ...address }: ClosePoll & Pick<PollQuery, 'field'>,
): Promise<PollKey> {
  const query = { ...toPollQuery(accountId, address), isOpenToCreator: true };
  const queries = [field ? { ...query, field } : query];
  const conversations = await findConversations(deps.db, queries);
  const [found] = await findPollsForActors(deps, queries, conversations);
  if (found instanceof Error) throw found;
  return found as PollKey;
}

/**
 * The polls named by several requests at once; each gets its own error.
 *
 * @param tx in which the actors' memberships stay as they are, if the answer counts until its end
 */
export async function findPollsForActors(
  { db, groups, tx }: Deps & { tx?: Tx },
  queries: PollQuery[],
  conversations: ReadonlyMap<string, string>,
): Promise<(PollKey | ApiError)[]> {
  const groupKeys = queries.flatMap(({ accountId, messageId, conversation }) => {
    const key = groupKey(groupIdOf(conversation) ?? conversations.get(messageId) ?? '');
    return key ? [{ ...key, accountId }] : [];
  });
  const ofCreators = new Set(queries.flatMap((each) => (each.isOpenToCreator ? each.messageId : [])));
  const keysToRead = [...conversations]
    .filter(([msgId, conversationId]) => isId('prv', conversationId) || ofCreators.has(msgId))
    .map(([msgId, conversationId]) => ({ bucket: bucketOf(conversationId), msgId }));
  const [found, members, polls] = await Promise.all([
    tx ? groups.keep(tx, groupKeys) : groups.find(groupKeys),
    groups.findMembers(groupKeys, tx ?? db),
    selectPolls(tx ?? db, keysToRead),
  ]);
  const groupIds = new Set(found.map(({ groupId }) => groupId));
  const memberOf = new Map(members.map((member) => [member.groupId + member.accountId, member]));
  const pollOf = new Map(polls.map((poll) => [poll.msgId, poll]));
  return queries.map((each) => {
    const conversationId = conversations.get(each.messageId);
    const groupId = groupIdOf(each.conversation) ?? conversationId ?? '';
    const refusal = refuseToTakePart(each, {
      conversationId,
      isGroup: groupIds.has(groupId),
      member: memberOf.get(groupId + each.accountId),
      poll: pollOf.get(each.messageId),
    });
    return refusal ?? { bucket: bucketOf(conversationId as string), msgId: each.messageId };
  });
}

/** The conversations of the polls, by the id of the poll's message. Malformed ids never reach the database. */
export async function findConversations(db: Db, queries: PollQuery[]): Promise<ReadonlyMap<string, string>> {
  const msgIds = new Set(queries.map(({ messageId }) => messageId).filter((text) => isId('msg', text)));
  const named = await selectConversationsOfPolls(db, [...msgIds]);
  return new Map(named.map(({ msgId, conversationId }) => [msgId, conversationId]));
}

function groupIdOf(conversation: PollConversation | undefined): string | undefined {
  return conversation && 'groupId' in conversation ? conversation.groupId : undefined;
}

interface Whereabouts {
  /** Missing if there is no such poll. */
  conversationId: string | undefined;
  /** Whether the requested group, or that of the poll, exists; and the actor's membership. */
  isGroup: boolean;
  member: Member | undefined;
  /** A private one, or one that is open to its creator. */
  poll: PollRow | undefined;
}

/** In the order of the decisions page: 404 conversation, 403 not a participant, 404 poll. */
function refuseToTakePart(
  { accountId, conversation, field, isOpenToCreator = false }: PollQuery,
  { conversationId, isGroup, member, poll }: Whereabouts,
): ApiError | undefined {
  const isCreator = isOpenToCreator && poll?.senderId === accountId;
  if (conversation && 'groupId' in conversation) {
    if (!isGroup) return groupNotFound(conversation.groupId);
    const isThere = conversationId === conversation.groupId;
    if (isCreator && isThere) return undefined;
    return refuseToRead(member) ?? (isThere ? undefined : pollNotFound(field));
  }
  if (conversationId === undefined) return pollNotFound(field);
  if (!isId('prv', conversationId)) {
    if (conversation || !isGroup) return pollNotFound(field);
    return isCreator ? undefined : refuseToRead(member);
  }
  if (!poll) return pollNotFound(field);
  // The id of either participant is valid as `receiverId` (decisions: Polls).
  if (conversation && !isParticipant(poll, conversation.receiverId)) return pollNotFound(field);
  return isParticipant(poll, accountId) ? undefined : permissionDenied('conversation.not-a-participant');
}

function isParticipant({ senderId, receiverId }: PollRow, accountId: string): boolean {
  return accountId === senderId || accountId === receiverId;
}
