import { Html, html } from '../pages/html.ts';
import type { DocPage, DocPart } from './library.ts';

export interface DocView {
  title: string;
  address: string;
  content: Html;
  parts: readonly DocPart[];
  /** Beside the style of all pages. */
  styles?: readonly string[];
  /** Beside the script of the search. */
  scripts?: readonly string[];
}

/** A whole document of the documentation. Without scripts only the search is missing. */
export function renderDocPage({
  title,
  address,
  content,
  parts,
  styles = [],
  scripts = [],
}: DocView): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Parley</title>
<link rel="icon" type="image/svg+xml" href="/docs/assets/icon.svg">
${['/docs/assets/docs.css', ...styles].map((file) => html`<link rel="stylesheet" href="${file}">\n`)}
<script type="module" src="/docs/assets/search-box.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="home" href="/docs/">Parley <span>documentation</span></a>
<search hidden>
<input type="search" id="search" aria-label="Search the documentation" placeholder="Search ( / )" autocomplete="off" spellcheck="false">
<p class="status" role="status" id="found"></p>
<ul id="results" hidden></ul>
</search>
<a class="phone" href="#pages">All pages</a>
</header>
<div class="columns">
<main id="content" tabindex="-1">
${content}
${neighbours(address, parts)}
</main>
<nav id="pages" aria-label="Pages">
${parts.map(
  (part) => html`<h2><a href="${part.address}"${here(part.address, address)}>${part.title}</a></h2>
<ul>${part.pages.map((page) => html`<li><a href="${page.address}"${here(page.address, address)}>${page.title}</a></li>\n`)}</ul>`,
)}
<h2>Reference</h2>
<ul>
<li><a href="/docs/reference/"${here('/docs/reference/', address)}>API reference</a></li>
<li><a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/docs/changelog"${here('/docs/changelog', address)}>Changelog</a></li>
</ul>
</nav>
</div>
${scripts.map((file) => html`<script src="${file}"></script>\n`)}
</body>
</html>
`.text;
}

/** Marks HTML that was rendered from our own Markdown. */
export function markdownContent(page: DocPage): Html {
  return new Html(page.body);
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
  return html`<nav class="neighbours" aria-label="Before and after">${link(pages[at - 1], 'Before')}${link(pages[at + 1], 'Next')}</nav>`;
}
