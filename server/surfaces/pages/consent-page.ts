import { type GrantedScope, OAUTH_SCOPES, OPENID_SCOPES } from '#contract/scopes.ts';
import type { Translate } from '#contract/texts.ts';
import { displayName } from '#platform/display-name.ts';
import { around, type Html, html, SLOT } from './html.ts';
import type { Page } from './layout.ts';

export interface ConsentView {
  applicationName: string;
  redirectUri: string;
  /** The address of the document that describes the client, if the client is not registered here. */
  clientUrl?: string | undefined;
  /** The redirect leads to a program on the device. */
  isOnDevice?: boolean;
  scopes: readonly GrantedScope[];
  /** Scopes that the application already has. */
  grantedBefore: readonly GrantedScope[];
  person: { name: string; email: string };
  /** Identifies the request that the form decides. */
  consent: string;
  /** The address of this page, for people who switch to another account. */
  returnTo: string;
}

const TICK = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 8.5l3.5 3.5 7.5-8" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** Who is signed in. */
export function signedInAs(t: Translate, { name, email }: { name: string; email: string }): Html {
  return html`<p>${t('pages.consent.signedInAs')} <b><bdi>${displayName(name) ?? t('pages.consent.namelessPerson')}</bdi></b><br><span class="muted small">${email}</span></p>`;
}

export function consentPage(t: Translate, view: ConsentView): Page {
  const { scopes, grantedBefore, person, consent, returnTo } = view;
  const name = displayName(view.applicationName) ?? t('pages.consent.namelessApplication');
  const host = html`<span class="host">${hostOf(view.redirectUri)}</span>`;
  const others = describeScopes(
    t,
    grantedBefore.filter((scope) => !scopes.includes(scope)),
  );
  const ask = questionOf(scopes);
  return {
    title: t(ask, { name }),
    isWide: true,
    content: html`<h1>${around(t(ask, { name: SLOT }), html`<bdi>${name}</bdi>`)}</h1>
<div class="who">
${signedInAs(t, person)}
<form method="post" action="/sign-out">
<input type="hidden" name="returnTo" value="${returnTo}">
<button class="link">${t('pages.consent.useAnotherAccount')}</button>
</form>
</div>
${view.clientUrl !== undefined && unregistered(t, view.clientUrl, view.isOnDevice)}
<section class="section" aria-labelledby="scopes">
<h2 id="scopes">${t('pages.consent.ifYouApprove')}</h2>
<ul class="scopes">
${describeScopes(t, scopes).map((scope) => scopeItem(t, scope, grantedBefore.includes(scope.scope)))}
</ul>
</section>
${earlier(t, others)}
<section class="section rule" aria-label="${t('pages.consent.beforeYouDecide')}">
<p>${around(t('pages.consent.goesOnTo', { host: SLOT }), host)}</p>
<p class="muted small">${t('pages.consent.approveOnlyIf')}</p>
</section>
<form method="post" action="/oauth/consent" class="choice">
<input type="hidden" name="consent" value="${consent}">
<button class="second" name="decision" value="deny">${t('pages.consent.deny')}</button>
<button name="decision" value="approve">${t('pages.consent.approve')}</button>
</form>`,
  };
}

/** The publisher chooses the name in the document; only its address is verified. */
function unregistered(t: Translate, clientUrl: string, isOnDevice = false): Html {
  return html`<section class="caution" aria-label="${t('pages.consent.unregistered')}">
<p><b>${t('pages.consent.unregistered')}</b> ${around(t('pages.consent.publishedAt', { host: SLOT }), html`<span class="host">${hostOf(clientUrl)}</span>`)}</p>
<p class="muted small">${clientUrl}</p>
${isOnDevice && html`<p>${t('pages.consent.onDevice')}</p>`}
</section>`;
}

const IDENTITY: readonly GrantedScope[] = ['openid', 'email', 'profile'];

/** With OpenID Connect, an application may only ask who the person is. */
export function questionOf(scopes: readonly GrantedScope[]) {
  const isSignInAlone = scopes.includes('openid') && scopes.every((scope) => IDENTITY.includes(scope));
  return isSignInAlone ? 'pages.consent.signInTo' : 'pages.consent.letAct';
}

function scopeItem(t: Translate, { title, detail }: ScopeText, isGrantedBefore: boolean): Html {
  const before = html` <span class="before">${t('pages.consent.grantedBefore')}</span>`;
  return html`<li>${TICK}<b>${title}</b>${isGrantedBefore && before}<p class="muted small">${detail}</p></li>
`;
}

function earlier(t: Translate, others: ScopeText[]): Html | undefined {
  if (others.length === 0) return undefined;
  return html`<section class="section" aria-labelledby="earlier">
<h2 id="earlier">${t('pages.consent.allowedEarlier')}</h2>
<ul class="scopes">${others.map((scope) => scopeItem(t, scope, false))}</ul>
</section>`;
}

/** In Punycode (`xn--…`), which reveals look-alike letters; with the port, which matters only for localhost. */
function hostOf(redirectUri: string): string {
  return URL.parse(redirectUri)?.host ?? redirectUri;
}

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
