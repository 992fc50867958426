import { IMPORTED_AT_ONCE, inChunks } from '#platform/database/chunks.ts';
import type { Db, Tx } from '#platform/database.ts';
import { insertMembers } from './members/queries.ts';
import { type Group, type GroupKey, insertGroup, type Member } from './queries.ts';

/** A group of another product's history. False if it is here already: then it keeps the members and details that it has. */
export async function importGroup(
  tx: Tx,
  group: Omit<Group, 'joinRequestCount'>,
  members: readonly Member[],
): Promise<boolean> {
  if (!(await insertGroup(tx, group))) return false;
  for (const part of inChunks(members, IMPORTED_AT_ONCE)) await insertMembers(tx, group, part);
  return true;
}

/** Those of the groups that were deleted here. */
export async function findDeletedGroups(db: Db, keys: readonly GroupKey[]): Promise<string[]> {
  const rows = await db<{ groupId: string }[]>`
    select group_id from groups
    where bucket = any(${keys.map((key) => key.bucket)}) and group_id = any(${keys.map((key) => key.groupId)})
      and deleted_at is not null`;
  return rows.map(({ groupId }) => groupId);
}
