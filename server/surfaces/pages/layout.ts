import { LANGUAGES, type Language } from '#contract/languages.ts';
import { Html, html } from './html.ts';
import { STYLE } from './style.ts';

export interface Page {
  /** Shown in the window's title before the name of the service. */
  title: string | Html;
  content: Html;
  isWide?: boolean;
}

/** The service's logo, in a 24 × 24 square. */
export const MARK_PATH =
  'M5 3h14a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-7l-5.2 4.2A.5.5 0 0 1 6 20.8V17H5a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z';
/** The logo itself, at the beginning of every page. */
export const MARK = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${MARK_PATH}"/></svg>`;

/** Not a template value: the style is trusted, and escaping would break its quotes and its hash. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

export interface PageFrame {
  serviceName: string;
  language: Language;
  /** Label of the language menu. */
  languageLabel: string;
  /** The address of this page, for the language menu; undefined if the page cannot be reloaded with a GET. */
  here: string | undefined;
}

/** A whole document, without scripts. */
export function renderPage(frame: PageFrame, { title, content, isWide }: Page): string {
  const { serviceName, language } = frame;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${serviceName}</title>
${STYLE_ELEMENT}
</head>
<body${isWide && html` class="wide"`}>
<header class="service">${MARK}<span>${serviceName}</span></header>
<main>
${content}
</main>
${languageSwitch(frame)}
</body>
</html>
`.text;
}

function languageSwitch({ language, languageLabel, here }: PageFrame): Html | undefined {
  if (here === undefined) return undefined;
  const buttons = Object.entries(LANGUAGES).map(([code, name]) =>
    code === language
      ? html`<span lang="${code}" aria-current="true">${name}</span>\n`
      : html`<button class="link" name="language" value="${code}" lang="${code}">${name}</button>\n`,
  );
  return html`<footer><form method="post" action="/language" class="languages" aria-label="${languageLabel}">
<input type="hidden" name="returnTo" value="${here}">
${buttons}</form></footer>`;
}
