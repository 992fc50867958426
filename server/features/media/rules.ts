const NAME_LENGTH = 100;

/**
 * A name that is safe on every disk and in every header: no path, no control or direction characters, no
 * leading dots. Joiners stay, which emoji and some scripts need. The extension is unchanged; what a browser does with the
 * file depends on its type alone.
 */
export function safeFileName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  const plain = base
    .normalize('NFC')
    .replace(/[[\p{C}\p{Zl}\p{Zp}"<>:\|?*;%#]--[\u200c\u200d]]/gv, '')
    .replace(/^[.\s]+|[.\s]+$/g, '');
  const letters = [...plain];
  if (letters.length === 0) return 'file';
  if (letters.length <= NAME_LENGTH) return plain;
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(plain)?.[0] ?? '';
  return letters.slice(0, NAME_LENGTH - ending.length).join('') + ending;
}

/** The name as a part of a path. */
export function nameInPath(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The requested part of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Reads a `Range` header (RFC 9110): undefined for the whole file, also if the header cannot be read. */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}
