import { LIMITS } from '#contract/limits.ts';

const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/i;
/** The limit for each part of a message, such as a name, a title or a line. */
const PIECE_LENGTH = 500;
/** Characters of a text that are looked at: more than fit, since pairs of them are one. */
const READ_LENGTH = LIMITS.textLength * 4;

/** Literal text: its Markdown characters are escaped (docs/decisions/0063). */
export function literal(text: string): string {
  return text
    .replace(
      /[*`]|~(?=~)|(?<=[~\\])~|(?<=\\)>|^(?= {0,3}>) *>/gm,
      (mark) => `${mark.slice(0, -1)}\\${mark.slice(-1)}`,
    )
    .replaceAll('](', '] (');
}

/** The same in one line of bounded length. */
export function line(text: string): string {
  const [first = ''] = text.trim().split(/\r?\n/, 1);
  const characters = [...first.slice(0, PIECE_LENGTH * 2)];
  return literal(
    characters.length <= PIECE_LENGTH ? first : `${characters.slice(0, PIECE_LENGTH).join('')}…`,
  );
}

/** Bold text, which must not begin or end with a blank. */
export function bold(markdown: string): string {
  return markdown.trim() === '' ? '' : `**${markdown.trim()}**`;
}

/** @param label in Markdown; returned alone if the address cannot be opened */
export function link(label: string, address: string): string {
  if (!ADDRESS.test(address) || address.length > LIMITS.urlLength) return label;
  const name = label.replace(/[[\]\n]/g, (mark) => (mark === '[' ? '(' : mark === ']' ? ')' : ' ')).trim();
  // Alone, it is one word for the chat.
  if (name === '') return address.replace(/[<>"\\`]/g, percentEncode);
  return `[${name}](${address.replace(/[()<>\\*_`~]/g, percentEncode)})`;
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Joins paragraphs or lines, without empty ones. */
export function joined(parts: readonly string[], separator = '\n'): string {
  return parts.filter((part) => part.trim() !== '').join(separator);
}

/** Text that fits into a message; longer text is truncated with a remark. */
export function fitting(markdown: string): string {
  const whole = markdown.trim();
  const text = whole.slice(0, READ_LENGTH).replace(/\r\n?/g, '\n').replaceAll('\0', '').toWellFormed().trim();
  const characters = [...text];
  if (characters.length <= LIMITS.textLength && whole.length <= READ_LENGTH) return text;
  const notice = `…\n(cut: only ${LIMITS.textLength} characters fit)`;
  const fence = '\n```';
  const kept = characters
    .slice(0, LIMITS.textLength - notice.length - fence.length)
    .join('')
    .trimEnd();
  const isInCode = kept.split('```').length % 2 === 0;
  return `${kept}${isInCode ? fence : ''}${notice}`;
}
