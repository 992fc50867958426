import type { TeamRole } from '#contract/applications/team.ts';
import type { Db, Tx } from '#platform/database.ts';

export interface TeammateRow {
  accountId: string;
  role: TeamRole;
  joinedAt: number;
}

export interface InvitationRow {
  tokenHash: Buffer;
  role: TeamRole;
  createdAt: number;
  expiresAt: number;
}

/** The person's role in somebody else's application. */
export async function findTeamRole(db: Db, appId: string, accountId: string): Promise<TeamRole | undefined> {
  const [row] = await db<{ role: TeamRole }[]>`
    select role from teammates where app_id = ${appId} and account_id = ${accountId}`;
  return row?.role;
}

export async function findTeammates(db: Db, appId: string): Promise<TeammateRow[]> {
  return db<TeammateRow[]>`
    select account_id, role, joined_at from teammates where app_id = ${appId} order by joined_at, account_id`;
}

/** False if the person is already a team member. */
export async function insertTeammate(tx: Tx, appId: string, row: TeammateRow): Promise<boolean> {
  const rows = await tx`
    insert into teammates (app_id, account_id, role, joined_at)
    values (${appId}, ${row.accountId}, ${row.role}, ${row.joinedAt})
    on conflict do nothing returning account_id`;
  return rows.length === 1;
}

export async function updateTeamRole(
  tx: Tx,
  appId: string,
  { accountId, role }: Pick<TeammateRow, 'accountId' | 'role'>,
): Promise<boolean> {
  const rows = await tx`
    update teammates set role = ${role} where app_id = ${appId} and account_id = ${accountId} returning account_id`;
  return rows.length === 1;
}

export async function deleteTeammate(tx: Tx, appId: string, accountId: string): Promise<boolean> {
  const rows = await tx`
    delete from teammates where app_id = ${appId} and account_id = ${accountId} returning account_id`;
  return rows.length === 1;
}

/** Returns the former teammates. */
export async function deleteTeammates(tx: Tx, appId: string): Promise<string[]> {
  const rows = await tx<{ accountId: string }[]>`
    delete from teammates where app_id = ${appId} returning account_id`;
  return rows.map(({ accountId }) => accountId);
}

/** The applications of others that a person works on. */
export async function findTeamIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db<{ appId: string }[]>`
    select app_id from account_teams where account_id = ${accountId} order by app_id`;
  return rows.map(({ appId }) => appId);
}

export async function insertAccountTeam(tx: Tx, accountId: string, appId: string): Promise<void> {
  await tx`insert into account_teams (account_id, app_id) values (${accountId}, ${appId})`;
}

export async function deleteAccountTeam(tx: Tx, accountId: string, appId: string): Promise<void> {
  await tx`delete from account_teams where account_id = ${accountId} and app_id = ${appId}`;
}

export async function insertInvitation(tx: Tx, appId: string, row: InvitationRow): Promise<void> {
  await tx`
    insert into team_invitations (app_id, token_hash, role, created_at, expires_at)
    values (${appId}, ${row.tokenHash}, ${row.role}, ${row.createdAt}, ${row.expiresAt})`;
}

/** Invitations that can still be accepted. */
export async function findInvitations(db: Db, appId: string, now: number): Promise<InvitationRow[]> {
  return db<InvitationRow[]>`
    select token_hash, role, created_at, expires_at from team_invitations
    where app_id = ${appId} and expires_at > ${now} order by created_at, token_hash`;
}

/** For acceptance or withdrawal: only one of several concurrent calls gets the row. */
export async function deleteInvitation(
  tx: Tx,
  appId: string,
  { tokenHash, now }: { tokenHash: Buffer; now: number },
): Promise<TeamRole | undefined> {
  const [row] = await tx<{ role: TeamRole }[]>`
    delete from team_invitations where app_id = ${appId} and token_hash = ${tokenHash} and expires_at > ${now}
    returning role`;
  return row?.role;
}

export async function deleteExpiredInvitations(tx: Tx, appId: string, now: number): Promise<void> {
  await tx`delete from team_invitations where app_id = ${appId} and expires_at <= ${now}`;
}

export async function deleteInvitations(tx: Tx, appId: string): Promise<void> {
  await tx`delete from team_invitations where app_id = ${appId}`;
}
