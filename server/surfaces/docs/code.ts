import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { Html, html } from '../pages/html.ts';

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

for (const [name, language] of Object.entries({ bash, go, javascript, json, python, typescript }))
  hljs.registerLanguage(name, language);

/** The code with its tokens marked by classes; unchanged if the language is unknown. */
function highlight(code: string, language: string): Html {
  if (!hljs.getLanguage(language)) return html`${code}`;
  return new Html(hljs.highlight(code, { language }).value);
}
