import { IMPORTED_AT_ONCE, inChunks } from '#platform/database/chunks.ts';
import type { Db, Tx } from '#platform/database.ts';
import { isOneOf } from '#platform/partitioning/keys.ts';
import { updateJoinRequestCount } from './link-queries.ts';
import { insertFormerMembers, insertMembers } from './members/queries.ts';
import {
  type Group,
  type GroupKey,
  insertGroup,
  isOfGroup,
  lockGroup,
  type Member,
  updateMemberCount,
} from './queries.ts';

/** People who are not in a group, and of whom it knows something. */
export interface Outsiders {
  removed: readonly { accountId: string; removedAt: number }[];
  joinRequests: readonly { accountId: string; requestedAt: number }[];
  former: readonly { accountId: string }[];
}

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

/**
 * Members of a later export join a group that is here, except those whom an administrator removed. The transaction has locked
 * their accounts.
 *
 * @returns the accounts that joined
 */
export async function importNewcomers(
  tx: Tx,
  key: GroupKey,
  members: readonly Member[],
): Promise<Set<string>> {
  const group = members.length > 0 ? await lockGroup(tx, key) : undefined;
  if (!group) return new Set();
  const known = await selectKnown(tx, key);
  const joined = members.filter(({ accountId }) => !known.has(accountId));
  for (const part of inChunks(joined, IMPORTED_AT_ONCE)) await insertMembers(tx, key, part);
  await updateMemberCount(tx, key, group.memberCount + joined.length);
  return new Set(joined.map(({ accountId }) => accountId));
}

async function selectKnown(db: Db, key: GroupKey): Promise<Set<string>> {
  const rows = await db<{ accountId: string }[]>`
    select account_id from members where ${isOfGroup(db, key)}
    union all select account_id from removed_members where ${isOfGroup(db, key)}`;
  return new Set(rows.map(({ accountId }) => accountId));
}

/** Deleted ones included. */
export async function isGroupHere(db: Db, key: GroupKey): Promise<boolean> {
  const rows = await db`select group_id from groups where ${isOfGroup(db, key)}`;
  return rows.length > 0;
}

/** Of a group that is new in this transaction: whom its administrators removed, who asks to join it, and who was in it. */
export async function importOutsiders(
  tx: Tx,
  { bucket, groupId }: GroupKey,
  { removed, joinRequests, former }: Outsiders,
): Promise<void> {
  const inGroup = <T extends object>(row: T) => ({ bucket, groupId, ...row });
  for (const part of inChunks(removed.map(inGroup), IMPORTED_AT_ONCE))
    await tx`insert into removed_members ${tx(part, 'bucket', 'groupId', 'accountId', 'removedAt')}`;
  for (const part of inChunks(joinRequests.map(inGroup), IMPORTED_AT_ONCE))
    await tx`insert into join_requests ${tx(part, 'bucket', 'groupId', 'accountId', 'requestedAt')}`;
  for (const part of inChunks(former.map(inGroup), IMPORTED_AT_ONCE)) await insertFormerMembers(tx, part);
  await updateJoinRequestCount(tx, { bucket, groupId, joinRequestCount: 0 }, joinRequests.length);
}

/** Those of the groups that were deleted here. */
export async function findDeletedGroups(db: Db, keys: readonly GroupKey[]): Promise<string[]> {
  const rows = await db<{ groupId: string }[]>`
    select group_id from groups
    where ${isOneOf(db, keys, ['groupId'])} and deleted_at is not null`;
  return rows.map(({ groupId }) => groupId);
}
