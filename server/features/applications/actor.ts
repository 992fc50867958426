import { say } from '#contract/reasons.ts';
import type { GrantedScope, OpenIdScope, Scope } from '#contract/scopes.ts';
import { ApiError } from '#platform/errors.ts';
import type { CachedKey } from './credentials/cached-key.ts';

export const REALM = 'Bearer realm="parley"';

/** The token has other scopes (RFC 6750 §3.1). */
export function scopeMissing(scope: Scope): ApiError {
  return new ApiError(403, 'permission-denied', say('credential.scope-missing', { scope }), {
    'www-authenticate': `${REALM}, error="insufficient_scope", scope="${scope}"`,
  });
}

/** Whom a request acts as: a bot by its API key, or a consenting person by an OAuth access token (contract §5.1). */
export interface Actor {
  kind: 'bot' | 'user';
  accountId: string;
  appId: string;
  scopes: readonly GrantedScope[];
  /** Of a key that nobody has looked up for this request: the work compares it in its own statement. */
  cachedKey?: CachedKey;
}

/** The meaning of a bearer token in the database at this moment. */
export interface Credential {
  kind: Actor['kind'];
  /** Of an API key. */
  fingerprint?: string;
  appId: string;
  applicationState: 'active' | 'disabled' | 'suspended';
  scopes: readonly GrantedScope[];
  requestsPerMinute: number;
  /** Whom the quota is counted for, where it is not the whole application. */
  quotaOf?: string;
  /** Missing when an API key's application has no bot. */
  accountId: string | undefined;
}

/** Which kinds of actor may call a route, and the scope that they need (contract §5.2). */
export interface Access {
  actors: readonly Actor['kind'][];
  scope?: Scope;
  /** Of OpenID Connect: does as well. */
  orScope?: OpenIdScope;
  /** Its work may begin with a cached key, which it compares with the database in its own statement. */
  confirmsKeys?: true;
}
