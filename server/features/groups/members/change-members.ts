import type { ChangeRole, RemoveMember } from '#contract/groups.ts';
import type { Tx } from '#platform/database.ts';
import { announceChange, inOrder, note, noteMovement } from '../announce.ts';
import { deleteJoinRequests, deleteLinksBy, selectGroupsAsked } from '../link-queries.ts';
import { type Group, type GroupKey, lockGroup, type Member, updateMemberCount } from '../queries.ts';
import { refuseRole, refuseToRemove } from '../rules.ts';
import { endGroup, type GroupActor, type GroupDeps, lockGroupForActor } from '../service.ts';
import {
  countAdmins,
  deleteListings,
  deleteMember,
  findSuccessor,
  insertFormerMembers,
  insertRemoval,
  selectGroupsOf,
  selectMembers,
  updateRole,
} from './queries.ts';

/** The outcome of a departure. */
export interface Departure {
  /** The group afterwards; without members it is deleted. */
  group: Group;
  accountId: string;
  /** The member who became administrator because the last one left. */
  successorId: string | undefined;
  /** Notifies the remaining members. */
  show: () => void;
}

/** Removes a member from a group that the transaction has locked, and appoints an administrator if none is left. */
export async function depart(
  tx: Tx,
  deps: GroupDeps,
  group: Group,
  { accountId, isAdmin, botAppId, by, at }: Omit<Member, 'joinedAt'> & { by: string; at: number },
): Promise<Departure> {
  const memberCount = group.memberCount - 1;
  const after = { ...group, memberCount };
  await deleteMember(tx, { ...group, accountId });
  await deleteListings(tx, group.groupId, [accountId]);
  await deleteLinksBy(tx, group, accountId);
  if (memberCount === 0) {
    await endGroup(tx, deps, group, at);
    return { group: after, accountId, successorId: undefined, show: () => {} };
  }
  await updateMemberCount(tx, group, memberCount);
  if (botAppId === null) await insertFormerMembers(tx, [{ ...group, accountId }]);
  // A broadcast list has only one writer ever: a creator whose account is deleted has no successor.
  const isHeadless = isAdmin && !group.isBroadcast && (await countAdmins(tx, group)) === 0;
  const successorId = isHeadless ? await findSuccessor(tx, group) : undefined;
  if (successorId !== undefined) await updateRole(tx, { ...group, accountId: successorId }, true);
  const isLeaving = by === accountId;
  const change = isLeaving ? { kind: 'left' as const } : { kind: 'removed' as const, userIds: [accountId] };
  const shows = [
    await note(tx, deps, group, { ...change, from: by, at }),
    await noteMovement(tx, deps, group, { left: [accountId], from: by, at }),
  ];
  if (successorId !== undefined)
    shows.push(await note(tx, deps, group, { kind: 'promoted', userIds: [successorId], from: by, at }));
  return { group: after, accountId, successorId, show: inOrder(shows) };
}

/** After the commit. */
export function announceDeparture(
  deps: GroupDeps,
  { group, accountId, successorId: userId, show }: Departure,
): void {
  const { live } = deps;
  const { groupId } = group;
  live.publish(accountId, { type: 'group.left', data: { groupId } });
  announceChange(deps, group);
  if (userId !== undefined)
    live.publish(groupId, { type: 'group.role', data: { groupId, userId, isAdmin: true } });
  show();
}

/**
 * Removes an account from every group, and its requests to join others, in the transaction that deletes it. It cannot be added
 * to another group meanwhile: adding members locks their accounts, and then finds this one deleted.
 *
 * @returns what to announce after the commit
 */
export async function leaveAllGroups(
  tx: Tx,
  deps: GroupDeps,
  { accountId, at }: { accountId: string; at: number },
): Promise<Departure[]> {
  await deps.accounts.lock(tx, accountId);
  const departures: Departure[] = [];
  // In the order of `keepGroups`: neither two accounts that leave the same groups nor a batch of messages to them deadlock.
  const keys: GroupKey[] = [
    ...(await selectGroupsOf(tx, accountId)),
    ...(await selectGroupsAsked(tx, accountId)),
  ].sort((one, other) => one.bucket - other.bucket || (one.groupId < other.groupId ? -1 : 1));
  for (const key of keys) {
    const group = await lockGroup(tx, key);
    if (!group) continue;
    const [member] = await selectMembers(tx, [{ ...key, accountId }]);
    if (member) departures.push(await depart(tx, deps, group, { ...member, by: accountId, at }));
    else await deleteJoinRequests(tx, group, [accountId]);
  }
  return departures;
}

/**
 * An administrator promotes or demotes a member (contract §4).
 *
 * @throws ApiError 404 group, 403 outsider, 400 broadcast list, 403 right, 404 no such member, 400 only administrator
 */
export async function changeRole(
  deps: GroupDeps,
  actor: GroupActor,
  { groupId, memberId, isAdmin }: ChangeRole,
): Promise<void> {
  const { db, clock, live } = deps;
  const show = await db.begin(async (tx) => {
    const { group, member } = await lockGroupForActor(tx, groupId, actor.accountId);
    const [target] = await selectMembers(tx, [{ ...group, accountId: memberId }]);
    const adminCount = await countAdmins(tx, group);
    const refusal = refuseRole(group, member, { target, isAdmin, adminCount });
    if (refusal) throw refusal;
    await updateRole(tx, { ...group, accountId: memberId }, isAdmin);
    if (!isAdmin) await deleteLinksBy(tx, group, memberId);
    if (target?.isAdmin === isAdmin) return undefined;
    const kind = isAdmin ? 'promoted' : 'demoted';
    return note(tx, deps, group, { kind, userIds: [memberId], from: actor.accountId, at: clock.now() });
  });
  live.publish(groupId, { type: 'group.role', data: { groupId, userId: memberId, isAdmin } });
  show?.();
}

/**
 * An administrator removes a member, or a member leaves by removing itself (contract §4).
 *
 * @throws ApiError 404 group, 403 right, 404 no such member, 400 for the creator of a broadcast list
 */
export async function removeMember(
  deps: GroupDeps,
  actor: GroupActor,
  { groupId, memberId }: RemoveMember,
): Promise<void> {
  const departure = await deps.db.begin(async (tx) => {
    const { group, member } = await lockGroupForActor(tx, groupId, actor.accountId);
    const [target] = await selectMembers(tx, [{ ...group, accountId: memberId }]);
    const refusal = refuseToRemove(group, member, { accountId: memberId, isMember: target !== undefined });
    if (refusal) throw refusal;
    const leaving = target as NonNullable<typeof target>;
    const at = deps.clock.now();
    const isPutOut = memberId !== actor.accountId && leaving.botAppId === null;
    if (isPutOut) await insertRemoval(tx, { ...group, accountId: memberId }, at);
    return depart(tx, deps, group, { ...leaving, by: actor.accountId, at });
  });
  announceDeparture(deps, departure);
}
