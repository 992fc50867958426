import type { SharedStory } from '#contract/stories.ts';
import { viewPeer } from '#features/accounts/peer.ts';
import { findAccounts } from '#features/accounts/service.ts';
import { contactKey, findContacts } from '#features/contacts/service.ts';
import { findGroupsOf, findPeopleIn } from '#features/groups/service.ts';
import { findPeerIds } from '#features/messages/conversations.ts';
import type { Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { findCurrentStories } from './service.ts';

/**
 * The current stories of the people whom a person shares a private chat or a group with, by person. Whoever
 * blocked the other of the two sees no story of theirs, nor shows one.
 */
export async function listSharedStories(
  deps: Pick<Platform, 'db' | 'clock' | 'keyring' | 'config'>,
  accountId: string,
): Promise<SharedStory[]> {
  const { db } = deps;
  const [peerIds, groups] = await Promise.all([findPeerIds(db, accountId), findGroupsOf(db, accountId)]);
  const memberIds = groups.length === 0 ? [] : await findPeopleIn(db, groups);
  const others = [...new Set([...peerIds, ...memberIds])].filter((other) => other !== accountId);
  const found = await findCurrentStories(deps, others);
  const ownerIds = found.map((story) => story.accountId);
  const [owners, hidden] = await Promise.all([
    findAccounts(db, ownerIds),
    findBlocked(db, accountId, ownerIds),
  ]);
  const ownerOf = new Map(owners.map((owner) => [owner.accountId, owner]));
  return found.flatMap(({ accountId: ownerId, story }) => {
    const owner = ownerOf.get(ownerId);
    return owner && owner.deletedAt === null && !hidden.has(ownerId)
      ? { person: viewPeer(owner), story }
      : [];
  });
}

/** Those of the others who blocked this person, or whom this person blocked. */
async function findBlocked(db: Db, accountId: string, others: string[]): Promise<Set<string>> {
  if (others.length === 0) return new Set();
  const otherOf = new Map(others.map((other) => [contactKey(accountId, other).conversationId, other]));
  const contacts = await findContacts(
    db,
    others.flatMap((other) => [contactKey(accountId, other), contactKey(other, accountId)]),
  );
  return new Set(
    contacts.flatMap(({ conversationId, blockedAt }) =>
      blockedAt === null ? [] : (otherOf.get(conversationId) ?? []),
    ),
  );
}

/**
 * Tells open pages that somebody's stories changed; what they show is read again by those who may see it. A group hears
 * it once, however large it is.
 */
export async function announceStoryChange(
  { db, live }: Pick<Platform, 'db' | 'live'>,
  accountId: string,
): Promise<void> {
  const [peerIds, groups] = await Promise.all([findPeerIds(db, accountId), findGroupsOf(db, accountId)]);
  for (const topic of [accountId, ...peerIds, ...groups.map(({ groupId }) => groupId)]) {
    live.publish(topic, { type: 'story.changed', data: { userId: accountId } });
  }
}
