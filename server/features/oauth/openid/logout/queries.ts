import type { Db, Tx } from '#platform/database.ts';

/** A person's session at one application. */
export interface SignInRow {
  appId: string;
  accountId: string;
  signInId: string;
}

/** The sign-ins of those of the families that have not ended. A read over many shards. */
export async function selectSignIns(
  db: Db,
  familyIds: string[],
): Promise<(SignInRow & { familyId: string })[]> {
  return db<(SignInRow & { familyId: string })[]>`
    select grants.family_id, grants.app_id, grants.account_id, openid_grants.sign_in_id
    from openid_grants join grants on grants.family_id = openid_grants.family_id
    where openid_grants.family_id = any(${familyIds}) and grants.ended_at is null`;
}

/** Due at once; one that waits for another attempt starts over. */
export async function upsertNotice(tx: Tx, { appId, accountId, signInId }: SignInRow): Promise<void> {
  await tx`
    insert into logout_notices as held (app_id, account_id, sign_in_id, attempts, next_attempt_at)
    values (${appId}, ${accountId}, ${signInId}, 0, 0)
    on conflict (app_id, account_id, sign_in_id) do update
    set attempts = 0, next_attempt_at = 0, lease_owner = null`;
}

/** A read over all shards, for the worker. */
export async function selectDueNotices(db: Db, now: number, limit: number): Promise<SignInRow[]> {
  return db<SignInRow[]>`
    select app_id, account_id, sign_in_id from logout_notices
    where next_attempt_at <= ${now} order by next_attempt_at limit ${limit}`;
}

export interface NoticeLease {
  owner: string;
  endsAt: number;
}

/** The number of attempts; undefined if another worker was faster. */
export async function claimNotice(
  tx: Tx,
  { appId, accountId, signInId }: SignInRow,
  { now, lease }: { now: number; lease: NoticeLease },
): Promise<number | undefined> {
  const [row] = await tx<{ attempts: number }[]>`
    update logout_notices set lease_owner = ${lease.owner}, next_attempt_at = ${lease.endsAt}
    where app_id = ${appId} and account_id = ${accountId} and sign_in_id = ${signInId} and next_attempt_at <= ${now}
    returning attempts`;
  return row?.attempts;
}

export async function delayNotice(
  tx: Tx,
  { appId, accountId, signInId }: SignInRow,
  { owner, attempts, nextAttemptAt }: { owner: string; attempts: number; nextAttemptAt: number },
): Promise<void> {
  await tx`
    update logout_notices
    set attempts = ${attempts}, next_attempt_at = ${nextAttemptAt}, lease_owner = null
    where app_id = ${appId} and account_id = ${accountId} and sign_in_id = ${signInId} and lease_owner = ${owner}`;
}

export async function deleteNotice(
  tx: Tx,
  { appId, accountId, signInId }: SignInRow,
  owner: string,
): Promise<void> {
  await tx`
    delete from logout_notices
    where app_id = ${appId} and account_id = ${accountId} and sign_in_id = ${signInId} and lease_owner = ${owner}`;
}
