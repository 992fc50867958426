import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { Html, html } from '../pages/html.ts';

for (const [name, language] of Object.entries({ bash, go, javascript, json, python, typescript }))
  hljs.registerLanguage(name, language);

/** The code with its tokens marked by classes; unchanged if the language is unknown. */
export function highlight(code: string, language: string): Html {
  if (!hljs.getLanguage(language)) return html`${code}`;
  return new Html(hljs.highlight(code, { language }).value);
}
