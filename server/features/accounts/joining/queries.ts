import type { Db, Tx } from '#platform/database.ts';

export interface InvitationRow {
  /** The fingerprint of the link's secret. */
  value: string;
  note: string;
  uses: number;
  used: number;
  createdAt: number;
  expiresAt: number;
}

export async function insertInvitation(tx: Tx, row: InvitationRow): Promise<void> {
  await tx`
    insert into sign_up_invitations (value, note, uses, used, created_at, expires_at)
    values (${row.value}, ${row.note}, ${row.uses}, ${row.used}, ${row.createdAt}, ${row.expiresAt})`;
}

/** False for one that is used up, expired or unknown. Of concurrent uses only the permitted number succeeds. */
export async function takeInvitation(tx: Tx, value: string, now: number): Promise<boolean> {
  const rows = await tx`
    update sign_up_invitations set used = used + 1
    where value = ${value} and used < uses and expires_at > ${now} returning value`;
  return rows.length === 1;
}

/** Whether {@link takeInvitation} would succeed. */
export async function selectIsOpen(db: Db, value: string, now: number): Promise<boolean> {
  const rows = await db`
    select value from sign_up_invitations where value = ${value} and used < uses and expires_at > ${now}`;
  return rows.length === 1;
}

/** A read over all shards; they are few. */
export async function selectInvitations(db: Db): Promise<InvitationRow[]> {
  return db<InvitationRow[]>`
    select value, note, uses, used, created_at, expires_at from sign_up_invitations order by created_at desc, value`;
}

export async function deleteInvitation(tx: Tx, value: string): Promise<boolean> {
  const rows = await tx`delete from sign_up_invitations where value = ${value} returning value`;
  return rows.length === 1;
}

/** A read over all shards. */
export async function selectOldInvitations(db: Db, expiredBy: number): Promise<string[]> {
  const rows = await db<{ value: string }[]>`
    select value from sign_up_invitations where expires_at <= ${expiredBy}`;
  return rows.map(({ value }) => value);
}

export async function updateTerms(
  tx: Tx,
  accountId: string,
  { termsUrl, at }: { termsUrl: string; at: number },
): Promise<void> {
  await tx`
    update accounts set terms_url = ${termsUrl}, terms_accepted_at = ${at} where account_id = ${accountId}`;
}

export async function updateMustConfirm(tx: Tx, accountId: string): Promise<void> {
  await tx`update accounts set must_confirm_email = true where account_id = ${accountId}`;
}

/** Whether nobody may sign in to an account before its address is confirmed. */
export async function selectIsBarred(db: Db, accountId: string): Promise<boolean> {
  const rows = await db`
    select account_id from accounts
    where account_id = ${accountId} and must_confirm_email and email_confirmed_at is null`;
  return rows.length === 1;
}
