import type { Db, Tx } from '#platform/database.ts';
import { type Group, type GroupKey, isOfGroup } from './queries.ts';

/** How a link is found: in the shard of its group. */
export interface LinkKey {
  bucket: number;
  tokenHash: Buffer;
}

export interface LinkRow extends GroupKey, LinkKey {
  /** An administrator of the group. */
  createdBy: string;
  createdAt: number;
  /** Null: no end. */
  expiresAt: number | null;
  /** Null: any number. */
  uses: number | null;
  used: number;
  needsApproval: boolean;
}

export async function insertLink(tx: Tx, row: LinkRow): Promise<void> {
  await tx`
    insert into group_links (bucket, token_hash, group_id, created_by, created_at, expires_at, uses, used,
      needs_approval)
    values (${row.bucket}, ${row.tokenHash}, ${row.groupId}, ${row.createdBy}, ${row.createdAt}, ${row.expiresAt},
      ${row.uses}, ${row.used}, ${row.needsApproval})`;
}

function columns(db: Db) {
  return db`bucket, token_hash, group_id, created_by, created_at, expires_at, uses, used, needs_approval`;
}

/** Whether a link can be used at that time. */
function isOpen(db: Db, now: number) {
  return db`(expires_at is null or expires_at > ${now}) and (uses is null or used < uses)`;
}

/** Undefined for a link that is unknown, has expired or is used up. */
export async function selectOpenLink(
  db: Db,
  { bucket, tokenHash }: LinkKey,
  now: number,
): Promise<LinkRow | undefined> {
  const [row] = await db<LinkRow[]>`
    select ${columns(db)} from group_links
    where bucket = ${bucket} and token_hash = ${tokenHash}
      and ${isOpen(db, now)}`;
  return row;
}

/** The open links of a group, the newest first. */
export async function selectOpenLinks(db: Db, key: GroupKey, now: number): Promise<LinkRow[]> {
  return db<LinkRow[]>`
    select ${columns(db)} from group_links where ${isOfGroup(db, key)} and ${isOpen(db, now)}
    order by created_at desc, token_hash`;
}

/** Counts one use. False for a link that is revoked, expired or used up; of concurrent uses only the permitted number succeeds. */
export async function takeLink(tx: Tx, { bucket, tokenHash }: LinkKey, now: number): Promise<boolean> {
  const rows = await tx`
    update group_links set used = used + 1
    where bucket = ${bucket} and token_hash = ${tokenHash}
      and ${isOpen(tx, now)}
    returning bucket`;
  return rows.length === 1;
}

export async function deleteLink(tx: Tx, key: GroupKey, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx`
    delete from group_links where ${isOfGroup(tx, key)} and token_hash = ${tokenHash} returning bucket`;
  return rows.length === 1;
}

/** Those that have expired or are used up. */
export async function deleteEndedLinks(tx: Tx, key: GroupKey, now: number): Promise<void> {
  await tx`
    delete from group_links where ${isOfGroup(tx, key)} and (expires_at <= ${now} or used >= uses)`;
}

/** The links that somebody made. */
export async function deleteLinksBy(tx: Tx, key: GroupKey, accountId: string): Promise<void> {
  await tx`delete from group_links where ${isOfGroup(tx, key)} and created_by = ${accountId}`;
}

/** Whether this person asks to join the group. */
export async function selectHasAsked(db: Db, key: GroupKey, accountId: string): Promise<boolean> {
  const rows = await db`
    select account_id from join_requests where ${isOfGroup(db, key)} and account_id = ${accountId}`;
  return rows.length === 1;
}

/** Those who ask to join a group, the first to ask first. */
export async function selectJoinRequests(
  db: Db,
  key: GroupKey,
): Promise<{ accountId: string; requestedAt: number }[]> {
  return db`
    select account_id, requested_at from join_requests where ${isOfGroup(db, key)}
    order by requested_at, account_id`;
}

/** The groups that an account asks to join, over all shards. */
export async function selectGroupsAsked(
  db: Db,
  accountId: string,
): Promise<(GroupKey & { requestedAt: number })[]> {
  return db`
    select bucket, group_id, requested_at from join_requests where account_id = ${accountId} order by group_id`;
}

/** Of somebody who does not ask yet. The transaction has locked the group. Returns the number of requests. */
export async function insertJoinRequest(
  tx: Tx,
  group: Group,
  { accountId, requestedAt }: { accountId: string; requestedAt: number },
): Promise<number> {
  const { bucket, groupId } = group;
  await tx`
    insert into join_requests (bucket, group_id, account_id, requested_at)
    values (${bucket}, ${groupId}, ${accountId}, ${requestedAt})`;
  return updateJoinRequestCount(tx, group, 1);
}

/** They have joined, or been refused. The transaction has locked the group. Returns the number of requests that are left. */
export async function deleteJoinRequests(tx: Tx, group: Group, accountIds: string[]): Promise<number> {
  if (group.joinRequestCount === 0) return 0;
  const rows = await tx`
    delete from join_requests
    where ${isOfGroup(tx, group)} and account_id = any(${accountIds})
    returning account_id`;
  return updateJoinRequestCount(tx, group, -rows.length);
}

/** Returns the number of requests afterwards. */
export async function updateJoinRequestCount(
  tx: Tx,
  group: Pick<Group, keyof GroupKey | 'joinRequestCount'>,
  change: number,
): Promise<number> {
  const count = group.joinRequestCount + change;
  if (change !== 0) await tx`update groups set join_request_count = ${count} where ${isOfGroup(tx, group)}`;
  return count;
}

/** All that stands beside the members of a group: links, requests to join, and who was removed or has left. */
export async function deleteBesideMembers(tx: Tx, key: GroupKey): Promise<void> {
  for (const table of ['group_links', 'join_requests', 'removed_members', 'former_members'])
    await tx`delete from ${tx(table)} where ${isOfGroup(tx, key)}`;
}
