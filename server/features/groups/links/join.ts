import type {
  DecideJoinRequest,
  Joining,
  JoinRequests,
  LinkedGroup,
  LinkedGroupForPerson,
} from '#contract/group-links.ts';
import { LIMITS } from '#contract/limits.ts';
import { type Account, actorDeleted, viewPeer } from '#features/accounts/index.ts';
import { contactKey } from '#features/contacts/index.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { Tx } from '#platform/database.ts';
import { notFound, permissionDenied, resourceExhausted } from '#platform/errors.ts';
import type { RateLimit } from '#platform/rate-limits.ts';
import { announceJoined } from '../announce.ts';
import {
  deleteJoinRequests,
  insertJoinRequest,
  type LinkRow,
  selectHasAsked,
  selectJoinRequests,
  selectOpenLink,
  takeLink,
} from '../link-queries.ts';
import { makeMembers } from '../members/newcomers.ts';
import { insertRemoval, selectIsRemoved, selectMembers } from '../members/queries.ts';
import { type Group, lockGroup, selectGroups } from '../queries.ts';
import { findGroupToAdminister, type GroupDeps, lockGroupToAdminister } from '../service.ts';
import { readLinkToken } from './tokens.ts';

/** @param wrongLinks counts the links that lead nowhere, by whoever tries them */
export type LinkDeps = GroupDeps & { wrongLinks: RateLimit };

/** A group to which a link leads. */
type Linked = Pick<LinkRow, 'needsApproval'> & { group: Group };

/**
 * The group to which a link leads.
 *
 * @param asker the account or network for which wrong links are counted
 * @throws ApiError 404; 429 instead, after too many
 */
export async function showLinkedGroup(deps: LinkDeps, asker: string, token: string): Promise<LinkedGroup> {
  return viewLinked(await findLinkedGroup(deps, asker, token));
}

async function findLinkedGroup(deps: LinkDeps, asker: string, token: string): Promise<Linked> {
  const linked = await deps.wrongLinks.aroundMisses(asker, () =>
    deps.db.begin(async (tx) => {
      const link = await findOpenLink(tx, deps, token);
      const [group] = link ? await selectGroups(tx, [link]) : [];
      return link && group && { group, needsApproval: link.needsApproval };
    }),
  );
  if (!linked) throw linkGone();
  return linked;
}

function viewLinked({ group, needsApproval }: Linked): LinkedGroup {
  const { groupId, name, photoUrl, isBroadcast, memberCount } = group;
  return withoutAbsent({ groupId, name, photoUrl, isBroadcast, memberCount, needsApproval });
}

/** The same, and whether the person is in the group, or has asked to be. */
export async function showLinkedGroupTo(
  deps: LinkDeps,
  accountId: string,
  token: string,
): Promise<LinkedGroupForPerson> {
  const linked = await findLinkedGroup(deps, accountId, token);
  const [[member], hasAsked] = await Promise.all([
    selectMembers(deps.db, [{ ...linked.group, accountId }]),
    selectHasAsked(deps.db, linked.group, accountId),
  ]);
  return { ...viewLinked(linked), isMember: member !== undefined, hasAsked };
}

/** A change to a group, and what is to be announced after the commit. */
interface Joined {
  group: Group;
  /** The new member. */
  accountId?: string;
  show?: () => void;
}

/**
 * A person becomes a member by a link, or asks to. The rules are those of adding, except for what protects people from being
 * added: it is their own decision. Members are not counted again.
 *
 * @throws ApiError 404 link; 403 for somebody who was removed, or whom the maker of the link blocks; 429 size, too many
 * requests, or too many wrong links
 */
export async function joinByLink(deps: LinkDeps, accountId: string, token: string): Promise<Joining> {
  const joined = await deps.wrongLinks.aroundMisses(accountId, () =>
    deps.db.begin((tx) => enter(tx, deps, { accountId, token })),
  );
  if (!joined) throw linkGone();
  if (joined.show) announce(deps, joined);
  return { groupId: joined.group.groupId, isMember: joined.isMember };
}

/** After the commit. */
function announce(deps: GroupDeps, { group, accountId, show }: Joined): void {
  announceJoined(deps, group, accountId === undefined ? [] : [accountId]);
  show?.();
}

/** Undefined if the link lets nobody in; without `show` if nothing has changed. */
async function enter(
  tx: Tx,
  deps: LinkDeps,
  { accountId, token }: { accountId: string; token: string },
): Promise<(Joined & { isMember: boolean }) | undefined> {
  const at = deps.clock.now();
  const [account] = await deps.accounts.lockShared(tx, [accountId]);
  if (account?.deletedAt !== null) throw actorDeleted();
  const link = await findOpenLink(tx, deps, token);
  const group = link && (await lockGroup(tx, link));
  if (!link || !group) return undefined;
  const key = { ...group, accountId };
  if ((await selectMembers(tx, [key])).length > 0) return { group, isMember: true };
  if (link.needsApproval && (await selectHasAsked(tx, group, accountId))) return { group, isMember: false };
  if (!(await takeLink(tx, link, at))) return undefined;
  const [contact] = await deps.contacts.find([contactKey(link.createdBy, accountId)], tx);
  // The same answer for both, which does not tell who blocks whom.
  if ((await selectIsRemoved(tx, key)) || contact?.blockedAt != null)
    throw permissionDenied('group.link-not-for-you');
  if (!link.needsApproval) return { ...(await letIn(tx, deps, group, account)), isMember: true };
  if (group.joinRequestCount >= LIMITS.joinRequests) throw resourceExhausted('group.too-many-requests');
  const joinRequestCount = await insertJoinRequest(tx, group, { accountId, requestedAt: at });
  return { group: { ...group, joinRequestCount }, show: () => {}, isMember: false };
}

/** Somebody becomes a member by their own decision. The transaction has locked the group. @throws ApiError 429 size */
async function letIn(tx: Tx, deps: GroupDeps, group: Group, account: Account): Promise<Joined> {
  const { accountId } = account;
  return { ...(await makeMembers(tx, deps, group, { accounts: [account], from: accountId })), accountId };
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

/** Those who ask to join, for administrators. @throws ApiError 404 group, 403 right */
export async function listJoinRequests(
  deps: GroupDeps,
  accountId: string,
  groupId: string,
): Promise<JoinRequests> {
  const group = await findGroupToAdminister(deps.db, groupId, accountId);
  const rows = await selectJoinRequests(deps.db, group);
  const accountOf = await deps.accounts.findByIds(rows.map((row) => row.accountId));
  const requests = rows.flatMap(({ accountId, requestedAt }) => {
    const account = accountOf.get(accountId);
    return account ? { ...viewPeer(account), requestedAt } : [];
  });
  return { requests };
}

/**
 * An administrator lets in somebody who asks to join, or refuses: then no link lets them in until an administrator adds them.
 *
 * @throws ApiError 404 group, 403 right, 404 request, 429 size
 */
export async function decideJoinRequest(
  deps: GroupDeps,
  accountId: string,
  { groupId, userId, isAccepted }: DecideJoinRequest,
): Promise<{ groupId: string }> {
  const decided = await deps.db.begin(async (tx): Promise<Joined> => {
    const [account] = await deps.accounts.lockShared(tx, [userId]);
    const group = await lockGroupToAdminister(tx, groupId, accountId);
    if (!account || !(await selectHasAsked(tx, group, userId))) throw notFound('group.no-such-request');
    if (isAccepted) return letIn(tx, deps, group, account);
    await insertRemoval(tx, { ...group, accountId: userId }, deps.clock.now());
    return { group: { ...group, joinRequestCount: await deleteJoinRequests(tx, group, [userId]) } };
  });
  announce(deps, decided);
  return { groupId };
}
