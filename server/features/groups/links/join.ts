import type { LinkedGroup, LinkedGroupForPerson } from '#contract/group-links.ts';
import { actorDeleted } from '#features/accounts/index.ts';
import { contactKey } from '#features/contacts/index.ts';
import type { Tx } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import type { RateLimit } from '#platform/rate-limits.ts';
import { announceJoined } from '../announce.ts';
import { type LinkRow, selectOpenLink, takeLink } from '../link-queries.ts';
import { toMember } from '../members/newcomers.ts';
import { insertListings, insertMembers, selectIsRemoved, selectMembers } from '../members/queries.ts';
import { note, noteMovement } from '../notices.ts';
import { type Group, lockGroup, selectGroups, updateMemberCount } from '../queries.ts';
import { refuseSize, refuseToJoin } from '../rules.ts';
import type { GroupDeps } from '../service.ts';
import { readLinkToken } from './tokens.ts';

/** @param wrongLinks counts the links that lead nowhere, by whoever tries them */
export type LinkDeps = GroupDeps & { wrongLinks: RateLimit };

/**
 * The group to which a link leads.
 *
 * @param asker the account or network for which wrong links are counted
 * @throws ApiError 404; 429 instead, after too many
 */
export async function showLinkedGroup(deps: LinkDeps, asker: string, token: string): Promise<LinkedGroup> {
  return viewLinked(await findLinkedGroup(deps, asker, token));
}

async function findLinkedGroup(deps: LinkDeps, asker: string, token: string): Promise<Group> {
  const group = await deps.wrongLinks.aroundMisses(asker, () =>
    deps.db.begin(async (tx) => {
      const link = await findOpenLink(tx, deps, token);
      return link && (await selectGroups(tx, [link]))[0];
    }),
  );
  if (!group) throw linkGone();
  return group;
}

function viewLinked({ groupId, name, photoUrl, isBroadcast, memberCount }: Group): LinkedGroup {
  return { groupId, name, ...(photoUrl !== null && { photoUrl }), isBroadcast, memberCount };
}

/** The same, and whether the person is in the group. */
export async function showLinkedGroupTo(
  deps: LinkDeps,
  accountId: string,
  token: string,
): Promise<LinkedGroupForPerson> {
  const group = await findLinkedGroup(deps, accountId, token);
  const [member] = await selectMembers(deps.db, [{ ...group, accountId }]);
  return { ...viewLinked(group), isMember: member !== undefined };
}

/**
 * A person becomes a member by a link. The rules are those of adding, except for what protects people from being added: it is
 * their own decision. Members are not counted again.
 *
 * @throws ApiError 404 link; 403 for somebody who was removed, or whom the maker of the link blocks; 429 size, or too many wrong
 * links
 */
export async function joinByLink(
  deps: LinkDeps,
  accountId: string,
  token: string,
): Promise<{ groupId: string }> {
  const joined = await deps.wrongLinks.aroundMisses(accountId, () =>
    deps.db.begin((tx) => enter(tx, deps, { accountId, token })),
  );
  if (!joined) throw linkGone();
  const { group, shows } = joined;
  if (shows) {
    announceJoined(deps, group, [accountId]);
    for (const show of shows) show();
  }
  return { groupId: group.groupId };
}

/** Undefined if the link lets nobody in; without `shows` for somebody who is a member already. */
async function enter(
  tx: Tx,
  deps: LinkDeps,
  { accountId, token }: { accountId: string; token: string },
): Promise<{ group: Group; shows?: (() => void)[] } | undefined> {
  const joinedAt = deps.clock.now();
  const [account] = await deps.accounts.lockShared(tx, [accountId]);
  if (account?.deletedAt !== null) throw actorDeleted();
  const link = await findOpenLink(tx, deps, token);
  const group = link && (await lockGroup(tx, link));
  if (!link || !group) return undefined;
  const key = { ...group, accountId };
  if ((await selectMembers(tx, [key])).length > 0) return { group };
  if (!(await takeLink(tx, link, joinedAt))) return undefined;
  const memberCount = group.memberCount + 1;
  const [contact] = await deps.contacts.find([contactKey(link.createdBy, accountId)], tx);
  const refusal =
    refuseToJoin({ wasRemoved: await selectIsRemoved(tx, key), isBlocked: contact?.blockedAt != null }) ??
    refuseSize(memberCount, deps.config.maxGroupMembers);
  if (refusal) throw refusal;
  await insertMembers(tx, group, [toMember(account, { isAdmin: false, joinedAt })]);
  await updateMemberCount(tx, group, memberCount);
  await insertListings(tx, group, { accountIds: [accountId], createdAt: joinedAt });
  const notice = { kind: 'joined' as const, userIds: [accountId], from: accountId, at: joinedAt };
  const shows = [
    await note(tx, deps, group, notice),
    await noteMovement(tx, deps, group, { joined: [accountId], from: accountId, at: joinedAt }),
  ];
  return { group: { ...group, memberCount }, shows };
}

/** A suspended person invites nobody. */
async function findOpenLink(
  tx: Tx,
  { accounts, clock }: GroupDeps,
  token: string,
): Promise<LinkRow | undefined> {
  const now = clock.now();
  const key = readLinkToken(token);
  const link = key && (await selectOpenLink(tx, key, now));
  return link && !(await accounts.isSuspended(tx, link.createdBy, now)) ? link : undefined;
}

/** The same for every link that lets nobody in, so that it does not tell which ones existed. */
function linkGone(): Error {
  return notFound('account.link-gone');
}
