import { Lexer, type MarkedToken, Tokenizer, type Tokens } from 'marked';

/** A `*` or `_` between these is part of a word or a calculation, such as 2*3*4, but marks text in scripts without spaces between words. */
const IN_WORD = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]/u;
const ESCAPED = /^\\([*`~>])/;
const QUOTED = /^(?: {0,3}>[^\n]*(?:\n|$))+/;

/**
 * Reads the marks that people and bots use in a chat, and treats all other Markdown as plain text: no HTML,
 * images, headings, tables, rules or indented code, and nothing that changes a text without marks.
 */
class ChatTokenizer extends Tokenizer {
  override html = none;
  override heading = none;
  override lheading = none;
  override hr = none;
  override table = none;
  override def = none;
  override code = none;
  override tag = none;
  override reflink = none;
  override autolink = none;

  /** All other backslashes remain, as in ¯\_(ツ)_/¯. */
  override escape(src: string): Tokens.Escape | undefined {
    const [raw, text] = ESCAPED.exec(src) ?? [];
    return raw && text ? { type: 'escape', raw, text } : undefined;
  }

  /** Only the text after a `>`, not the line below it. */
  override blockquote(src: string): Tokens.Blockquote | undefined {
    const [raw] = QUOTED.exec(src) ?? [];
    if (raw === undefined) return undefined;
    const text = raw.replace(/^ {0,3}> ?/gm, '');
    return { type: 'blockquote', raw, text, tokens: this.lexer.blockTokens(text, []) };
  }

  /** "+ 1" is not a list. */
  override list(src: string): Tokens.List | undefined {
    return /^ {0,3}(?:[*-]|\d{1,9}[.)])[ \t]+\S/.test(src) ? super.list(src) : undefined;
  }

  /** `__init__` is a name. */
  override emStrong(src: string, masked: string, before = ''): Tokens.Em | Tokens.Strong | undefined {
    if (src.startsWith('__') || before === '\\' || IN_WORD.test(before)) return undefined;
    const token = super.emStrong(src, masked, before);
    return token && IN_WORD.test(src.charAt(token.raw.length)) ? undefined : token;
  }

  /** The tildes of "~5 to ~6" mean "about". */
  override del(src: string, masked: string, before?: string): Tokens.Del | undefined {
    return src.startsWith('~~') ? super.del(src, masked, before) : undefined;
  }
}

function none(): undefined {
  return undefined;
}

const options = () => ({ gfm: true, tokenizer: new ChatTokenizer() });

export function lex(text: string): MarkedToken[] {
  return new Lexer(options()).lex(text) as MarkedToken[];
}

/** The same with inline marks only. */
export function lexInline(text: string): MarkedToken[] {
  return Lexer.lexInline(text, options()) as MarkedToken[];
}
