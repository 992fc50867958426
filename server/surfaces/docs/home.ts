import { type Html, html } from '../pages/html.ts';
import type { DocPage } from './page.ts';

const CARDS = [
  ['/docs/guide/quickstart', 'Quickstart', 'A bot that answers, in five minutes, with nothing but curl.'],
  ['/docs/guide/quickstart-sdk', 'Quickstart with the SDK', 'The same in a few lines of JavaScript.'],
  ['/docs/guide/', 'Guide', 'Concepts, webhooks, OAuth, errors, limits.'],
  ['/docs/reference/', 'API reference', 'Every endpoint, its fields, answers and errors.'],
  ['/docs/operate/', 'Operate', 'Self-hosting, backup, upgrade, monitoring, security.'],
  ['/docs/changelog', 'Changelog', 'What changed.'],
] as const;

/** The start page of the documentation. */
export function homePage(): DocPage {
  const body = html`<h1>Parley documentation</h1>
<p>Bots, groups and broadcast lists, stories, polls and OAuth 2.0 of a chat platform that you run yourself.</p>
${cards()}`;
  return { title: 'Documentation', address: '/docs/', body: body.text, sections: [] };
}

/** The page for unknown addresses. */
export function missingPage(address: string): DocPage {
  const body = html`<h1>There is no such page</h1>
<p>Nothing is at <code>${address}</code>. Search for it above, or begin here:</p>
${cards()}`;
  return { title: 'Page not found', address, body: body.text, sections: [] };
}

function cards(): Html {
  return html`<ul class="cards">${CARDS.map(([address, title, about]) => html`<li><a href="${address}">${title}</a><p>${about}</p></li>\n`)}</ul>`;
}
