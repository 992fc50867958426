import type { IDToken, UserInfoResponse } from 'openid-client';
import { PERSON_NAME_LENGTH } from '#contract/accounts.ts';
import { ACR_VALUES } from '#contract/openid.ts';
import type { ProvenIdentity } from '#features/accounts/index.ts';
import { displayName } from '#platform/display-name.ts';
import { requireFileUrl } from '#platform/files/upload-links.ts';
import type { Provider } from './providers.ts';

/** The claims of a provider about a person: the ID token, and the userinfo of the same subject. */
export type Claims = IDToken & Partial<UserInfoResponse>;

/** Values of `amr` (RFC 8176) by the kind of factor. */
const KNOWN = new Set<unknown>(['pwd', 'pin', 'kba']);
const HELD = new Set<unknown>(['otp', 'hwk', 'swk', 'pop', 'sms', 'tel', 'sc', 'mca']);
const BODILY = new Set<unknown>(['face', 'fpt', 'iris', 'retina', 'vbm']);

const TWO_FACTORS = new Set<unknown>([
  ACR_VALUES[1],
  'phr',
  'phrh',
  'https://refeds.org/profile/mfa',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
]);

/** The person of an ID token that has been verified. */
export function readIdentity(
  { providerId, issuer }: Pick<Provider, 'providerId' | 'issuer'>,
  claims: Claims,
): ProvenIdentity {
  const { sub, email, name, preferred_username, picture, auth_time, sid } = claims;
  return {
    issuer,
    subject: sub,
    provider: { providerId, sessionId: textOf(sid) },
    // Entra ID's `oid` is the id by which its directory knows a person; both are the provider's alone to give.
    externalIds: [sub, textOf(claims['oid'])].filter((id) => id !== undefined),
    email: textOf(email),
    isEmailVerified: claims.email_verified === true,
    name: nameOf(name) ?? nameOf(preferred_username),
    pictureUrl: pictureOf(picture),
    authenticatedAt: typeof auth_time === 'number' && auth_time > 0 ? auth_time * 1000 : undefined,
    isTwoFactor: hasTwoFactors(claims),
  };
}

/** Whether the provider verified two factors, as far as it says so. */
function hasTwoFactors({ amr, acr }: Claims): boolean {
  if (TWO_FACTORS.has(acr)) return true;
  const methods: unknown[] = Array.isArray(amr) ? amr : [];
  if (methods.includes('mfa')) return true;
  const kinds = [KNOWN, HELD, BODILY].filter((kind) => methods.some((method) => kind.has(method)));
  return kinds.length > 1;
}

/** Whether the claim that makes a person an operator has the value; undefined if the provider has no such claim. */
export function readIsOperator(
  { operatorsClaim, operatorsValue }: Pick<Provider, 'operatorsClaim' | 'operatorsValue'>,
  claims: Claims,
): boolean | undefined {
  if (operatorsClaim === null || operatorsValue === null) return undefined;
  const claim: unknown = Object.hasOwn(claims, operatorsClaim) ? claims[operatorsClaim] : undefined;
  return claim === operatorsValue || (Array.isArray(claim) && claim.includes(operatorsValue));
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' && claim !== '' ? claim : undefined;
}

/** A name as people may have one: visible, on one line, and not too long. */
export function nameOf(claim: unknown): string | undefined {
  return typeof claim === 'string' ? displayName(claim, PERSON_NAME_LENGTH) : undefined;
}

/** A picture that is not public is left out. */
function pictureOf(claim: unknown): string | undefined {
  try {
    return typeof claim === 'string' && claim.startsWith('https:')
      ? requireFileUrl('picture', claim)
      : undefined;
  } catch {
    return undefined;
  }
}
