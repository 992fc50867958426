import { Html, html } from './html.ts';
import { STYLE } from './style.ts';

export interface Page {
  /** Stands in the window's title, before the name of the service. */
  title: string;
  content: Html;
  isWide?: boolean;
}

const MARK = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 3h14a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-7l-5.2 4.2A.5.5 0 0 1 6 20.8V17H5a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z"/></svg>`;

/** The style is no template value: it is ours, and escaping would break its quotes and its hash. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** A whole document. It works without scripts: there are none. */
export function renderPage(serviceName: string, { title, content, isWide }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${serviceName}</title>
${STYLE_ELEMENT}
</head>
<body>
<header class="service">${MARK}<span>${serviceName}</span></header>
<main${isWide && html` class="wide"`}>
${content}
</main>
</body>
</html>
`.text;
}
