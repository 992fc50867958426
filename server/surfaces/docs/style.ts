import { COLOURS } from '../pages/style.ts';

/** The style of the documentation, in the colours of the server's other pages. */
export const DOCS_STYLE = `${COLOURS}
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: 4.25rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
a { color: var(--accent); text-underline-offset: 0.15em; }
a:hover { color: var(--accent-strong); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -100vw; padding: 0.5rem 1rem; background: var(--card); z-index: 3; }
.skip:focus { left: 0.5rem; top: 0.5rem; }
header {
  position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: 1.25rem; min-height: 3.5rem;
  padding: 0.5rem 1rem; background: var(--page); border-bottom: 1px solid var(--line);
}
.home { display: flex; align-items: center; gap: 0.625rem; font-weight: 650; color: var(--text); text-decoration: none; white-space: nowrap; }
.home svg { width: 1.625rem; height: 1.625rem; fill: #1f55c8; }
.home small { font-size: inherit; font-weight: 400; color: var(--muted); }
header a:not(.home) { color: inherit; font-size: 0.875rem; white-space: nowrap; }
header a:not(.home, :hover) { text-decoration: none; }
.phone { display: none; margin-left: auto; }
search:not([hidden]) { display: block; }
search { position: relative; flex: 1 1 auto; max-width: 28rem; margin-left: auto; min-width: 0; }
search input {
  width: 100%; min-height: 2.25rem; padding: 0.25rem 0.75rem; font: inherit; font-size: 0.875rem; color: inherit; background: var(--card);
  border: 1px solid var(--field-line); border-radius: 0.5rem;
}
.status { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); }
#results {
  position: absolute; right: 0; left: 0; margin: 0.25rem 0 0; padding: 0.25rem; list-style: none; background: var(--card);
  border: 1px solid var(--field-line); border-radius: 0.5rem; max-height: 70vh; overflow-y: auto;
}
#results a, #results .none { display: block; padding: 0.5rem 0.75rem; border-radius: 0.25rem; text-decoration: none; }
#results a:focus, #results a:hover { background: var(--tint); }
#results b { font-weight: 600; }
#results span { display: block; color: var(--muted); font-size: 0.875rem; line-height: 1.4; }
.columns { display: flex; justify-content: center; max-width: 92rem; margin: 0 auto; }
main { flex: 1 1 auto; min-width: 0; max-width: 55rem; padding: 1.5rem 1.5rem 4rem; }
#pages { order: -1; flex: 0 0 15.5rem; padding: 1.5rem 0.5rem 3rem 1.5rem; font-size: 0.9375rem; }
#pages h2 { margin: 1.25rem 0 0.25rem; font-size: 0.9375rem; }
#pages h2:first-child { margin-top: 0; }
#pages h2 a { color: inherit; text-decoration: none; }
#pages ul { margin: 0; padding: 0; list-style: none; }
#pages li a { display: block; padding: 0.1875rem 0.625rem; border-radius: 0.25rem; color: var(--muted); text-decoration: none; }
#pages a:hover { color: var(--accent-strong); }
#pages li a[aria-current] { background: var(--tint); color: var(--accent); font-weight: 600; }
h1 { margin: 0 0 1rem; font-size: 1.875rem; line-height: 1.25; font-weight: 650; }
h2 { margin: 2.25rem 0 0.75rem; font-size: 1.3125rem; line-height: 1.3; font-weight: 650; }
h3 { margin: 1.75rem 0 0.5rem; font-size: 1.0625rem; }
h1, h2, h3, p, li { overflow-wrap: anywhere; }
.anchor { margin-left: 0.25rem; font-weight: 400; text-decoration: none; opacity: 0; }
:hover > .anchor, .anchor:focus { opacity: 1; }
.language { padding: 0.5rem 0.75rem; background: var(--tint); border-radius: 0.5rem; font-size: 0.875rem; }
.contents ul { list-style: none; padding: 0; }
nav.contents { flex: 0 0 14rem; position: sticky; top: 3.5rem; align-self: flex-start; max-height: calc(100vh - 3.5rem); overflow-y: auto; padding: 1.75rem 1rem; font-size: 0.875rem; }
nav.contents h2 { margin: 0 0 0.375rem; font-size: 0.875rem; }
.contents a { display: block; padding: 0.125rem 0; color: var(--muted); text-decoration: none; }
.contents a:hover { color: var(--accent-strong); }
details.contents { display: none; }
summary { min-height: 1.75rem; font-weight: 600; cursor: pointer; }
.endpoint { margin-top: 3rem; padding-top: 0.5rem; border-top: 1px solid var(--line); }
.endpoint h2 { margin-top: 1rem; }
.endpoint:first-of-type { margin-top: 1.5rem; }
.endpoint details { margin: 1rem 0; }
.path b { padding: 0.125rem 0.5rem; color: var(--accent); background: var(--tint); border-radius: 0.25rem; font-size: 0.875rem; }
.access { color: var(--muted); font-size: 0.9375rem; }
.samples fieldset { display: flex; gap: 0.25rem; margin: 0 0 0.5rem; padding: 0; border: 0; }
.samples legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.samples label { cursor: pointer; }
.samples input { position: absolute; opacity: 0; }
.samples label span { display: block; padding: 0.25rem 0.75rem; border: 1px solid transparent; border-radius: 0.5rem; color: var(--muted); font-size: 0.9375rem; }
.samples input:checked + span { color: var(--accent); background: var(--tint); font-weight: 600; }
.samples input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 2px; }
@supports selector(:has(*)) {
  .samples > [data-language] { display: none; }
  .samples:has([value="curl"]:checked) > [data-language="curl"], .samples:has([value="JavaScript"]:checked) > [data-language="JavaScript"],
  .samples:has([value="Python"]:checked) > [data-language="Python"], .samples:has([value="Go"]:checked) > [data-language="Go"] { display: block; }
}
.hljs-comment, .hljs-quote { color: var(--muted); font-style: italic; }
.hljs-keyword, .hljs-literal, .hljs-built_in, .hljs-type { color: var(--accent); }
.hljs-string, .hljs-regexp, .hljs-attr, .hljs-property { color: var(--good); }
.hljs-number, .hljs-variable, .hljs-meta { color: var(--bad); }
.hljs-title { font-weight: 600; }
p, ul, ol, figure, .table { margin: 0 0 1rem; }
li { margin-bottom: 0.25rem; }
code { font: 0.875em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
main :not(pre) > code { padding: 0.0625rem 0.3125rem; background: var(--shade); border-radius: 0.25rem; }
figure { position: relative; }
figcaption { padding: 0.25rem 1rem; font-size: 0.8125rem; font-weight: 600; color: var(--muted); }
figure pre { margin: 0; padding: 0.875rem 1rem; overflow-x: auto; background: var(--shade); border: 1px solid var(--line); border-radius: 0.5rem; line-height: 1.5; }
.copy {
  position: absolute; right: 0.5rem; top: -0.75rem; min-height: 1.75rem; padding: 0 0.5rem; font: inherit; font-size: 0.8125rem;
  color: var(--text); background: var(--card); border: 1px solid var(--field-line); border-radius: 0.25rem; cursor: pointer;
}
.table { overflow-x: auto; }
table { border-collapse: collapse; min-width: 100%; font-size: 0.9375rem; }
main .table th, main .table td { padding: 0.4375rem 0.75rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
main .table th { font-weight: 600; background: var(--shade); }
td code { overflow-wrap: normal; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 1rem; padding: 0; list-style: none; }
.cards li { margin: 0; background: var(--card); padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 0.5rem; }
.cards p { margin: 0.25rem 0 0; color: var(--muted); }
.neighbours { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.neighbours a:only-child, .neighbours a:last-child { text-align: right; margin-left: auto; }
.neighbours span { display: block; font-size: 0.8125rem; color: var(--muted); }
.operations { padding: 0; list-style: none; }
/* Pages without a table of contents keep the same columns. */
@media (min-width: 75.01rem) {
  nav.contents[hidden] { display: block; visibility: hidden; }
}
@media (max-width: 75rem) {
  nav.contents { display: none; }
  details.contents { display: block; margin-bottom: 1rem; }
}
@media (max-width: 50rem) {
  header { flex-wrap: wrap; gap: 0.5rem 1rem; position: static; }
  .home small { display: none; }
  html { scroll-padding-top: 1rem; }
  .phone { display: block; }
  search { order: 3; flex-basis: 100%; max-width: none; }
  .columns { flex-direction: column; }
  main { padding: 1rem 1rem 2rem; }
  #pages { order: 0; flex-basis: auto; padding: 1.5rem 1rem 3rem; border-top: 1px solid var(--line); }
  #pages li a { padding: 0.5rem 0.625rem; }
  main .table td:last-child { min-width: 11rem; }
  .fields thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .fields :is(table, tbody, tr, td) { display: block; }
  .fields tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  main .fields td { padding: 0.0625rem 0; border: 0; }
  .fields td:empty { display: none; }
  .fields [data-heading]::before { content: attr(data-heading) ": "; color: var(--muted); }
}
/* To smaller characters, Safari on a phone zooms in. */
@media (pointer: coarse) { search input { font-size: 1rem; } }
@media print { header, #pages, .contents, fieldset, .neighbours, .copy { display: none; } }
`;
