import type { Translate } from '#contract/texts.ts';
import { Html, html } from '../pages/html.ts';
import { MARK } from '../pages/layout.ts';
import type { RenderedPage } from './markdown.ts';

export interface DocPage extends RenderedPage {
  /** The address at which it is served. */
  address: string;
}

export interface DocPart {
  title: string;
  address: string;
  /** In the order in which its own page names them. */
  pages: DocPage[];
}

/** A page with fewer headings gets no table of contents. */
const FEWEST_HEADINGS = 2;

/** A whole document of the documentation. Without scripts only search is missing. Readers of another language learn that it is in English. */
export function renderDocPage(
  { title, address, body, sections }: DocPage,
  parts: readonly DocPart[],
  t: Translate,
): string {
  const headings = sections.filter(({ depth, anchor }) => depth === 2 && anchor !== '');
  const hasContents = headings.length >= FEWEST_HEADINGS;
  const contents = html`<ul>${headings.map(({ anchor, heading }) => html`<li><a href="#${anchor}">${heading}</a></li>\n`)}</ul>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Parley</title>
<link rel="icon" type="image/svg+xml" href="/docs/assets/icon.svg">
<link rel="stylesheet" href="/docs/assets/docs.css">
<script type="module" src="/docs/assets/search-box.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="home" href="/docs/">${MARK}<span>Parley <small>documentation</small></span></a>
<a href="/">Chat</a>
<a href="/console/">Console</a>
<search hidden>
<input type="search" id="search" aria-label="Search the documentation" placeholder="Search ( / )" autocomplete="off" spellcheck="false">
<p class="status" role="status" id="found"></p>
<ul id="results" hidden></ul>
</search>
<a class="phone" href="#pages">All pages</a>
</header>
<div class="columns">
<main id="content" tabindex="-1">
${t.language !== 'en' && html`<p class="language" lang="${t.language}">${t('pages.docs.inEnglish')}</p>`}
${hasContents && html`<details class="contents phone"><summary>On this page</summary>${contents}</details>`}
${new Html(body)}
${neighbours(address, parts)}
</main>
<nav id="pages" aria-label="Pages">
${parts.map(
  (part) => html`<h2><a href="${part.address}"${here(part.address, address)}>${part.title}</a></h2>
<ul>${part.pages.map((page) => html`<li><a href="${page.address}"${here(page.address, address)}>${page.title}</a></li>\n`)}</ul>`,
)}
<h2>More</h2>
<ul>
<li><a href="/docs/changelog"${here('/docs/changelog', address)}>Changelog</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
</ul>
</nav>
<nav class="contents" aria-label="On this page"${!hasContents && html` hidden`}>
<h2>On this page</h2>
${contents}
</nav>
</div>
</body>
</html>
`.text;
}

function here(of: string, shown: string): Html | undefined {
  return of === shown ? html` aria-current="page"` : undefined;
}

function neighbours(address: string, parts: readonly DocPart[]): Html | undefined {
  const pages = parts.flatMap((part) => part.pages);
  const at = pages.findIndex((page) => page.address === address);
  if (at < 0) return undefined;
  const link = (page: DocPage | undefined, word: string) =>
    page && html`<a href="${page.address}"><span>${word}</span> ${page.title}</a>`;
  return html`<nav class="neighbours" aria-label="Previous and next">${link(pages[at - 1], 'Previous')}${link(pages[at + 1], 'Next')}</nav>`;
}
