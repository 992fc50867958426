import type { Actor } from '#features/applications/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { bucketOf, isId } from '#platform/ids.ts';
import { selectMembers } from './members/queries.ts';
import { type Group, type GroupKey, lockGroup, type Member, selectGroups } from './queries.ts';
import { groupNotFound } from './rules.ts';

/** Who acts: a bot, or a person through an OAuth token or in the chat. */
export type GroupActor = Pick<Actor, 'kind' | 'accountId'>;

/** A group, and the actor's membership if there is one. */
export interface GroupForActor {
  group: Group;
  member: Member | undefined;
}

/** Undefined for a group that never was or is deleted; a group without `member` is known to an outsider. */
export async function findGroupForActor(
  db: Db,
  groupId: string,
  accountId: string,
): Promise<GroupForActor | undefined> {
  const key = groupKey(groupId);
  if (!key) return undefined;
  const [[group], [member]] = await Promise.all([
    selectGroups(db, [key]),
    selectMembers(db, [{ ...key, accountId }]),
  ]);
  return group && { group, member };
}

/**
 * The same for somebody who changes the group: nobody else changes it or its membership until the transaction ends.
 *
 * @throws ApiError 404
 */
export async function lockGroupForActor(tx: Tx, groupId: string, accountId: string): Promise<GroupForActor> {
  const key = groupKey(groupId);
  const group = key && (await lockGroup(tx, key));
  if (!group) throw groupNotFound();
  // Read after the lock is held: what an earlier holder changed must be seen.
  const [member] = await selectMembers(tx, [{ ...group, accountId }]);
  return { group, member };
}

/** A text that cannot be a group's id never reaches the database. */
export function groupKey(groupId: string): GroupKey | undefined {
  return isId('grp', groupId) ? { bucket: bucketOf(groupId), groupId } : undefined;
}
