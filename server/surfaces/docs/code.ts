import { type Html, html } from '../pages/html.ts';
import { highlight } from './highlight.ts';

/** A block of code, which the script of the pages gives a button that copies it. */
export function codeFigure(block: {
  code: string;
  syntax: string;
  label: string;
  name?: string | undefined;
}): Html {
  const { code, syntax, label, name } = block;
  return html`<figure>${name && html`<figcaption>${name}</figcaption>`}<pre tabindex="0" role="group" aria-label="${label}"><code>${highlight(code, syntax)}</code></pre></figure>`;
}
