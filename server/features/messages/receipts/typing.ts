import type { Accounts } from '#features/accounts/index.ts';
import { type Contacts, contactKey } from '#features/contacts/index.ts';
import { type Groups, refuseToPost } from '#features/groups/index.ts';
import type { Platform } from '#platform/platform.ts';
import type { RateLimit } from '#platform/rate-limits.ts';
import { findOwnConversation, type OwnConversation } from '../access/own-conversation.ts';
import { findAudience } from './audience.ts';

type Deps = Pick<Platform, 'db' | 'live'> & {
  accounts: Accounts;
  contacts: Contacts;
  groups: Groups;
  typing: RateLimit;
};

/**
 * Publishes that a person is typing: nothing is stored, and pages drop it after some seconds. Not for people
 * who hide it or may not write there.
 *
 * @throws ApiError 404, 429
 */
export async function tellTyping(deps: Deps, own: OwnConversation): Promise<void> {
  const { db, live, accounts, typing } = deps;
  const { accountId: userId, conversationId } = own;
  await typing.count(userId);
  const listed = await findOwnConversation(db, own);
  const [profile, mayWrite, audience] = await Promise.all([
    accounts.showProfile(userId),
    listed.peerId === null ? mayPost(deps, own) : mayWriteTo(deps, userId, listed.peerId),
    findAudience(deps, listed),
  ]);
  if (!profile.typingIndicators || !mayWrite || audience === undefined) return;
  live.publish(audience, { type: 'typing', data: { conversationId, userId } });
}

async function mayPost({ groups }: Deps, { accountId, conversationId }: OwnConversation): Promise<boolean> {
  const found = await groups.findForActor(conversationId, accountId);
  return found !== undefined && refuseToPost(found.group, found.member) === undefined;
}

async function mayWriteTo({ contacts }: Deps, accountId: string, peerId: string): Promise<boolean> {
  const sides = await contacts.find([contactKey(accountId, peerId), contactKey(peerId, accountId)]);
  return sides.every(({ blockedAt }) => blockedAt === null);
}
