import type { Scope } from '#contract/scopes.ts';
import type { CachedKey } from './cached-key.ts';

/** Whom a request acts as: a bot by its API key, or a consenting person by an OAuth access token (contract §5.1). */
export interface Actor {
  kind: 'bot' | 'user';
  accountId: string;
  appId: string;
  scopes: readonly Scope[];
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
  scopes: readonly Scope[];
  requestsPerMinute: number;
  /** Missing when an API key's application has no bot. */
  accountId: string | undefined;
}

/** Which kinds of actor may call a route, and the scope that they need (contract §5.2). */
export interface Access {
  actors: readonly Actor['kind'][];
  scope?: Scope;
  /** Its work may begin with a cached key, which it compares with the database in its own statement. */
  confirmsKeys?: true;
}
