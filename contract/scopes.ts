/** Every scope that exists (contract §5.2 and §5.3); the last is an extension, with which a bot sets itself up. */
export const SCOPES = [
  'messages:send',
  'groups:manage',
  'polls:write',
  'stories:read',
  'stories:write',
  'profile',
  'bot:manage',
] as const;

/** One permission of a credential (contract §5.2). */
export type Scope = (typeof SCOPES)[number];

/** Scopes that every API key has (contract §2, Application). */
export const DEFAULT_KEY_SCOPES: readonly Scope[] = ['messages:send', 'groups:manage'];

/** Scopes that an API key may be granted: a bot has neither stories nor a personal profile (contract §5.2). */
export const KEY_SCOPES: readonly Scope[] = ['messages:send', 'groups:manage', 'polls:write', 'bot:manage'];

/** Scopes of OpenID Connect, for applications whose owner enabled it (an extension of the contract). */
export const OPENID_SCOPES = ['openid', 'email'] as const;

export type OpenIdScope = (typeof OPENID_SCOPES)[number];

/** A permission that a person granted. */
export type GrantedScope = Scope | OpenIdScope;

/** Whether a scope is one of {@link OPENID_SCOPES}. */
export function isOpenIdScope(scope: GrantedScope): scope is OpenIdScope {
  return (OPENID_SCOPES as readonly string[]).includes(scope);
}

/** Scopes that a person may grant to any application (contract §5.3). */
export const OAUTH_SCOPES = [
  'profile',
  'stories:read',
  'stories:write',
  'polls:write',
  'groups:manage',
] as const satisfies readonly Scope[];
