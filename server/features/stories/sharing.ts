import type { ChatStory, MarkStorySeen, SharedStory, StoryView } from '#contract/stories.ts';
import { viewPeer } from '#features/accounts/index.ts';
import { contactKey } from '#features/contacts/index.ts';
import { isKnownIn } from '#features/groups/index.ts';
import { notFound } from '#platform/errors.ts';
import { selectMembersWithStory, selectSeen, selectViewers, updateSeen } from './queries.ts';
import { findCurrentStories, type StoryDeps } from './service.ts';

/**
 * The current stories of the people whom a person knows from a group or who have written to it: a stranger who
 * writes sees nothing before the answer. If either has blocked the other, neither sees stories of the other.
 */
export async function listSharedStories(deps: StoryDeps, accountId: string): Promise<SharedStory[]> {
  const { db, groups, messages, shards } = deps;
  const findInGroups = async () => {
    const known = await groups.findKnowing(accountId);
    if (known.groups.length === 0) return known.creatorIds;
    const members = shards.isDistributed
      ? await groups.findPeople(known.groups)
      : await selectMembersWithStory(db, known.groups);
    return [...members, ...known.creatorIds];
  };
  const [peerIds, memberIds] = await Promise.all([messages.findPeerIds(accountId), findInGroups()]);
  return viewShared(deps, accountId, { others: new Set([...peerIds, ...memberIds]), memberIds });
}

async function viewShared(
  deps: StoryDeps,
  accountId: string,
  { others, memberIds }: { others: Iterable<string>; memberIds: string[] },
): Promise<SharedStory[]> {
  const { db, accounts } = deps;
  const found = await findCurrentStories(
    deps,
    [...others].filter((other) => other !== accountId),
  );
  const ownerIds = found.map((story) => story.accountId);
  const [ownerOf, visible, seen] = await Promise.all([
    accounts.findByIds(ownerIds),
    findVisible(deps, accountId, { ownerIds, memberIds: new Set(memberIds) }),
    ownerIds.length === 0 ? [] : selectSeen(db, accountId, ownerIds),
  ]);
  const seenOf = new Map(seen.map(({ ownerId, elementId }) => [ownerId, elementId]));
  return found.flatMap(({ accountId: ownerId, story }) => {
    const owner = ownerOf.get(ownerId);
    if (!owner || owner.deletedAt !== null || !visible.has(ownerId)) return [];
    const seenElementId = seenOf.get(ownerId);
    return {
      person: viewPeer(owner),
      story,
      ...(seenElementId !== undefined && { seenElementId }),
      hasUnseen: elementIdsOf(story).some((id) => seenElementId === undefined || id > seenElementId),
    };
  });
}

function elementIdsOf({ texts, images, videos, unreadable = [] }: ChatStory): string[] {
  return [...texts, ...images, ...videos, ...unreadable].map(({ id }) => id);
}

/**
 * Moves a person's marker in somebody's story; every open page of the person is notified.
 *
 * @throws ApiError 404 when the person sees no such element
 */
export async function markStorySeen(
  deps: StoryDeps,
  accountId: string,
  { userId, elementId }: MarkStorySeen,
): Promise<{ userId: string; seenElementId: string }> {
  const groups = await deps.groups.findShared(accountId, userId);
  const memberIds = groups.some((group) => isKnownIn(group, accountId, userId)) ? [userId] : [];
  const [shared] = await viewShared(deps, accountId, { others: [userId], memberIds });
  if (!shared || !elementIdsOf(shared.story).includes(elementId)) throw notFound('story.element-unknown');
  const seenElementId = await deps.db.begin(async (tx) => {
    await deps.accounts.lockActor(tx, accountId);
    return updateSeen(tx, { accountId, ownerId: userId, elementId });
  });
  deps.live.publish(accountId, { type: 'story.seen', data: { userId, seenElementId } });
  return { userId, seenElementId };
}

const VIEWERS = 200;

/** Who has seen a person's current story. As with read receipts, whoever does not share them is not told. */
export async function listStoryViews(deps: StoryDeps, accountId: string): Promise<StoryView[]> {
  const [own] = await findCurrentStories(deps, [accountId]);
  const since = own && elementIdsOf(own.story).toSorted()[0];
  if (since === undefined || !(await deps.accounts.showProfile(accountId)).readReceipts) return [];
  const rows = await selectViewers(deps.db, { ownerId: accountId, since, limit: VIEWERS });
  const personOf = await deps.accounts.findByIds(rows.map((row) => row.accountId));
  return rows.flatMap(({ accountId: viewerId, elementId }) => {
    const person = personOf.get(viewerId);
    return person ? { person: viewPeer(person), elementId } : [];
  });
}

/** Those whose story this person may see. */
async function findVisible(
  deps: StoryDeps,
  accountId: string,
  { ownerIds, memberIds }: { ownerIds: string[]; memberIds: ReadonlySet<string> },
): Promise<Set<string>> {
  if (ownerIds.length === 0) return new Set();
  const contacts = await deps.contacts.find(
    ownerIds.flatMap((ownerId) => [contactKey(accountId, ownerId), contactKey(ownerId, accountId)]),
  );
  const isVisible = (ownerId: string) => {
    const { conversationId } = contactKey(accountId, ownerId);
    const sides = contacts.filter((side) => side.conversationId === conversationId);
    const hasWritten = sides.some((side) => side.accountId === ownerId && side.wroteAt !== null);
    return (memberIds.has(ownerId) || hasWritten) && sides.every(({ blockedAt }) => blockedAt === null);
  };
  return new Set(ownerIds.filter(isVisible));
}

/**
 * Notifies open pages that somebody's stories changed; pages of people who may see them reload. A group gets
 * one publication, however large it is.
 */
export async function announceStoryChange(
  { live, groups, messages }: StoryDeps,
  accountId: string,
): Promise<void> {
  const [peerIds, known] = await Promise.all([
    messages.findPeerIds(accountId),
    groups.findKnowing(accountId),
  ]);
  const groupIds = known.groups.map(({ groupId }) => groupId);
  for (const topic of new Set([accountId, ...peerIds, ...groupIds, ...known.creatorIds]))
    live.publish(topic, { type: 'story.changed', data: { userId: accountId } });
}
