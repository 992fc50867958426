import secureJson from 'secure-json-parse';
import { invalidArgument } from '../../errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const MAX_DEPTH = 32;
/** A value costs far more than a byte: up to 1 µs to parse and check. No real body is as dense as this. */
const BYTES_PER_VALUE = 16;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Only texts with a match need the walk, which costs more than the parse. A number can only follow one of these characters,
 * and can be too large only with 16 digits, with 7 digits and an exponent, or with a two-digit exponent.
 */
const SUSPECT = /\\u|(?:^|[\s:,[])-?(?:[\d.]{16}|[\d.]{7,}[eE]|[\d.]+[eE]\+?\d\d)/;

/**
 * Parses a JSON body and rejects what other parsers silently accept: invalid UTF-8, NUL and lone surrogates, numbers that
 * overflow or lose precision, deep nesting, `__proto__`. What a body costs is limited before it is parsed.
 *
 * @param bodyLimit in bytes: a body may have one value for each 16 of them
 * @param takesLargeNumbers for third-party JSON, whose numbers are only displayed
 * @throws ApiError 400 `invalid-argument`
 */
export function parseStrictJson(
  raw: Buffer,
  { bodyLimit, takesLargeNumbers = false }: { bodyLimit: number; takesLargeNumbers?: boolean },
): unknown {
  const text = decodeUtf8(raw);
  refuseExpensive(raw, Math.floor(bodyLimit / BYTES_PER_VALUE));
  let value: unknown;
  try {
    value = secureJson.parse(text, undefined, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw invalidArgument('body', 'not-json');
  }
  if (SUSPECT.test(text)) walk(value, takesLargeNumbers);
  return value;
}

export function decodeUtf8(raw: Buffer): string {
  try {
    return utf8.decode(raw);
  } catch {
    throw invalidArgument('body', 'not-utf-8');
  }
}

/** Counts what stands outside strings, without building anything. Text that is not JSON may be refused for either reason. */
function refuseExpensive(raw: Buffer, maxValues: number): void {
  let depth = 0;
  let values = 1;
  let isInString = false;
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at];
    if (isInString) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COMMA) values++;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      values++;
      if (++depth > MAX_DEPTH) throw invalidArgument('body', 'nested-too-deep', { count: MAX_DEPTH });
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth--;
      // An empty object or list is one value, not two.
      if (raw[at - 1] === byte - 2) values--;
    }
  }
  if (values > maxValues) throw invalidArgument('body', 'too-many-values', { count: maxValues });
}

function walk(root: unknown, takesLargeNumbers: boolean): void {
  const open: { value: unknown; path: string }[] = [{ value: root, path: '' }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') checkText(value, path);
    else if (typeof value === 'number') {
      if (!takesLargeNumbers) checkNumber(value, path);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        checkText(key, path);
        open.push({ value: child, path: path ? `${path}.${key}` : key });
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
