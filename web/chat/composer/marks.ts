/** A text and its selection. */
export interface Selected {
  text: string;
  start: number;
  end: number;
}

const MARKS = { bold: '**', italic: '*', struck: '~~', code: '`' } as const;
const LINES = { item: '- ', quote: '> ' } as const;

/** A way to format a text. */
export type Format = keyof typeof MARKS | keyof typeof LINES | 'codeBlock' | 'link';

/** Formats the selection, or takes the format away. */
export function formatted(selected: Selected, format: Format): Selected {
  switch (format) {
    case 'item':
    case 'quote':
      return prefixed(selected, LINES[format]);
    case 'codeBlock':
      return wrapped(selected, '```\n', '\n```');
    case 'link':
      return linked(selected);
    default:
      return toggled(selected, MARKS[format]);
  }
}

function wrapped({ text, start, end }: Selected, before: string, after: string): Selected {
  return {
    text: text.slice(0, start) + before + text.slice(start, end) + after + text.slice(end),
    start: start + before.length,
    end: end + before.length,
  };
}

const URL_BEGINNING = 'https://';

/** The selection becomes the name of a link, whose address is to be typed next; a selected address becomes the address. */
function linked(selected: Selected): Selected {
  const chosen = selected.text.slice(selected.start, selected.end);
  if (/^https?:\/\//.test(chosen)) {
    const { text, start } = wrapped(selected, '[](', ')');
    return { text, start: start - 2, end: start - 2 };
  }
  const { text, end } = wrapped(selected, '[', `](${URL_BEGINNING})`);
  const at = end + 2 + URL_BEGINNING.length;
  return { text, start: at, end: at };
}

/** Begins each selected line with a prefix, or takes it from all of them. */
function prefixed({ text, start, end }: Selected, prefix: string): Selected {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const lines = text.slice(from, end).split('\n');
  const isOn = lines.every((line) => line.startsWith(prefix));
  const changed = lines.map((line) => (isOn ? line.slice(prefix.length) : prefix + line)).join('\n');
  const to = from + changed.length;
  return {
    text: text.slice(0, from) + changed + text.slice(end),
    start: lines.length > 1 ? from : to,
    end: to,
  };
}

/** The format of a keyboard shortcut with Ctrl or, on a Mac, Cmd. */
export function markOf({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>):
  | 'bold'
  | 'italic'
  | undefined {
  if (!(ctrlKey || metaKey) || altKey || shiftKey) return undefined;
  return ({ b: 'bold', i: 'italic' } as const)[key.toLowerCase()];
}

/** Wraps the selection in marks, or removes existing ones; leading and trailing spaces stay outside. */
function toggled({ text, start, end }: Selected, mark: string): Selected {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const size = mark.length;
  const isOn = mark.startsWith('*')
    ? hasMark(before.match(/\**$/)?.[0] ?? '', mark) && hasMark(after.match(/^\**/)?.[0] ?? '', mark)
    : before.endsWith(mark) && after.startsWith(mark);
  if (isOn) {
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
