import { say } from '#contract/reasons.ts';
import type { GrantedScope, Scope } from '#contract/scopes.ts';
import { ApiError, unauthenticated } from '#platform/errors.ts';

export const REALM = 'Bearer realm="parley"';

/** The token lacks a scope (RFC 6750 §3.1). */
export function scopeMissing(scope: Scope, kind: Actor['kind']): ApiError {
  const reason = kind === 'bot' ? 'credential.scope-missing' : 'credential.scope-not-granted';
  return new ApiError(403, 'permission-denied', say(reason, { scope }), {
    'www-authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"`,
  });
}

/** The other secrets of an application and a person, which builders mistake for a bearer token, by their prefix. */
const NO_TOKENS = {
  xcs_: 'credential.is-client-secret',
  whsec_: 'credential.is-webhook-secret',
  xrt_: 'credential.is-refresh-token',
} as const;

/** The bearer token is not valid; says so if it is a secret of another kind. */
export function tokenInvalid(token: string): ApiError {
  const [, reason = 'credential.invalid'] =
    Object.entries(NO_TOKENS).find(([prefix]) => token.startsWith(prefix)) ?? [];
  return unauthenticated(reason, `${REALM}, error="invalid_token"`);
}

/**
 * An API key from the cache: its application and the version that the application had at the lookup. The statement that does
 * the work compares the version, which increases with every change of the application, its keys or its bot; so a revoked key
 * is refused as soon as the request that revoked it is answered (docs/decisions/0035).
 */
export interface CachedKey {
  appId: string;
  version: number;
}

/** Whom a request acts as: a bot by its API key, or a consenting person by an OAuth access token (contract §5.1). */
export interface Actor {
  kind: 'bot' | 'user';
  accountId: string;
  appId: string;
  scopes: readonly GrantedScope[];
  /** Set if the key came from the cache: the work must compare it with the database in its own statement. */
  cachedKey?: CachedKey;
}

/** The current meaning of a bearer token, according to the database. */
export interface Credential {
  kind: Actor['kind'];
  /** Only for API keys. */
  fingerprint?: string;
  appId: string;
  applicationState: 'active' | 'disabled' | 'suspended';
  scopes: readonly GrantedScope[];
  requestsPerMinute: number;
  /** The subject of the quota, if it is not the whole application. */
  quotaOf?: string;
  /** Undefined if an API key's application has no bot. */
  accountId: string | undefined;
}
