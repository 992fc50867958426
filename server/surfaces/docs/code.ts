import { type Html, html } from '../pages/html.ts';
import { highlight } from './highlight.ts';

/** A code block; the pages' script adds a copy button. */
export function codeFigure(block: {
  code: string;
  syntax: string;
  label: string;
  name?: string | undefined;
}): Html {
  const { code, syntax, label, name } = block;
  return html`<figure>${name && html`<figcaption>${name}</figcaption>`}<pre tabindex="0" role="group" aria-label="${label}"><code>${highlight(code, syntax)}</code></pre></figure>`;
}
