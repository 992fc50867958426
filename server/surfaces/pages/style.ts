import { hash } from 'node:crypto';

/** Light and dark colours of all pages that the server renders: those of the apps (`web/ui/app/app.tsx`). */
export const COLOURS = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --card: #ffffff; --shade: #f8f9fa; --line: #dee2e6; --button-line: #ced4da; --field-line: #76818f;
  --text: #000000; --muted: #525d6b; --accent: #1f55c8; --accent-strong: #17429d;
  --button: #1f55c8; --button-strong: #17429d; --on-button: #ffffff; --selection: #b4c7f5;
  --tint: #edf2ff; --good: #1b6b3a; --good-tint: #e3f4e8; --bad: #a3211a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #242424; --card: #2e2e2e; --shade: #1f1f1f; --line: #424242; --button-line: #424242; --field-line: #8893a3;
    --text: #e6e6e6; --muted: #a9b4c3; --accent: #8ba8ef; --accent-strong: #b4c7f5;
    --button: #3767d8; --button-strong: #1f55c8; --on-button: #ffffff; --selection: #2f4f9e;
    --tint: #272e3f; --good: #8fdcab; --good-tint: #1a3324; --bad: #ffb3ab;
  }
}
::selection { background: var(--selection); }`;

const TEXT = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  --width: 24.25rem;
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center; gap: 1rem;
  padding: max(1rem, 8vh) 1rem 2rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
body.wide { --width: 32rem; }
h1, h2, p, ul, dl, dd { margin: 0; padding: 0; }
h1 { font-size: 1.625rem; line-height: 1.35; font-weight: 650; text-wrap: balance; }
h2 { font-size: 1rem; line-height: 1.4; font-weight: 600; }
h1, h2, p, li, dd { overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.15em; }
a:hover { color: var(--accent-strong); }
.muted { color: var(--muted); }
.small { font-size: 0.875rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }`;

const LAYOUT = `
.service, main, footer { width: 100%; max-width: var(--width); }
.service { display: flex; align-items: center; gap: 0.625rem; font-size: 1.125rem; line-height: 1.6; font-weight: 650; }
.service svg { width: 1.75rem; height: 1.75rem; fill: #1f55c8; }
main {
  display: flex; flex-direction: column; gap: 1.25rem; padding: 2rem;
  background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
}
.heading, .section { display: flex; flex-direction: column; gap: 0.5rem; }
.rule { border-top: 1px solid var(--line); padding-top: 1.25rem; }
@media (max-width: 30rem) {
  main { padding: 1.5rem 1.125rem; }
}`;

const FORMS = `
form { display: flex; flex-direction: column; gap: 1.125rem; }
button {
  min-height: 2.25rem; padding: 0.375rem 1.125rem; font: inherit; font-size: 0.875rem; font-weight: 600; cursor: pointer;
  border: 1px solid transparent; border-radius: 0.5rem; background: var(--button); color: var(--on-button);
}
button:hover { background: var(--button-strong); }
button.second { background: transparent; color: inherit; border-color: var(--button-line); }
button.second:hover { background: var(--tint); }
button.link {
  min-height: 1.75rem; padding: 0; border: 0; background: none; color: var(--accent); font-weight: 400;
  text-decoration: underline; text-underline-offset: 0.15em;
}
button.link:hover { color: var(--accent-strong); }
.choice { flex-direction: row; gap: 0.75rem; }
.choice button { flex: 1 1 0; }
.languages { flex-direction: row; gap: 1rem; align-items: center; font-size: 0.875rem; }
.languages span { color: var(--muted); }`;

const CONSENT = `
.who {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1rem;
  padding: 0.625rem 1rem; background: var(--tint); border-radius: 0.5rem;
}
.who p { min-width: 0; }
.scopes { list-style: none; display: flex; flex-direction: column; gap: 1rem; }
.scopes li { position: relative; padding-left: 1.875rem; }
.scopes svg { position: absolute; left: 0; top: 0.1875rem; width: 1.125rem; height: 1.125rem; fill: none; stroke: var(--accent); }
.scopes b { font-weight: 600; }
.scopes p { margin-top: 0.125rem; }
.before {
  display: inline-block; padding: 0 0.5rem; font-size: 0.8125rem; font-weight: 500;
  color: var(--good); background: var(--good-tint); border-radius: 1rem; white-space: nowrap;
}
.host { font-weight: 650; }
.caution {
  display: flex; flex-direction: column; gap: 0.375rem; padding: 0.75rem 1rem; overflow-wrap: anywhere;
  border: 1px solid var(--field-line); border-left: 0.25rem solid var(--bad); border-radius: 0.5rem;
}
code { font: 0.875rem/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }`;

/** The style of every page, inlined: it needs neither a second request nor an allowed origin. */
export const STYLE = [COLOURS, TEXT, LAYOUT, FORMS, CONSENT].join('').trim();

/** The hash of this style for the content security policy. */
export const STYLE_SOURCE = `'sha256-${hash('sha256', STYLE, 'base64')}'`;
