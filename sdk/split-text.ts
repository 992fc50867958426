/** Where a text may be divided, the best place first; the space there is left out. */
const BOUNDS = [
  /\s*\n[^\S\n]*\n+/g,
  /[^\S\n]*\n/g,
  // CJK sentences follow each other without a space.
  /(?<=[.!?…]["'”’)\]]*)\s+|(?<=[。！？])\s*/g,
  /\s+/g,
];

/**
 * Splits a text that is too long for one message: between paragraphs if possible, else between lines, sentences or words, else
 * anywhere. Each part is at least half full, except when only words allow it, and the last.
 *
 * @param longest code points of a part; defaults to what a message may have, 4,096
 * @example
 * bot.on('message', async (message) => {
 *   const story = `${message.textMsg} and so on. `.repeat(1000);
 *   for (const part of splitText(story)) await message.reply(part);
 * });
 */
export function splitText(text: string, longest: number = 4096): string[] {
  if (!(Number.isInteger(longest) && longest >= 1)) throw new TypeError('longest must be 1 or more');
  const parts: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = indexAfter(rest, longest);
    const [upTo, from] = end === rest.length ? [end, end] : findCut(rest, end);
    const part = rest.slice(0, upTo);
    // The service refuses text that is only white space.
    if (part.trim() !== '') parts.push(part);
    rest = rest.slice(from);
  }
  return parts;
}

/** Where a part ends, and where the next begins. */
function findCut(text: string, end: number): [upTo: number, from: number] {
  // A bound may begin exactly at the end.
  const head = text.slice(0, indexAfter(text.slice(end), 1) + end);
  for (const bound of BOUNDS) {
    const last = [...head.matchAll(bound)].findLast(
      ({ index }) => index > 0 && index <= end && (index >= end / 2 || bound === BOUNDS.at(-1)),
    );
    if (last) return [last.index, last.index + last[0].length];
  }
  // Emoji, and letters with marks, are several code points.
  const cut = new Intl.Segmenter().segment(head).containing(end)?.index || end;
  return [cut, cut];
}

/** The index after so many code points, or the end. */
function indexAfter(text: string, count: number): number {
  let index = 0;
  for (let i = 0; i < count && index < text.length; i++)
    index += (text.codePointAt(index) as number) > 0xffff ? 2 : 1;
  return index;
}
