import { hash } from 'node:crypto';

/** Light and dark colours of all pages that the server renders. */
export const COLOURS = `
:root {
  color-scheme: light dark;
  --page: #eef1f5; --card: #ffffff; --line: #d5dae2; --field-line: #76818f;
  --text: #18202b; --muted: #525d6b; --accent: #1f55c8; --on-accent: #ffffff; --accent-strong: #17429d;
  --tint: #e9effc; --good: #1b6b3a; --good-tint: #e3f4e8; --bad: #a3211a; --bad-tint: #fdecea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #10141a; --card: #1a2029; --line: #333c49; --field-line: #8893a3;
    --text: #e9edf3; --muted: #a9b4c3; --accent: #8db0ff; --on-accent: #0c1730; --accent-strong: #b3caff;
    --tint: #222d44; --good: #8fdcab; --good-tint: #1a3324; --bad: #ffb3ab; --bad-tint: #3b1a18;
  }
}`;

const TEXT = `
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center;
  padding: clamp(1rem, 6vh, 4.5rem) 1rem 2rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
h1, h2, p, ul, dl, dd { margin: 0; padding: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; text-wrap: balance; }
h2 { font-size: 1rem; line-height: 1.4; font-weight: 600; }
h1, h2, p, li, dd { overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.15em; }
a:hover { color: var(--accent-strong); }
.muted { color: var(--muted); }
.small { font-size: 0.875rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }`;

const LAYOUT = `
.service {
  display: flex; align-items: center; gap: 0.5rem; margin-bottom: 1.25rem;
  font-size: 1.125rem; font-weight: 650; letter-spacing: -0.01em;
}
.service svg { width: 1.75rem; height: 1.75rem; fill: var(--accent); }
main {
  width: 100%; max-width: 27rem; display: flex; flex-direction: column; gap: 1.25rem; padding: 2rem;
  background: var(--card); border: 1px solid var(--line); border-radius: 1rem;
}
main.wide { max-width: 32rem; }
.heading, .section { display: flex; flex-direction: column; gap: 0.5rem; }
.rule { border-top: 1px solid var(--line); padding-top: 1.25rem; }
@media (max-width: 30rem) {
  body { padding: 1rem 0.75rem 2rem; }
  main { padding: 1.5rem 1.125rem; }
}`;

const FORMS = `
form { display: flex; flex-direction: column; gap: 1.125rem; }
.field { display: flex; flex-direction: column; gap: 0.375rem; }
label { font-weight: 600; }
input {
  width: 100%; min-height: 2.875rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--field-line); border-radius: 0.5rem;
}
input:focus-visible { outline-offset: -1px; border-color: var(--accent); }
input[aria-invalid] { border-color: var(--bad); outline-color: var(--bad); }
.fault { color: var(--bad); font-size: 0.875rem; font-weight: 500; }
.alert {
  padding: 0.75rem 1rem; color: var(--bad); background: var(--bad-tint);
  border: 1px solid currentColor; border-radius: 0.5rem; overflow-wrap: anywhere;
}
.alert a { color: inherit; font-weight: 600; }
button {
  min-height: 2.875rem; padding: 0.5rem 1.25rem; font: inherit; font-weight: 600; cursor: pointer;
  border: 1px solid var(--accent); border-radius: 0.5rem; background: var(--accent); color: var(--on-accent);
}
button:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
button.second { background: transparent; color: var(--text); border-color: var(--field-line); }
button.second:hover { background: var(--tint); }
button.link {
  min-height: 1.75rem; padding: 0; border: 0; background: none; color: var(--accent); font-weight: 400;
  text-decoration: underline; text-underline-offset: 0.15em;
}
button.link:hover { color: var(--accent-strong); }
.choice { flex-direction: row; gap: 0.75rem; }
.choice button { flex: 1 1 0; }
.languages { flex-direction: row; gap: 1rem; margin-top: 1.25rem; align-items: center; font-size: 0.875rem; }
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
