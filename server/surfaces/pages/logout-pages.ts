import { displayName } from './display-name.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';
import type { PageTexts } from './texts/en.ts';

/** Asks whether to sign out, unless an application has proved that it means this person. */
export function signOutPage(
  t: PageTexts,
  { kept, person }: { kept: Record<string, string | undefined>; person: { name: string; email: string } },
): Page {
  const fields = Object.entries(kept).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    title: t.signOutHere,
    content: html`<div class="heading"><h1>${t.signOutHere}</h1>
<p>${t.signOutHereDetail}</p></div>
<div class="who"><p>${t.signedInAs} <b><bdi>${displayName(person.name, t.namelessPerson)}</bdi></b><br><span class="muted small">${person.email}</span></p></div>
<form method="post" action="/oauth/logout/confirm">
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button>${t.signOut}</button>
</form>
<p class="rule"><a href="/">${t.staySignedIn}</a></p>`,
  };
}

export function signedOutPage(t: PageTexts): Page {
  return {
    title: t.signedOut,
    content: html`<div class="heading"><h1>${t.signedOut}</h1>
<p>${t.signedOutDetail}</p></div>
<p class="rule"><a href="/sign-in">${t.signIn}</a></p>`,
  };
}
