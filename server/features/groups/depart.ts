import type { Accounts } from '#features/accounts/index.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { announceChange, announceLeft, announceRole } from './announce.ts';
import {
  countAdmins,
  deleteListings,
  deleteMember,
  findSuccessor,
  selectGroupsOf,
  selectMembers,
  updateRole,
} from './member-queries.ts';
import { type Group, lockGroup, type Member, updateGroupDeleted, updateMemberCount } from './queries.ts';

/** The outcome of a departure. */
export interface Departure {
  /** As it is after; with no members it is deleted. */
  group: Group;
  accountId: string;
  /** Who became administrator because the last one left. */
  successorId: string | undefined;
}

/** Takes a member out of a group that the transaction has locked; decides who administers it from now on. */
export async function depart(
  tx: Tx,
  group: Group,
  { accountId, isAdmin }: Pick<Member, 'accountId' | 'isAdmin'>,
  at: number,
): Promise<Departure> {
  const memberCount = group.memberCount - 1;
  const after = { ...group, memberCount };
  await deleteMember(tx, { ...group, accountId });
  await deleteListings(tx, group.groupId, [accountId]);
  if (memberCount === 0) {
    await updateGroupDeleted(tx, group, at);
    return { group: after, accountId, successorId: undefined };
  }
  await updateMemberCount(tx, group, memberCount);
  // A broadcast list has one writer for ever: nobody follows a creator whose account is deleted.
  const isHeadless = isAdmin && !group.isBroadcast && (await countAdmins(tx, group)) === 0;
  const successorId = isHeadless ? await findSuccessor(tx, group) : undefined;
  if (successorId !== undefined) await updateRole(tx, { ...group, accountId: successorId }, true);
  return { group: after, accountId, successorId };
}

/** After the commit. */
export function announceDeparture(
  deps: Pick<Platform, 'live'>,
  { group, accountId, successorId }: Departure,
): void {
  announceLeft(deps, group.groupId, accountId);
  announceChange(deps, group);
  if (successorId !== undefined) {
    announceRole(deps, group.groupId, { accountId: successorId, isAdmin: true });
  }
}

/**
 * Takes an account out of every group, in the transaction that deletes it. Nobody can bring it into another one
 * meanwhile: whoever adds members holds their accounts, and finds this one deleted.
 *
 * @returns what to announce after the commit
 */
export async function leaveAllGroups(
  tx: Tx,
  { accounts }: { accounts: Accounts },
  { accountId, at }: { accountId: string; at: number },
): Promise<Departure[]> {
  await accounts.lock(tx, accountId);
  const departures: Departure[] = [];
  // In the order of the ids, so that two who leave the same groups do not wait for each other.
  for (const key of await selectGroupsOf(tx, accountId)) {
    const group = await lockGroup(tx, key);
    const [member] = group ? await selectMembers(tx, [{ ...key, accountId }]) : [];
    if (group && member) departures.push(await depart(tx, group, member, at));
  }
  return departures;
}
