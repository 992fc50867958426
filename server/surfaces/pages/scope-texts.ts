import type { GrantedScope } from '#contract/scopes.ts';
import type { PageTexts } from './texts/en.ts';

/** A scope in words for the person. */
export interface ScopeText {
  scope: GrantedScope;
  title: string;
  detail: string;
}

/** Texts of the scopes that a person may grant. */
function wordsOf(t: PageTexts): Record<Exclude<GrantedScope, 'messages:send'>, Omit<ScopeText, 'scope'>> {
  return {
    openid: { title: t.scopeOpenId, detail: t.scopeOpenIdDetail },
    email: { title: t.scopeEmail, detail: t.scopeEmailDetail },
    profile: { title: t.scopeProfile, detail: t.scopeProfileDetail },
    'stories:read': { title: t.scopeStoriesRead, detail: t.scopeStoriesReadDetail },
    'stories:write': { title: t.scopeStoriesWrite, detail: t.scopeStoriesWriteDetail },
    'polls:write': { title: t.scopePolls, detail: t.scopePollsDetail },
    'groups:manage': { title: t.scopeGroups, detail: t.scopeGroupsDetail },
  };
}

/** The given scopes in the contract's order, each with its texts. */
export function describeScopes(t: PageTexts, scopes: readonly GrantedScope[]): ScopeText[] {
  return Object.entries(wordsOf(t))
    .map(([scope, words]) => ({ scope: scope as GrantedScope, ...words }))
    .filter(({ scope }) => scopes.includes(scope));
}
