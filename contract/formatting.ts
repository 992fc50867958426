import type { MarkedToken, Tokens } from 'marked';
import { lex, lexInline } from './formatting/lexer.ts';

/** An inline part of a text. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em' | 'del'; children: Inline[] }
  | { kind: 'link'; href: string; children: Inline[] };

/** An item of a list, with its number if it has one. */
export interface Item {
  number?: number;
  blocks: Block[];
}

/** A block of a text. */
export type Block =
  | { kind: 'text'; children: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; isNumbered: boolean; items: Item[] };

/** Most texts contain none of these, and so have no marks. */
const MARKS = /[*_~`]|\]\(|^ {0,3}(?:[->]|\d{1,9}[.)])/m;
/** Deeper than any real text. */
const DEEPEST = 6;
const TOO_DEEP = /^(?:[ \t]*(?:[>*-]|\d{1,9}[.)])[ \t]*){7}/m;
/** More marks than any real text; the cost of pairing them grows faster than their number. */
const MOST_MARKS = 300;
const ANY_MARK = /[*_~`]+|[[\]]|^[ \t]*(?:[->]|\d{1,9}[.)])/gm;

/**
 * Parses a text in a subset of Markdown (docs/decisions/0063-formatting.md). Unmarked text remains exactly as written, including
 * spaces and line breaks. Never throws, whatever the input.
 */
export function parseFormatted(text: string): Block[] {
  if (!MARKS.test(text) || TOO_DEEP.test(text)) return [asWritten(text)];
  if ((text.match(ANY_MARK)?.length ?? 0) > MOST_MARKS) return [asWritten(text)];
  return tidied(blocksOf(lex(text), 0));
}

/** A text without its marks, in one line: for lists, quotes and notifications. */
export function plainText(text: string): string {
  if (!MARKS.test(text)) return text;
  return parseFormatted(text).map(wordsOf).join('\n');
}

function wordsOf(block: Block): string {
  switch (block.kind) {
    case 'text':
      return block.children.map(inlineWords).join('');
    case 'code':
      return block.text;
    case 'quote':
      return block.blocks.map(wordsOf).join('\n');
    case 'list':
      return block.items
        .map(
          ({ number, blocks }) =>
            `${number === undefined ? '•' : `${number}.`} ${blocks.map(wordsOf).join('\n')}`,
        )
        .join('\n');
    default:
      return block satisfies never;
  }
}

function inlineWords(inline: Inline): string {
  return 'children' in inline ? inline.children.map(inlineWords).join('') : inline.text;
}

function blocksOf(tokens: readonly MarkedToken[], depth: number, isInList = false): Block[] {
  const blocks: Block[] = [];
  for (const token of tokens) {
    const block = blockOf(token, depth, isInList);
    const last = blocks.at(-1);
    if (block.kind === 'text' && last?.kind === 'text')
      last.children = joined([...last.children, ...block.children]);
    else blocks.push(block);
  }
  return blocks;
}

function blockOf(token: MarkedToken, depth: number, isInList: boolean): Block {
  if (depth > DEEPEST) return asWritten(token.raw);
  switch (token.type) {
    case 'code':
      return codeOf(token);
    case 'blockquote':
      if (token.text.trim() === '') return asWritten(token.raw);
      return { kind: 'quote', blocks: tidied(blocksOf(childrenOf(token), depth + 1)) };
    case 'list':
      // A line of its own such as "7. November" or "- what?" is not a list.
      if (token.items.length === 1 && !isInList)
        return { kind: 'text', children: inlinesOf(lexInline(token.raw), depth + 1) };
      return {
        kind: 'list',
        isNumbered: token.ordered,
        items: token.items.map((item) => itemOf(item, token.ordered, depth + 1)),
      };
    case 'paragraph':
    case 'text': {
      const end = token.raw.slice(token.raw.trimEnd().length);
      const children = token.tokens
        ? [
            ...inlinesOf(childrenOf(token), depth + 1),
            { kind: 'text' as const, text: /\n[\s\S]*$/.exec(end)?.[0] ?? '' },
          ]
        : [{ kind: 'text' as const, text: token.raw }];
      return { kind: 'text', children: joined(children) };
    }
    case 'checkbox':
      return { kind: 'text', children: [{ kind: 'text', text: token.checked ? '☑ ' : '☐ ' }] };
    default:
      return asWritten(token.raw);
  }
}

/** The text after the fence is either the name of a language or the first line of code. */
function codeOf({ raw, lang = '', text }: Tokens.Code): Block {
  const isLanguage = /^[\w+#.-]{0,20}$/.test(lang);
  if (text === '') return asWritten(raw);
  return isLanguage
    ? { kind: 'code', language: lang, text }
    : { kind: 'code', language: '', text: `${lang}\n${text}` };
}

/** Keeps the number as written: dates are not a sequence. */
function itemOf(item: Tokens.ListItem, isNumbered: boolean, depth: number): Item {
  const blocks = tidied(blocksOf(childrenOf(item), depth, true));
  return isNumbered ? { number: Number.parseInt(item.raw.trimStart(), 10), blocks } : { blocks };
}

function inlinesOf(tokens: readonly MarkedToken[], depth: number): Inline[] {
  return joined(tokens.flatMap((token) => inlineOf(token, depth)));
}

function inlineOf(token: MarkedToken, depth: number): Inline[] {
  if (depth > DEEPEST) return [{ kind: 'text', text: token.raw }];
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return [{ kind: token.type, children: inlinesOf(childrenOf(token), depth + 1) }];
    case 'codespan':
      return [{ kind: 'code', text: token.text }];
    case 'escape':
      return [{ kind: 'text', text: token.text }];
    case 'link': {
      const href = token.raw.startsWith('[') ? safeHref(token.href) : undefined;
      return href === undefined
        ? [{ kind: 'text', text: token.raw }]
        : [{ kind: 'link', href, children: inlinesOf(childrenOf(token), depth + 1) }];
    }
    case 'checkbox':
      return [{ kind: 'text', text: token.checked ? '☑ ' : '☐ ' }];
    default:
      return [{ kind: 'text', text: token.raw }];
  }
}

/** An address that is safe to open; anything else is shown as written. */
function safeHref(href: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:)[^\s]+$/i.test(href) || !URL.canParse(href)) return undefined;
  const { protocol, username, password } = new URL(href);
  return ['http:', 'https:', 'mailto:'].includes(protocol) && username === '' && password === ''
    ? href
    : undefined;
}

/** A text without marks, or whose marks are to be ignored. */
export function asWritten(text: string): Block {
  return { kind: 'text', children: [{ kind: 'text', text }] };
}

function childrenOf(token: { tokens?: unknown[] }): MarkedToken[] {
  return (token.tokens ?? []) as MarkedToken[];
}

function joined(inlines: readonly Inline[]): Inline[] {
  const all: Inline[] = [];
  for (const inline of inlines) {
    const last = all.at(-1);
    if (inline.kind === 'text' && last?.kind === 'text')
      all[all.length - 1] = { kind: 'text', text: last.text + inline.text };
    else if (inline.kind !== 'text' || inline.text !== '') all.push(inline);
  }
  return all;
}

/** Removes the line breaks around blocks, which are on separate lines anyway. */
function tidied(blocks: readonly Block[]): Block[] {
  return blocks.flatMap<Block>((block, i) => {
    if (block.kind !== 'text') return [block];
    const children = joined(
      block.children.map((inline, j) => {
        if (inline.kind !== 'text') return inline;
        const begun = i > 0 && j === 0 ? inline.text.replace(/^\n+/, '') : inline.text;
        return { ...inline, text: j === block.children.length - 1 ? begun.replace(/\n+$/, '') : begun };
      }),
    );
    return children.length > 0 ? [{ kind: 'text', children }] : [];
  });
}
