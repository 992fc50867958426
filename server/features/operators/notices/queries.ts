import type { Maintenance } from '#contract/notices.ts';
import type { Announcement } from '#contract/operate/notices.ts';
import { type RowOf, withoutAbsent } from '#platform/absent.ts';
import type { Db, Tx } from '#platform/database.ts';

export interface AnnouncementRow extends RowOf<Announcement> {
  /** Everybody up to this account id has the message. */
  toldUpTo: string;
}

export async function insertAnnouncement(
  tx: Tx,
  row: Pick<
    AnnouncementRow,
    'announcementId' | 'text' | 'isLine' | 'isMessage' | 'createdAt' | 'endsAt' | 'people'
  >,
): Promise<void> {
  await tx`
    insert into announcements (announcement_id, text, is_line, is_message, created_at, ends_at, people)
    values (${row.announcementId}, ${tx.json(row.text)}, ${row.isLine}, ${row.isMessage}, ${row.createdAt},
      ${row.endsAt}, ${row.people})`;
}

function columns(db: Db) {
  return db`announcement_id, text, is_line, is_message, created_at, ends_at, ended_at, people, told,
    told_up_to, told_at`;
}

/** The newest first. */
export async function selectAnnouncements(db: Db, limit: number): Promise<AnnouncementRow[]> {
  return db<AnnouncementRow[]>`
    select ${columns(db)} from announcements order by announcement_id desc limit ${limit}`;
}

/** Banners that have not been ended, the newest first. */
export async function selectLines(db: Db, now: number): Promise<AnnouncementRow[]> {
  return db<AnnouncementRow[]>`
    select ${columns(db)} from announcements
    where is_line and ended_at is null and (ends_at is null or ends_at > ${now})
    order by announcement_id desc`;
}

/** False if it has ended or does not exist. */
export async function updateEnded(tx: Tx, announcementId: string, at: number): Promise<boolean> {
  const rows = await tx`
    update announcements set ended_at = ${at}
    where announcement_id = ${announcementId} and ended_at is null returning announcement_id`;
  return rows.length === 1;
}

/** The messages that have not been sent to everybody, the oldest first. */
export async function selectUnsent(
  db: Db,
): Promise<Pick<AnnouncementRow, 'announcementId' | 'people' | 'told'>[]> {
  return db`
    select announcement_id, people, told from announcements
    where is_message and told_at is null and ended_at is null order by announcement_id`;
}

/** Locks it for one worker; undefined if another one has locked it, or it has ended. */
export async function lockUnsent(
  tx: Tx,
  announcementId: string,
): Promise<Pick<AnnouncementRow, 'text' | 'createdAt' | 'toldUpTo'> | undefined> {
  const [row] = await tx<AnnouncementRow[]>`
    select text, created_at, told_up_to from announcements
    where announcement_id = ${announcementId} and told_at is null and ended_at is null
    for update skip locked`;
  return row;
}

/** In the transaction that stores their messages. */
export async function updateProgress(
  tx: Tx,
  announcementId: string,
  { more, upTo, doneAt }: { more: number; upTo: string; doneAt: number | null },
): Promise<void> {
  await tx`
    update announcements set told = told + ${more}, told_up_to = ${upTo}, told_at = ${doneAt}
    where announcement_id = ${announcementId}`;
}

export async function upsertMaintenance(tx: Tx, { startedAt, until, text }: Maintenance): Promise<void> {
  await tx`
    insert into maintenance as present (id, started_at, until, text)
    values (1, ${startedAt}, ${until}, ${text === undefined ? null : tx.json(text)})
    on conflict (id) do update set until = excluded.until, text = excluded.text`;
}

/** False if there is none. */
export async function deleteMaintenance(tx: Tx): Promise<boolean> {
  const rows = await tx`delete from maintenance where id = 1 returning id`;
  return rows.length === 1;
}

export async function selectMaintenance(db: Db): Promise<Maintenance | undefined> {
  const [row] = await db<RowOf<Maintenance>[]>`select started_at, until, text from maintenance where id = 1`;
  return row && withoutAbsent(row);
}
