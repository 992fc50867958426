import type { Scope } from '#contract/scopes.ts';
import { displayName } from './display-name.ts';
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';
import { describeScopes, type ScopeText } from './scope-texts.ts';

/** What a person needs to know to decide about an application's request. */
export interface ConsentView {
  applicationName: string;
  redirectUri: string;
  scopes: readonly Scope[];
  /** What the application may do already. */
  grantedBefore: readonly Scope[];
  person: { name: string; email: string };
  /** What the form carries to say which request is decided. */
  consent: string;
  /** This very page, for whoever wants to decide with another account. */
  returnTo: string;
}

const TICK = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2.5 8.5l3.5 3.5 7.5-8" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

export function consentPage(view: ConsentView): Page {
  const { scopes, grantedBefore, person, consent, returnTo } = view;
  const name = displayName(view.applicationName, 'An application without a name');
  const isolated = html`<bdi>${name}</bdi>`;
  const others = describeScopes(grantedBefore.filter((scope) => !scopes.includes(scope)));
  return {
    title: `Let ${name} act for you?`,
    isWide: true,
    content: html`<h1>Let ${isolated} act for you?</h1>
<div class="who">
<p>Signed in as <b><bdi>${displayName(person.name, 'you')}</bdi></b><br><span class="muted small">${person.email}</span></p>
<form method="post" action="/sign-out">
<input type="hidden" name="returnTo" value="${returnTo}">
<button class="link">Use another account</button>
</form>
</div>
<section class="section" aria-labelledby="scopes">
<h2 id="scopes">If you approve, it can:</h2>
<ul class="scopes">
${describeScopes(scopes).map((scope) => scopeItem(scope, grantedBefore.includes(scope.scope)))}
</ul>
</section>
${earlier(others)}
<section class="section rule" aria-label="Before you decide">
<p>Whether you approve or deny, your browser goes on to <span class="host">${hostOf(view.redirectUri)}</span>.</p>
<p class="muted small">Approve only if you know this address and trust the application: nobody has checked its name. You can
end its access at any time in the chat, under connected applications.</p>
</section>
<form method="post" action="/oauth/consent" class="choice">
<input type="hidden" name="consent" value="${consent}">
<button class="second" name="decision" value="deny">Deny</button>
<button name="decision" value="approve">Approve</button>
</form>`,
  };
}

function scopeItem({ title, detail }: ScopeText, isGrantedBefore: boolean): Html {
  const before = html` <span class="before">Granted before</span>`;
  return html`<li>${TICK}<b>${title}</b>${isGrantedBefore && before}<p class="muted small">${detail}</p></li>
`;
}

function earlier(others: ScopeText[]): Html | undefined {
  if (others.length === 0) return undefined;
  return html`<section class="section" aria-labelledby="earlier">
<h2 id="earlier">You allowed it earlier, and it still can:</h2>
<ul class="scopes">${others.map((scope) => scopeItem(scope, false))}</ul>
</section>`;
}

/** In the form that reveals look-alike letters (`xn--…`); with its port, which only localhost has a use for. */
function hostOf(redirectUri: string): string {
  return URL.parse(redirectUri)?.host ?? redirectUri;
}
