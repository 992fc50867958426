import { ROLES, type Role } from '#contract/applications/team.ts';
import { LIMITS } from '#contract/limits.ts';
import type { PlainFault } from '#contract/reasons.ts';
import { type ApiError, permissionDenied } from '#platform/errors.ts';

/** The one transition that an owner may not make (contract §3); to where an application is already is no error. */
export function refuseWhileSuspended(verb: 'disabled' | 'reactivated' | 'deleted'): ApiError {
  return permissionDenied('application.suspended', { verb });
}

/**
 * The fault of a redirect URI, reading on from the field's name; undefined for a good one (contract §5.4;
 * decisions: OAuth). It is kept byte for byte, so it is read here as it stands, not as a parser would mend it.
 */
export function judgeRedirectUri(uri: string): PlainFault | undefined {
  if (uri.length > LIMITS.urlLength) return 'url-too-long';
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\')) {
    return 'plain-ascii';
  }
  if (uri.includes('#')) return 'url-fragment';
  const [, scheme, authority] = /^(https?):\/\/([^/?]+)/.exec(uri) ?? [];
  if (authority === undefined) return 'https-or-localhost';
  if (authority.includes('@')) return 'url-user-info';
  if (scheme === 'http' && !/^localhost(:\d+)?$/.test(authority)) {
    return 'tls-or-localhost';
  }
  return URL.canParse(uri) ? undefined : 'redirect-uri';
}

/** Whether a role has the rights of another: the owner may what developers may, and these what viewers may. */
export function mayActAs(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(needed);
}
