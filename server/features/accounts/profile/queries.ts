import type { LoadRemoteMedia, WhoMayAdd } from '#contract/profiles.ts';
import type { Db, Tx } from '#platform/database.ts';

/** A person's account as its owner sees it. */
export interface ProfileRow {
  accountId: string;
  name: string;
  email: string;
  pictureUrl: string | null;
  whoMayAddMe: WhoMayAdd;
  remoteMedia: LoadRemoteMedia;
  readReceipts: boolean;
  typingIndicators: boolean;
  createdAt: number;
}

export async function selectProfile(db: Db, accountId: string): Promise<ProfileRow | undefined> {
  const [row] = await db<ProfileRow[]>`
    select account_id, name, email, picture_url, who_may_add_me, remote_media, read_receipts, typing_indicators,
      created_at
    from accounts where account_id = ${accountId} and not is_bot and deleted_at is null`;
  return row;
}

/** Fields that are null (for the picture: undefined) stay as they are. */
export async function updateProfile(
  tx: Tx,
  accountId: string,
  {
    name,
    picture,
    whoMayAddMe,
    remoteMedia,
    readReceipts,
    typingIndicators,
  }: {
    name: string | null;
    picture: string | null | undefined;
    whoMayAddMe: WhoMayAdd | null;
    remoteMedia: LoadRemoteMedia | null;
    readReceipts: boolean | null;
    typingIndicators: boolean | null;
  },
): Promise<ProfileRow | undefined> {
  const [row] = await tx<ProfileRow[]>`
    update accounts
    set name = coalesce(${name}, name), who_may_add_me = coalesce(${whoMayAddMe}, who_may_add_me),
      remote_media = coalesce(${remoteMedia}, remote_media),
      read_receipts = coalesce(${readReceipts}, read_receipts),
      typing_indicators = coalesce(${typingIndicators}, typing_indicators),
      picture_url = case when ${picture === undefined}::boolean then picture_url else ${picture ?? null} end
    where account_id = ${accountId} and not is_bot and deleted_at is null
    returning account_id, name, email, picture_url, who_may_add_me, remote_media, read_receipts, typing_indicators,
      created_at`;
  return row;
}
