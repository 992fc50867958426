import type { Translate } from '#contract/texts.ts';
import { displayName } from './display-name.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';

/** Asks whether to sign out, unless an application has proved that it means this person. */
export function signOutPage(
  t: Translate,
  { kept, person }: { kept: Record<string, string | undefined>; person: { name: string; email: string } },
): Page {
  const fields = Object.entries(kept).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    title: t('pages.logout.signOutHere'),
    content: html`<div class="heading"><h1>${t('pages.logout.signOutHere')}</h1>
<p>${t('pages.logout.signOutHereDetail')}</p></div>
<div class="who"><p>${t('pages.consent.signedInAs')} <b><bdi>${displayName(person.name, t('pages.consent.namelessPerson'))}</bdi></b><br><span class="muted small">${person.email}</span></p></div>
<form method="post" action="/oauth/logout/confirm">
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${t('pages.logout.signOut')}</button>
</form>
<p class="rule"><a href="/">${t('pages.logout.staySignedIn')}</a></p>`,
  };
}

export function signedOutPage(t: Translate): Page {
  return {
    title: t('pages.logout.signedOut'),
    content: html`<div class="heading"><h1>${t('pages.logout.signedOut')}</h1>
<p>${t('pages.logout.signedOutDetail')}</p></div>
<p class="rule"><a href="/sign-in">${t('pages.account.signIn')}</a></p>`,
  };
}
