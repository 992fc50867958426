import { type GrantedScope, OAUTH_SCOPES, OPENID_SCOPES } from '#contract/scopes.ts';
import type { Translate } from '#contract/texts.ts';

/** A scope in words for the person. */
export interface ScopeText {
  scope: GrantedScope;
  title: string;
  detail: string;
}

/** The given scopes in the contract's order, each with its texts. */
export function describeScopes(t: Translate, scopes: readonly GrantedScope[]): ScopeText[] {
  const asked = [...OPENID_SCOPES, ...OAUTH_SCOPES].filter((scope) => scopes.includes(scope));
  return asked.map((scope) => ({
    scope,
    title: t(`pages.scope.${scope}`),
    detail: t(`pages.scopeDetail.${scope}`),
  }));
}
