/** A person's message, parsed as leniently as is safe. */
export interface Input {
  /** The message without surrounding white space. */
  text: string;
  /** The command that it begins with, if any: in lower case, without the slash and the bot's name. */
  command?: string;
  /** The text after the command. */
  argument: string;
}

const COMMAND = /^\/\s*([a-z0-9_]+)(?:@[a-z0-9_]+)?(?:\s+([\s\S]*))?$/i;

export function readInput(written: string): Input {
  const text = written.trim();
  const [, command, argument = ''] = COMMAND.exec(text) ?? [];
  if (command === undefined) return { text, argument: '' };
  return { text, command: command.toLowerCase(), argument: argument.trim() };
}

/** The first word, and the rest. */
export function splitFirst(text: string): { first: string; rest: string } {
  const [, first = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  return { first, rest };
}

/** The number that somebody answered a list with, from 0: `1`, `1.`, `#1`, `1)`. */
export function readNumber(text: string): number | undefined {
  const [, digits] = /^#?\s*(\d{1,3})\s*[.):]?$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) - 1;
}

/** A username as people write it, with or without @ and in any case. */
export function readUsername(text: string): string {
  return text.replace(/^@/, '').toLowerCase();
}

/** In every language of the pages, whichever the person has. */
const WORDS = {
  yes: /^(1|yes|y|ok|okay|sure|confirm|ja|j)[.!)]?$/i,
  no: /^(2|no|n|nope|stop|nein)[.!)]?$/i,
  overlap: /^(3|overlap|beide)[.!)]?$/i,
  done: /^(1|done|ok|okay|yes|kept|saved|got it|ready|fertig|ja|gespeichert)[.!)]?$/i,
  empty: /^["“'(]?(empty|none|leer|keine|-)["”')]?$/i,
  keep: /^(1|keep|leave|no|behalten|nein)[.!)]?$/i,
  remove: /^(2|remove|delete|none|empty|off|entfernen|keine|leer|-)[.!)]?$/i,
};

export function says(word: keyof typeof WORDS, text: string): boolean {
  return WORDS[word].test(text);
}

/** The length that people are told, in code points as everywhere (decisions: Transport). */
export function lengthOf(text: string): number {
  return [...text].length;
}

export function numbered(lines: readonly string[]): string {
  return lines.map((line, i) => `${i + 1}. ${line}`).join('\n');
}

export function shorten(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
}
