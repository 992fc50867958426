import { ROLES, type Role } from '#contract/applications/team.ts';
import { LIMITS } from '#contract/limits.ts';
import type { PlainFault } from '#contract/reasons.ts';
import { type ApiError, permissionDenied } from '#platform/errors.ts';

/** The only transitions forbidden to an owner (contract §3); a transition to the current state is not an error. */
export function refuseWhileSuspended(verb: 'disabled' | 'reactivated' | 'deleted'): ApiError {
  return permissionDenied('application.suspended', { verb });
}

/**
 * The fault of a redirect URI; undefined for a valid one (contract §5.4; decisions: OAuth). The URI is stored byte for byte,
 * so it is checked as given, not as a parser would normalize it.
 */
export function checkRedirectUri(uri: string): PlainFault | undefined {
  if (uri.length > LIMITS.urlLength) return 'url-too-long';
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\')) {
    return 'plain-ascii';
  }
  if (uri.includes('#')) return 'url-fragment';
  const [, scheme, authority] = /^(https?):\/\/([^/?]+)/.exec(uri) ?? [];
  if (authority === undefined) return 'https-or-localhost';
  if (authority.includes('@')) return 'url-user-info';
  // It would never match: the comparison is byte for byte.
  if (authority.includes('*')) return 'redirect-uri-wildcard';
  if (scheme === 'http' && !/^localhost(:\d+)?$/.test(authority)) {
    return 'tls-or-localhost';
  }
  return URL.canParse(uri) ? undefined : 'redirect-uri';
}

/** Whether a role includes another: owners have the rights of developers, and developers those of viewers. */
export function mayActAs(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(needed);
}
