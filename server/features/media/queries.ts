import type { MediaKind } from '#contract/media.ts';
import type { Db, Tx } from '#platform/database.ts';

export interface MediaRow {
  mediaId: string;
  ownerId: string;
  kind: MediaKind;
  contentType: string;
  fileName: Buffer;
  fileNameKeyId: number;
  size: number;
  createdAt: number;
}

export async function insertMedia(tx: Tx, row: MediaRow): Promise<void> {
  await tx`
    insert into media (media_id, owner_id, kind, content_type, file_name, file_name_key_id, size, created_at)
    values (${row.mediaId}, ${row.ownerId}, ${row.kind}, ${row.contentType}, ${row.fileName}, ${row.fileNameKeyId},
      ${row.size}, ${row.createdAt})`;
}

export async function selectMedia(db: Db, mediaId: string): Promise<MediaRow | undefined> {
  const [row] = await db<MediaRow[]>`
    select media_id, owner_id, kind, content_type, file_name, file_name_key_id, size, created_at
    from media where media_id = ${mediaId} and released_at is null`;
  return row;
}

/** Whether something uses the upload, if only a message that a legal hold keeps. */
export async function selectIsUsed(db: Db, mediaId: string): Promise<boolean> {
  const rows = await db`select from media where media_id = ${mediaId} and used_at is not null`;
  return rows.length > 0;
}

interface MediaUse {
  mediaId: string;
  usedBy: string;
}

/** Records the first use. False if there is no such upload, or it is served no more. */
export async function updateUsed(tx: Tx, mediaId: string, usedAt: number): Promise<boolean> {
  const rows = await tx`
    update media
    set used_at = coalesce(used_at, ${usedAt}), is_counted = is_counted or used_at is null
    where media_id = ${mediaId} and released_at is null returning media_id`;
  return rows.length === 1;
}

/** Of several claims for one user, each counts. */
export async function insertUse(tx: Tx, { mediaId, usedBy }: MediaUse): Promise<void> {
  await tx`
    insert into media_uses as present (media_id, used_by) values (${mediaId}, ${usedBy})
    on conflict (media_id, used_by) do update set claims = present.claims + 1`;
}

/** Takes back one claim, and with the last one the use. */
export async function takeBackClaim(tx: Tx, { mediaId, usedBy }: MediaUse): Promise<void> {
  await tx`
    update media_uses set claims = claims - 1 where media_id = ${mediaId} and used_by = ${usedBy}`;
  await tx`
    delete from media_uses where media_id = ${mediaId} and used_by = ${usedBy} and claims = 0 and not is_held`;
}

/** An upload that nothing uses is as before its first use: it is served until it is removed as unused. */
export async function updateUnused(tx: Tx, mediaId: string): Promise<void> {
  await tx`
    update media set used_at = null
    where media_id = ${mediaId} and is_counted
      and not exists (select 1 from media_uses where media_id = ${mediaId})`;
}

/** Keeps an upload from being used or released by others until the transaction ends. */
export async function lockUpload(
  tx: Tx,
  mediaId: string,
): Promise<{ ownerId: string; isCounted: boolean } | undefined> {
  const [upload] = await tx<{ ownerId: string; isCounted: boolean }[]>`
    select owner_id, is_counted from media where media_id = ${mediaId} for update`;
  return upload;
}

export async function deleteUse(tx: Tx, { mediaId, usedBy }: MediaUse): Promise<void> {
  await tx`delete from media_uses where media_id = ${mediaId} and used_by = ${usedBy}`;
}

/** From now on the upload is not served, unless it has another use. */
export async function updateReleased(tx: Tx, mediaId: string, at: number): Promise<void> {
  await tx`
    update media set used_at = null, released_at = ${at}
    where media_id = ${mediaId} and not exists (select 1 from media_uses where media_id = ${mediaId})`;
}

/** The message or profile with the upload was deleted for everybody, but is kept for a legal hold. */
export async function upsertHeldUse(tx: Tx, { mediaId, usedBy }: MediaUse): Promise<void> {
  await tx`
    insert into media_uses as present (media_id, used_by, is_held) values (${mediaId}, ${usedBy}, true)
    on conflict (media_id, used_by) do update set is_held = true`;
}

/** If only legal holds use the upload, it stays but is no longer served. */
export async function updateWithdrawn(tx: Tx, mediaId: string, at: number): Promise<void> {
  await tx`
    update media set released_at = ${at}
    where media_id = ${mediaId} and released_at is null
      and exists (select 1 from media_uses where media_id = ${mediaId} and is_held)
      and not exists (select 1 from media_uses where media_id = ${mediaId} and not is_held)`;
}

/** A read over all shards, for the worker that sweeps: those last whose files it could not remove. */
export async function selectUnused(
  db: Db,
  { createdBy, limit }: { createdBy: number; limit: number },
): Promise<string[]> {
  const rows = await db<{ mediaId: string }[]>`
    select media_id from media
    where used_at is null and (created_at <= ${createdBy} or released_at is not null)
    order by released_at nulls first limit ${limit}`;
  return rows.map(({ mediaId }) => mediaId);
}

/** Nothing can use it from now on. False if something has used it meanwhile. */
export async function releaseUnused(tx: Tx, mediaId: string, at: number): Promise<boolean> {
  const rows = await tx`
    update media set released_at = ${at} where media_id = ${mediaId} and used_at is null returning media_id`;
  return rows.length === 1;
}

export async function deleteUnused(tx: Tx, mediaId: string): Promise<void> {
  await tx`delete from media where media_id = ${mediaId} and used_at is null`;
}

export async function selectUsage(db: Db, accountId: string, day: number): Promise<number> {
  const [row] = await db<{ bytes: number }[]>`
    select bytes from media_usage where account_id = ${accountId} and day = ${day}`;
  return row?.bytes ?? 0;
}

/** Subtracts bytes that were added on that day. */
export async function subtractUsage(
  tx: Tx,
  { accountId, day, bytes }: { accountId: string; day: number; bytes: number },
): Promise<void> {
  await tx`
    update media_usage set bytes = greatest(bytes - ${bytes}, 0) where account_id = ${accountId} and day = ${day}`;
}

/**
 * Adds to the day's bytes unless that would exceed the limit; of concurrent calls, the row admits those that
 * fit.
 */
export async function addUsage(
  tx: Tx,
  { accountId, day, bytes, limit }: { accountId: string; day: number; bytes: number; limit: number },
): Promise<boolean> {
  const rows = await tx`
    insert into media_usage as used (account_id, day, bytes) values (${accountId}, ${day}, ${bytes})
    on conflict (account_id) do update
    set day = excluded.day,
      bytes = case when used.day = excluded.day then used.bytes else 0 end + excluded.bytes
    where case when used.day = excluded.day then used.bytes else 0 end + excluded.bytes <= ${limit}
    returning account_id`;
  return rows.length === 1;
}
