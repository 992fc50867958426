import type { Accounts } from '#features/accounts/index.ts';
import type { Actor } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { bucketOf, isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import type { GroupHook } from './announce.ts';
import { deleteBesideMembers } from './link-queries.ts';
import { type MemberKey, selectMembers } from './members/queries.ts';
import {
  type Group,
  type GroupKey,
  lockGroup,
  type Member,
  selectGroups,
  updateGroupDeleted,
} from './queries.ts';
import { groupNotFound, refuseToAdminister } from './rules.ts';

/** The actor: a bot, or a person through an OAuth token or in the chat. */
export type GroupActor = Pick<Actor, 'kind' | 'accountId'>;

export type GroupDeps = Platform & {
  accounts: Accounts;
  bots: Bots;
  contacts: Contacts;
  media: Media;
  hooks: readonly GroupHook[];
};

/** A group and the actor's membership, if any. */
export interface GroupForActor {
  group: Group;
  member: Member | undefined;
}

/** Undefined for a group that never existed or is deleted; without `member` if the actor is an outsider. */
export async function findGroupForActor(
  db: Db,
  groupId: string,
  accountId: string,
): Promise<GroupForActor | undefined> {
  const key = groupKey(groupId);
  const [found] = key ? await findGroupsForActors(db, [{ ...key, accountId }]) : [];
  return found;
}

/** The same for several, in their order. */
export async function findGroupsForActors(
  db: Db,
  keys: readonly MemberKey[],
): Promise<(GroupForActor | undefined)[]> {
  const [groups, members] = await Promise.all([selectGroups(db, keys), selectMembers(db, keys)]);
  const groupOf = new Map(groups.map((group) => [group.groupId, group]));
  const memberOf = new Map(members.map((member) => [member.groupId + member.accountId, member]));
  return keys.map(({ groupId, accountId }) => {
    const group = groupOf.get(groupId);
    return group && { group, member: memberOf.get(groupId + accountId) };
  });
}

/**
 * The same for changes: locks the group and its membership until the transaction ends.
 *
 * @throws ApiError 404
 */
export async function lockGroupForActor(tx: Tx, groupId: string, accountId: string): Promise<GroupForActor> {
  const key = groupKey(groupId);
  const group = key && (await lockGroup(tx, key));
  if (!group) throw groupNotFound(groupId);
  // Read under the lock, to see the changes of its previous holder.
  const [member] = await selectMembers(tx, [{ ...group, accountId }]);
  return { group, member };
}

/** The same for what only administrators may do, without locks. @throws ApiError 404 group, 403 right */
export async function findGroupToAdminister(db: Db, groupId: string, accountId: string): Promise<Group> {
  const found = await findGroupForActor(db, groupId, accountId);
  const refusal = found ? refuseToAdminister(found.member) : groupNotFound(groupId);
  if (!found || refusal) throw refusal;
  return found.group;
}

/** The same under the lock of the group. @throws ApiError 404 group, 403 right */
export async function lockGroupToAdminister(tx: Tx, groupId: string, accountId: string): Promise<Group> {
  const { group, member } = await lockGroupForActor(tx, groupId, accountId);
  const refusal = refuseToAdminister(member);
  if (refusal) throw refusal;
  return group;
}

/** Undefined for a malformed ID, which then never reaches the database. */
export function groupKey(groupId: string): GroupKey | undefined {
  return isId('grp', groupId) ? { bucket: bucketOf(groupId), groupId } : undefined;
}

/** The use of a group's photo that ends when there is another one. */
export function photoUseOf({ groupId, photoUrl, photoSetBy }: Group) {
  return { before: photoUrl, usedBy: groupId, ownerId: photoSetBy ?? '' };
}

/** Deletes a group that the transaction has locked, and what stands beside its members. */
export async function endGroup(
  tx: Tx,
  { media }: Pick<GroupDeps, 'media'>,
  group: Group,
  at: number,
): Promise<void> {
  await updateGroupDeleted(tx, group, at);
  await media.releaseReplaced(tx, { ...photoUseOf(group), after: null }, at);
  await deleteBesideMembers(tx, group);
}
