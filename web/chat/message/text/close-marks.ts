const FENCE = '```';
/** Longer ones first. */
const MARKS = ['**', '~~', '`'];

/** Closes the Markdown of a text whose end is still to come, so that it is shown as it will be. */
export function closeMarks(text: string): string {
  if (isOdd(text, FENCE)) return `${text.replace(/\n?`{0,2}$/, '')}\n${FENCE}`;
  const start = text.lastIndexOf('\n') + 1;
  const line = text.slice(start);
  const open = MARKS.find((mark) => isOdd(line, mark));
  if (open === undefined) return text;
  // Nothing has followed the mark yet.
  if (line.trimEnd().endsWith(open)) return text.slice(0, start) + line.trimEnd().slice(0, -open.length);
  // A mark closes only directly after a word. Half of a closing mark may be there.
  const half = open.length > 1 && text.endsWith(open.charAt(0)) ? text.slice(0, -1) : text;
  return half.trimEnd() + open;
}

function isOdd(text: string, mark: string): boolean {
  return text.split(mark).length % 2 === 0;
}
