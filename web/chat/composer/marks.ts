/** A text and its selection. */
export interface Selected {
  text: string;
  start: number;
  end: number;
}

/** The formatting mark of a keyboard shortcut with Ctrl or, on a Mac, Cmd. */
export function markOf({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): string | undefined {
  if (!(ctrlKey || metaKey) || altKey || shiftKey) return undefined;
  return { b: '**', i: '*' }[key.toLowerCase()];
}

/** Wraps the selection in marks, or removes existing ones; leading and trailing spaces stay outside. */
export function toggled({ text, start, end }: Selected, mark: string): Selected {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const size = mark.length;
  if (hasMark(before.match(/\**$/)?.[0] ?? '', mark) && hasMark(after.match(/^\**/)?.[0] ?? '', mark)) {
    return {
      text: before.slice(0, -size) + text.slice(start, end) + after.slice(size),
      start: start - size,
      end: end - size,
    };
  }
  const chosen = text.slice(start, end);
  const from = start + (chosen.trim() === '' ? 0 : chosen.length - chosen.trimStart().length);
  const to = chosen.trim() === '' ? end : end - (chosen.length - chosen.trimEnd().length);
  return {
    text: text.slice(0, from) + mark + text.slice(from, to) + mark + text.slice(to),
    start: from + size,
    end: to + size,
  };
}

/** Three asterisks combine bold and italic. */
function hasMark(asterisks: string, mark: string): boolean {
  return asterisks.length === mark.length || asterisks.length === 3;
}
