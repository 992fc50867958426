import type { ChatStory, MarkStorySeen, SharedStory, StoryView } from '#contract/stories.ts';
import { viewPeer } from '#features/accounts/index.ts';
import { contactKey } from '#features/contacts/index.ts';
import { notFound } from '#platform/errors.ts';
import { selectPeopleSince, selectSeen, selectViewers, updateSeen } from './queries.ts';
import { findCurrentStories, type StoryDeps } from './service.ts';

/**
 * The current stories of the people whom a person knows from a group or who have written to it: a stranger who
 * writes sees nothing before the answer, and one who adds somebody to a group only what is published afterwards. If either has
 * blocked the other, neither sees stories of the other.
 */
export async function listSharedStories(deps: StoryDeps, accountId: string): Promise<SharedStory[]> {
  const [peerIds, memberSince] = await Promise.all([
    deps.messages.findPeerIds(accountId),
    findMembersSince(deps, accountId),
  ]);
  return viewShared(deps, accountId, { others: new Set([...peerIds, ...memberSince.keys()]), memberSince });
}

/** Those whom a person learns of in groups, and since when their stories are shown there. */
async function findMembersSince(
  { db, groups, shards }: StoryDeps,
  accountId: string,
): Promise<ReadonlyMap<string, number>> {
  const known = await groups.findKnowing(accountId);
  const members = await selectPeopleSince(db, known.groups, shards);
  return new Map([
    ...members.map(({ accountId: memberId, joinedAt }) => [memberId, joinedAt] as const),
    ...known.creatorIds.map((creatorId) => [creatorId, 0] as const),
  ]);
}

async function viewShared(
  deps: StoryDeps,
  accountId: string,
  { others, memberSince }: { others: Iterable<string>; memberSince: ReadonlyMap<string, number> },
): Promise<SharedStory[]> {
  const { db, accounts } = deps;
  const found = await findCurrentStories(
    deps,
    [...others].filter((other) => other !== accountId),
  );
  const ownerIds = found.map((story) => story.accountId);
  const [ownerOf, visible, seen] = await Promise.all([
    accounts.findByIds(ownerIds),
    findVisible(deps, accountId, { ownerIds, memberSince }),
    selectSeen(db, accountId, ownerIds),
  ]);
  const seenOf = new Map(seen.map(({ ownerId, elementId }) => [ownerId, elementId]));
  return found.flatMap(({ accountId: ownerId, story: whole }) => {
    const owner = ownerOf.get(ownerId);
    const since = visible.get(ownerId);
    if (!owner || owner.deletedAt !== null || since === undefined) return [];
    const story = publishedSince(whole, since);
    if (elementIdsOf(story).length === 0) return [];
    const seenElementId = seenOf.get(ownerId);
    return {
      person: viewPeer(owner),
      story,
      ...(seenElementId !== undefined && { seenElementId }),
      hasUnseen: elementIdsOf(story).some((id) => seenElementId === undefined || id > seenElementId),
    };
  });
}

function publishedSince(
  { texts, images, videos, unreadable, ...story }: ChatStory,
  since: number,
): ChatStory {
  const isShown = ({ createdAt }: { createdAt: number }) => createdAt >= since;
  return {
    ...story,
    texts: texts.filter(isShown),
    images: images.filter(isShown),
    videos: videos.filter(isShown),
    ...(unreadable && { unreadable: unreadable.filter(isShown) }),
  };
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
  const memberSince = await findMembersSince(deps, accountId);
  const [shared] = await viewShared(deps, accountId, { others: [userId], memberSince });
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

/** Those whose story this person may see, and from when on. */
async function findVisible(
  deps: StoryDeps,
  accountId: string,
  { ownerIds, memberSince }: { ownerIds: string[]; memberSince: ReadonlyMap<string, number> },
): Promise<Map<string, number>> {
  const contacts = await deps.contacts.find(
    ownerIds.flatMap((ownerId) => [contactKey(accountId, ownerId), contactKey(ownerId, accountId)]),
  );
  return new Map(
    ownerIds.flatMap((ownerId) => {
      const { conversationId } = contactKey(accountId, ownerId);
      const sides = contacts.filter((side) => side.conversationId === conversationId);
      const hasWritten = sides.some((side) => side.accountId === ownerId && side.wroteAt !== null);
      const since = hasWritten ? 0 : memberSince.get(ownerId);
      const isBlocked = sides.some(({ blockedAt }) => blockedAt !== null);
      return since === undefined || isBlocked ? [] : [[ownerId, since]];
    }),
  );
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
