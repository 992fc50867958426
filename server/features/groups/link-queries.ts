import type { Db, Tx } from '#platform/database.ts';
import type { GroupKey } from './queries.ts';

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
}

export async function insertLink(tx: Tx, row: LinkRow): Promise<void> {
  await tx`
    insert into group_links (bucket, token_hash, group_id, created_by, created_at, expires_at, uses, used)
    values (${row.bucket}, ${row.tokenHash}, ${row.groupId}, ${row.createdBy}, ${row.createdAt}, ${row.expiresAt},
      ${row.uses}, ${row.used})`;
}

/** Undefined for a link that is unknown, has expired or is used up. */
export async function selectOpenLink(
  db: Db,
  { bucket, tokenHash }: LinkKey,
  now: number,
): Promise<LinkRow | undefined> {
  const [row] = await db<LinkRow[]>`
    select bucket, token_hash, group_id, created_by, created_at, expires_at, uses, used
    from group_links
    where bucket = ${bucket} and token_hash = ${tokenHash}
      and (expires_at is null or expires_at > ${now}) and (uses is null or used < uses)`;
  return row;
}

/** The open links of a group, the newest first. */
export async function selectOpenLinks(
  db: Db,
  { bucket, groupId }: GroupKey,
  now: number,
): Promise<LinkRow[]> {
  return db<LinkRow[]>`
    select bucket, token_hash, group_id, created_by, created_at, expires_at, uses, used
    from group_links
    where bucket = ${bucket} and group_id = ${groupId}
      and (expires_at is null or expires_at > ${now}) and (uses is null or used < uses)
    order by created_at desc, token_hash`;
}

/** Counts one use. False for a link that is revoked, expired or used up; of concurrent uses only the permitted number succeeds. */
export async function takeLink(tx: Tx, { bucket, tokenHash }: LinkKey, now: number): Promise<boolean> {
  const rows = await tx`
    update group_links set used = used + 1
    where bucket = ${bucket} and token_hash = ${tokenHash}
      and (expires_at is null or expires_at > ${now}) and (uses is null or used < uses)
    returning bucket`;
  return rows.length === 1;
}

export async function deleteLink(tx: Tx, { bucket, groupId }: GroupKey, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx`
    delete from group_links
    where bucket = ${bucket} and token_hash = ${tokenHash} and group_id = ${groupId}
    returning bucket`;
  return rows.length === 1;
}

/** Those that have expired or are used up. */
export async function deleteEndedLinks(tx: Tx, { bucket, groupId }: GroupKey, now: number): Promise<void> {
  await tx`
    delete from group_links
    where bucket = ${bucket} and group_id = ${groupId} and (expires_at <= ${now} or used >= uses)`;
}

/** The links that somebody made. */
export async function deleteLinksBy(tx: Tx, { bucket, groupId }: GroupKey, accountId: string): Promise<void> {
  await tx`
    delete from group_links where bucket = ${bucket} and group_id = ${groupId} and created_by = ${accountId}`;
}

export async function deleteAllLinks(tx: Tx, { bucket, groupId }: GroupKey): Promise<void> {
  await tx`delete from group_links where bucket = ${bucket} and group_id = ${groupId}`;
}
