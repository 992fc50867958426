import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { type Html, html } from '../pages/html.ts';
import { codeFigure } from './code.ts';

/** A heading of a page and the text below it: a search result. */
export interface Section {
  anchor: string;
  heading: string;
  depth: number;
  text: string;
}

export interface RenderedPage {
  title: string;
  body: string;
  /** The first one is the text before any second-level heading. */
  sections: Section[];
}

/**
 * A page of the documentation as HTML. Raw HTML is escaped although the text is ours, so that an example without a code
 * fence still shows as text.
 *
 * @param file path in the repository, which links are relative to
 * @param addressOf the address at which a file of the repository is served, if any
 */
export function renderMarkdown(
  text: string,
  file: string,
  addressOf: (file: string) => string | undefined,
): RenderedPage {
  const sections: Section[] = [];
  const anchors = new Map<Tokens.Generic, string>();
  const marked = new Marked({
    renderer: {
      heading(token) {
        const { tokens, depth, text } = token;
        const inner = this.parser.parseInline(tokens);
        const heading = plain(text);
        const anchor = anchors.get(token) ?? anchorOf(heading);
        if (depth === 1) return `<h1>${inner}</h1>\n`;
        return `<h${depth} id="${anchor}">${inner} <a class="anchor" href="#${anchor}" aria-label="${html`Link to ${heading}`.text}">#</a></h${depth}>\n`;
      },
      code({ text, lang = '' }) {
        const [syntax = ''] = lang.split(' ');
        const name = lang.split(' ').find((word) => word.includes('.'));
        return codeFigure({ code: text, syntax, label: name ?? 'Example', name }).text;
      },
      codespan({ text }) {
        return html`<code>${breakable(text)}</code>`.text;
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens);
        const address = resolveLink(href, file, addressOf);
        return address === undefined ? inner : html`<a href="${address}">`.text.concat(inner, '</a>');
      },
      table(token) {
        const cell = (text: string, tag: string) => `<${tag}>${text}</${tag}>`;
        // An empty corner cell is not a header.
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row
            .map(({ text, tokens }) => cell(this.parser.parseInline(tokens), text === '' ? 'td' : tag))
            .join('');
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>\n<thead><tr>${cells(token.header, 'th')}</tr></thead>\n<tbody>${rows}</tbody>\n</table></div>\n`;
      },
      html({ text }) {
        return text.startsWith('<!--') ? '' : html`${text}`.text;
      },
    },
  });
  const tokens = marked.lexer(text);
  let title = '';
  for (const token of tokens) {
    if (token.type === 'heading' && token['depth'] === 1) title = plain(token['text']);
    if (token.type === 'heading') {
      const heading = plain(token['text']);
      const { depth } = token as Tokens.Heading;
      const name = anchorOf(heading);
      const before = sections.filter((section) => anchorOf(section.heading) === name).length;
      const anchor = before === 0 ? name : `${name}-${before}`;
      anchors.set(token, anchor);
      sections.push({ anchor: depth === 1 ? '' : anchor, heading, depth, text: '' });
    } else if (token.type !== 'html') {
      const section = sections.at(-1);
      if (section) section.text += ` ${plain(token.raw)}`;
    }
  }
  return { title, body: marked.parser(tokens), sections };
}

/** Inline Markdown of our own as HTML. */
export function renderInline(text: string): string {
  const marked = new Marked({ renderer: { html: (token) => html`${token.text}`.text } });
  return marked.parseInline(text, { async: false });
}

const LONGEST_WORD = 30;

/** Lets a long word break after punctuation; otherwise a table with it would be wider than the page. */
function breakable(code: string): Html {
  if (code.length <= LONGEST_WORD) return html`${code}`;
  const parts = code.split(/(?<=[/.,:])(?=[^\s/.,:])/);
  return html`${parts.map((part, i) => html`${i > 0 && html`<wbr>`}${part}`)}`;
}

/** Same as GitHub's anchors, so that links work in both places; repeated headings are numbered. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
}

/** The visible text, exact enough for search. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/```\S*|[`*|]|-{3,}/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function resolveLink(
  href: string,
  file: string,
  addressOf: (file: string) => string | undefined,
): string | undefined {
  if (/^(https?:|\/|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const address = addressOf(posix.join(posix.dirname(file), path));
  return address && (anchor ? `${address}#${anchor}` : address);
}
