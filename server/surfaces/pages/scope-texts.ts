import type { Scope } from '#contract/scopes.ts';

/** A scope as a person reads it. */
export interface ScopeText {
  scope: Scope;
  title: string;
  detail: string;
}

/** What each scope that a person may grant lets an application do; in the contract's order. */
const TEXTS: Record<Exclude<Scope, 'messages:send'>, Omit<ScopeText, 'scope'>> = {
  profile: {
    title: 'See who you are',
    detail: 'Your user id, your name and your photo. Not your e-mail address.',
  },
  'stories:read': { title: 'See your stories', detail: 'Only your own, not those of other people.' },
  'stories:write': {
    title: 'Publish and delete your stories',
    detail: 'What it publishes appears under your name.',
  },
  'polls:write': {
    title: 'Create polls and vote in them',
    detail: 'Under your name, in your groups and private chats. It can close the polls that you created.',
  },
  'groups:manage': {
    title: 'Manage your groups and write in them',
    detail:
      'Under your name: create groups and broadcast lists, write in them and leave them; where you are administrator, also change or delete them, and add or remove people.',
  },
};

/** The given scopes, each with its words. */
export function describeScopes(scopes: readonly Scope[]): ScopeText[] {
  return Object.entries(TEXTS)
    .map(([scope, text]) => ({ scope: scope as Scope, ...text }))
    .filter(({ scope }) => scopes.includes(scope));
}
