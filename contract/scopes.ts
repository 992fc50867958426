/** Every scope that exists (contract §5.2 and §5.3). */
export const SCOPES = [
  'messages:send',
  'groups:manage',
  'polls:write',
  'stories:read',
  'stories:write',
  'profile',
] as const;

/** One permission of a credential (contract §5.2). */
export type Scope = (typeof SCOPES)[number];

/** Scopes that every API key has (contract §2, Application). */
export const DEFAULT_KEY_SCOPES: readonly Scope[] = ['messages:send', 'groups:manage'];

/** Scopes that an API key may be granted: a bot has no stories and no profile of a person (contract §5.2). */
export const KEY_SCOPES: readonly Scope[] = ['messages:send', 'groups:manage', 'polls:write'];

/** Scopes that a person may grant to an application (contract §5.3). */
export const OAUTH_SCOPES: readonly Scope[] = [
  'profile',
  'stories:read',
  'stories:write',
  'polls:write',
  'groups:manage',
];
