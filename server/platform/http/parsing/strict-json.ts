import secureJson from 'secure-json-parse';
import { invalidArgument } from '../../errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const MAX_DEPTH = 32;

/**
 * Only texts with a match, or with many opening brackets, need the walk, which costs more than the parse. A number can only
 * follow one of these characters, and can be too large only with 16 digits, with 7 digits and an exponent, or with a
 * two-digit exponent.
 */
const SUSPECT = /\\u|(?:^|[\s:,[])-?(?:[\d.]{16}|[\d.]{7,}[eE]|[\d.]+[eE]\+?\d\d)/;

/**
 * Parses a JSON body and rejects what other parsers silently accept: invalid UTF-8, NUL and lone surrogates, numbers that
 * overflow or lose precision, deep nesting, `__proto__`.
 *
 * @param takesLargeNumbers for third-party JSON, whose numbers are only displayed
 * @throws ApiError 400 `invalid-argument`
 */
export function parseStrictJson(raw: Buffer, { takesLargeNumbers = false } = {}): unknown {
  const text = decodeUtf8(raw);
  let value: unknown;
  try {
    value = secureJson.parse(text, undefined, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw invalidArgument('body', 'not-json');
  }
  if (SUSPECT.test(text) || countOpenings(text) > MAX_DEPTH) walk(value, takesLargeNumbers);
  return value;
}

export function decodeUtf8(raw: Buffer): string {
  try {
    return utf8.decode(raw);
  } catch {
    throw invalidArgument('body', 'not-utf-8');
  }
}

function countOpenings(text: string): number {
  let count = 0;
  for (const opening of ['{', '[']) {
    for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) count++;
  }
  return count;
}

function walk(root: unknown, takesLargeNumbers: boolean): void {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string') checkText(value, path);
    else if (typeof value === 'number') {
      if (!takesLargeNumbers) checkNumber(value, path);
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= MAX_DEPTH) throw invalidArgument('body', 'nested-too-deep', { count: MAX_DEPTH });
      for (const [key, child] of Object.entries(value)) {
        checkText(key, path);
        open.push({ value: child, path: path ? `${path}.${key}` : key, depth: depth + 1 });
      }
    }
  }
}

function checkText(value: string, path: string): void {
  if (value.includes('\0')) throw invalidArgument(path || 'body', 'nul');
  if (!value.isWellFormed()) throw invalidArgument(path || 'body', 'surrogate');
}

function checkNumber(value: number, path: string): void {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw invalidArgument(path || 'body', 'number-too-large');
  }
}
