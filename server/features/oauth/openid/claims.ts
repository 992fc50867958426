import { hash } from 'node:crypto';
import { ACR_VALUES, type AcrValue } from '#contract/openid.ts';
import type { GrantedScope } from '#contract/scopes.ts';
import type { Accounts, Authentication } from '#features/accounts/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { publicFileUrl } from '#platform/files/upload-links.ts';
import type { Platform } from '#platform/platform.ts';
import type { OAuthDeps } from '../deps.ts';
import { initialUrl } from '../initials.ts';

/** Claims about the person, for the scopes of a token. */
export interface PersonClaims {
  name?: string;
  picture?: string;
  email?: string;
  email_verified?: true;
}

/**
 * @returns the claims of `/oauth/userinfo` besides `sub`, and of ID tokens besides those about the sign-in
 */
export async function findPersonClaims(
  { accounts, config }: OAuthDeps,
  accountId: string,
  scopes: readonly GrantedScope[],
): Promise<PersonClaims> {
  // An unconfirmed address proves nothing, but applications would rely on it.
  const email = scopes.includes('email') ? await accounts.findConfirmedEmail(accountId) : undefined;
  return {
    ...(scopes.includes('profile') && (await findProfile({ accounts, config }, accountId))),
    ...(email !== undefined && { email, email_verified: true }),
  };
}

export async function findProfile(
  { accounts, config }: Pick<Platform, 'config'> & { accounts: Accounts },
  accountId: string,
): Promise<{ name: string; picture: string }> {
  const account = await accounts.find(accountId);
  const name = account?.name ?? '';
  const { pictureUrl } = account ?? {};
  const picture =
    pictureUrl == null ? initialUrl(config, name) : new URL(publicFileUrl(config, pictureUrl)).href;
  return { name, picture };
}

/** Of the sign-in: how strong it was, and by which methods (RFC 8176). */
export function describeSignIn({ methods }: Pick<Authentication, 'methods'>): {
  acr: AcrValue;
  amr?: string[];
} {
  const [oneFactor, twoFactors] = ACR_VALUES;
  const hasPasskey = methods.includes('pop');
  // A passkey proves the device, and by its own verification the user.
  const hasFirst = methods.includes('pwd') || methods.includes('fed');
  const isStrong = hasPasskey || methods.includes('mfa') || (hasFirst && methods.includes('otp'));
  const own = methods.filter((method) => method !== 'fed' && method !== 'mfa');
  const amr = [...own, ...(hasPasskey ? ['user'] : []), ...(isStrong ? ['mfa'] : [])];
  return { acr: isStrong ? twoFactors : oneFactor, ...(amr.length > 0 && { amr }) };
}

/** The session of a person at one application: the ids of two applications cannot be correlated. */
export function sessionClaim(appId: string, signInId: string): string {
  return hash('sha256', `${appId} ${signInId}`, 'base64url').slice(0, 22);
}

/** Binds an ID token to the access token beside it (Core §3.1.3.6). */
export function accessTokenHash(accessToken: string): string {
  return hash('sha256', accessToken, 'buffer').subarray(0, 16).toString('base64url');
}

interface OpenIdGrantRow extends Authentication {
  familyId: string;
  nonce: string | null;
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
