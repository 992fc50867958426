import type { MessageBody } from '../content.ts';

/** Ignores case, accents and the width of letters: "Straße" is found by "strasse", "café" by "CAFE". */
export function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
}

/** The words of a search, normalised for comparison. */
export function wordsOf(text: string): string[] {
  return [...new Set(plain(text).split(/\s+/u).filter(Boolean))];
}

/** Whether a message contains all of the words, anywhere. */
export function holds(body: MessageBody, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = plain(textOf(body));
  return words.every((word) => text.includes(word));
}

function textOf({ content = '', caption = '', poll, location }: MessageBody): string {
  const parts = [content, caption];
  if (poll) parts.push(poll.question, ...poll.options.map((option) => option.text));
  if (location) parts.push(location.name ?? '', location.address ?? '');
  return parts.join('\n');
}
