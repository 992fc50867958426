import type { Authentication } from '#features/accounts/index.ts';
import type { Db, Tx } from '#platform/database.ts';

export interface OpenIdGrantRow {
  familyId: string;
  signInId: string;
  nonce: string | null;
  authenticatedAt: number;
  methods: Authentication['methods'];
}

export async function insertOpenIdGrant(tx: Tx, row: OpenIdGrantRow): Promise<void> {
  await tx`
    insert into openid_grants (family_id, sign_in_id, nonce, authenticated_at, methods)
    values (${row.familyId}, ${row.signInId}, ${row.nonce}, ${row.authenticatedAt}, ${[...row.methods]})`;
}

export async function selectOpenIdGrant(
  db: Db,
  familyId: string,
): Promise<(OpenIdGrantRow & { accountId: string }) | undefined> {
  const [row] = await db<(OpenIdGrantRow & { accountId: string })[]>`
    select openid_grants.family_id, grants.account_id, openid_grants.sign_in_id, openid_grants.nonce,
      openid_grants.authenticated_at, openid_grants.methods
    from openid_grants join grants on grants.family_id = openid_grants.family_id
    where openid_grants.family_id = ${familyId}`;
  return row;
}
