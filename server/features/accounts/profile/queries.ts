import type { ChangeProfile, OwnProfile } from '#contract/accounts/profiles.ts';
import type { Language } from '#contract/languages.ts';
import type { RowOf } from '#platform/absent.ts';
import type { Db, Tx } from '#platform/database.ts';

/** A person's account as its owner sees it. */
export type ProfileRow = RowOf<OwnProfile>;

function columns(db: Db) {
  return db`account_id, name, email, email_confirmed_at, username, picture_url, who_may_add_me,
    remote_media, read_receipts, typing_indicators, last_seen, created_at`;
}

export async function selectProfile(db: Db, accountId: string): Promise<ProfileRow | undefined> {
  const [row] = await db<ProfileRow[]>`
    select ${columns(db)}
    from accounts where account_id = ${accountId} and not is_bot and deleted_at is null`;
  return row;
}

/** The picture of a person, locked until the transaction ends. */
export async function lockPicture(tx: Tx, accountId: string): Promise<string | null> {
  const [row] = await tx<{ pictureUrl: string | null }[]>`
    select picture_url from accounts where account_id = ${accountId} for update`;
  return row?.pictureUrl ?? null;
}

/** Fields that are left out, and a name that is null, do not change. */
export async function updateProfile(
  tx: Tx,
  accountId: string,
  change: Omit<ChangeProfile, 'pictureUrl' | 'username'> & { picture: string | null | undefined },
): Promise<ProfileRow | undefined> {
  const [row] = await tx<ProfileRow[]>`
    update accounts
    set name = coalesce(${change.name ?? null}, name),
      who_may_add_me = coalesce(${change.whoMayAddMe ?? null}, who_may_add_me),
      remote_media = coalesce(${change.remoteMedia ?? null}, remote_media),
      read_receipts = coalesce(${change.readReceipts ?? null}, read_receipts),
      typing_indicators = coalesce(${change.typingIndicators ?? null}, typing_indicators),
      last_seen = coalesce(${change.lastSeen ?? null}, last_seen),
      picture_url = case when ${change.picture === undefined}::boolean then picture_url
        else ${change.picture ?? null} end
    where account_id = ${accountId} and not is_bot and deleted_at is null
    returning ${columns(tx)}`;
  return row;
}

export async function updateUsername(tx: Tx, accountId: string, username: string | null): Promise<void> {
  await tx`update accounts set username = ${username} where account_id = ${accountId} and not is_bot`;
}

/** When an account was last used, in a session that is still open, to the minute. */
export async function selectLastSeen(db: Db, accountId: string): Promise<number | undefined> {
  const [row] = await db<{ lastSeenAt: number | null }[]>`
    select max(last_seen_at) as last_seen_at from sessions where account_id = ${accountId}`;
  return row?.lastSeenAt ?? undefined;
}

export async function updateLanguage(tx: Tx, accountId: string, language: Language): Promise<void> {
  await tx`
    update accounts set language = ${language}
    where account_id = ${accountId} and not is_bot and language is distinct from ${language}`;
}

/** The language in which to write to a person; English until a page has reported one. */
export async function findLanguage(db: Db, accountId: string): Promise<Language> {
  const [row] = await db<{ language: Language | null }[]>`
    select language from accounts where account_id = ${accountId}`;
  return row?.language ?? 'en';
}
