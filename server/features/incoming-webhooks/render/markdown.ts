import { LIMITS } from '#contract/limits.ts';

const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/i;
/** Of each of the pieces that a message is put together from: a name, a title, a line. */
const PIECE_LENGTH = 500;

/** Text as it stands: marks in it are not read as Markdown (docs/decisions/0063). */
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

/** A stretch in bold, which no blank may begin or end. */
export function bold(markdown: string): string {
  return markdown.trim() === '' ? '' : `**${markdown.trim()}**`;
}

/** @param label in Markdown; without an address that can be opened it stands alone */
export function link(label: string, address: string): string {
  if (!ADDRESS.test(address) || address.length > LIMITS.urlLength) return label;
  const href = address.replace(/[()<>\\*_`~]/g, percentEncode);
  const name = label.replace(/[[\]\n]/g, (mark) => (mark === '[' ? '(' : mark === ']' ? ')' : ' ')).trim();
  return name === '' ? href : `[${name}](${href})`;
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Paragraphs or lines, without those that are empty. */
export function joined(parts: readonly string[], separator = '\n'): string {
  return parts.filter((part) => part.trim() !== '').join(separator);
}

/** A text that a message holds: what is too long is cut, and says so. */
export function fitting(markdown: string): string {
  const text = markdown.replace(/\r\n?/g, '\n').replaceAll('\0', '').toWellFormed().trim();
  const characters = [...text];
  if (characters.length <= LIMITS.textLength) return text;
  const notice = `…\n(cut: ${characters.length} characters, of which ${LIMITS.textLength} fit)`;
  const fence = '\n```';
  const kept = characters
    .slice(0, LIMITS.textLength - notice.length - fence.length)
    .join('')
    .trimEnd();
  const isInCode = kept.split('```').length % 2 === 0;
  return `${kept}${isInCode ? fence : ''}${notice}`;
}
