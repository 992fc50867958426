import type { Db, Tx } from '#platform/database.ts';
import { isOneOf } from '#platform/partitioning/keys.ts';
import { type ShardScope, withinShard } from '#platform/partitioning/shards.ts';

export interface GroupKey {
  bucket: number;
  groupId: string;
}

/** The condition that a row is of this group. */
export function isOfGroup(db: Db, { bucket, groupId }: GroupKey) {
  return db`bucket = ${bucket} and group_id = ${groupId}`;
}

/** A group or broadcast list that is not deleted. */
export interface Group extends GroupKey {
  name: string;
  description: string;
  photoUrl: string | null;
  /** Null for photos set before this was recorded. */
  photoSetBy: string | null;
  isBroadcast: boolean;
  /** False: only administrators write. Has no effect in a broadcast list, where only the creator writes. */
  sendMessages: boolean;
  editInfoOnlyAdmin: boolean;
  creatorId: string;
  memberCount: number;
  joinRequestCount: number;
  createdAt: number;
}

export interface Member {
  accountId: string;
  isAdmin: boolean;
  /** The application of a member that is a bot. */
  botAppId: string | null;
  joinedAt: number;
}

/** False if a group with this ID already exists; of concurrent inserts the primary key admits one. */
export async function insertGroup(tx: Tx, group: Omit<Group, 'joinRequestCount'>): Promise<boolean> {
  const rows = await tx`
    insert into groups (bucket, group_id, name, description, photo_url, photo_set_by, is_broadcast, send_messages,
      edit_info_only_admin, creator_id, member_count, created_at)
    values (${group.bucket}, ${group.groupId}, ${group.name}, ${group.description}, ${group.photoUrl},
      ${group.photoSetBy}, ${group.isBroadcast}, ${group.sendMessages}, ${group.editInfoOnlyAdmin}, ${group.creatorId},
      ${group.memberCount}, ${group.createdAt})
    on conflict (bucket, group_id) do nothing
    returning group_id`;
  return rows.length === 1;
}

/** The beginning of each read of groups. */
function existingGroups(db: Db) {
  return db`
    select bucket, group_id, name, description, photo_url, photo_set_by, is_broadcast, send_messages,
      edit_info_only_admin, creator_id, member_count, join_request_count, created_at
    from groups where deleted_at is null`;
}

/** The given groups; several at once, for batches of sends and for a person's list. */
export async function selectGroups(db: Db, keys: readonly GroupKey[]): Promise<Group[]> {
  if (keys.length === 0) return [];
  return db<Group[]>`
    ${existingGroups(db)} and ${isOneOf(db, keys, ['groupId'])}`;
}

/** Reads a group and locks it and its membership until the transaction ends. */
export async function lockGroup(tx: Tx, key: GroupKey): Promise<Group | undefined> {
  const [group] = await tx<Group[]>`${existingGroups(tx)} and ${isOfGroup(tx, key)} for no key update`;
  return group;
}

/** Reads the given groups and keeps them and their memberships as they are until the transaction ends. */
export async function keepGroups(tx: Tx, keys: readonly GroupKey[]): Promise<Group[]> {
  if (keys.length === 0) return [];
  return tx<Group[]>`
    ${existingGroups(tx)} and ${isOneOf(tx, keys, ['groupId'])}
    order by bucket, group_id
    for share`;
}

export async function updateMemberCount(tx: Tx, key: GroupKey, memberCount: number): Promise<void> {
  await tx`update groups set member_count = ${memberCount} where ${isOfGroup(tx, key)}`;
}

/** The fields of a group that can be changed after its creation. */
export type GroupDetails = Pick<
  Group,
  'name' | 'description' | 'photoUrl' | 'photoSetBy' | 'sendMessages' | 'editInfoOnlyAdmin'
>;

export async function updateDetails(tx: Tx, key: GroupKey, details: GroupDetails): Promise<void> {
  await tx`
    update groups set name = ${details.name}, description = ${details.description}, photo_url = ${details.photoUrl},
      photo_set_by = ${details.photoSetBy}, send_messages = ${details.sendMessages}, edit_info_only_admin = ${details.editInfoOnlyAdmin}
    where ${isOfGroup(tx, key)}`;
}

/** Keeps the row, so that the ID is never reused. */
export async function updateGroupDeleted(tx: Tx, key: GroupKey, deletedAt: number): Promise<void> {
  await tx`
    update groups set deleted_at = ${deletedAt}, member_count = 0, join_request_count = 0
    where ${isOfGroup(tx, key)}`;
}

/** Groups that were deleted before this time, and of which more than the id is left. */
export async function selectDeletedGroups(
  db: Db,
  { deletedBefore, shards, part }: ShardScope & { deletedBefore: number },
): Promise<GroupKey[]> {
  return db<GroupKey[]>`
    select bucket, group_id from groups
    where deleted_at < ${deletedBefore} and name <> '' ${withinShard(db, shards, part)}`;
}

/** Leaves only the id of a deleted group. */
export async function clearDeletedGroup(tx: Tx, key: GroupKey): Promise<void> {
  await tx`
    update groups set name = '', description = '', photo_url = null, photo_set_by = null
    where ${isOfGroup(tx, key)} and deleted_at is not null`;
}
