import type { FastifyInstance, FastifyRequest } from 'fastify';
import { say } from '#contract/reasons.ts';
import { ApiError, invalidArgument } from '../../errors.ts';
import { decodeUtf8 } from './strict-json.ts';

const FORM = 'application/x-www-form-urlencoded';
/** More than any form or query has; each field costs more than the text in it. */
const MAX_FIELDS = 100;
const [PLUS, SPACE] = [0x2b, 0x20];
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?(;\s*)?$/i;

/**
 * Lets routes also accept `application/x-www-form-urlencoded` bodies, parsed by {@link parseStrictForm}. `request.body` is
 * then a `Record<string, string>`, which the route's schema validates like any other body. Shared by the pages and the OAuth
 * endpoints.
 */
export function acceptForms(app: Pick<FastifyInstance, 'addContentTypeParser'>): void {
  app.addContentTypeParser(FORM, { parseAs: 'buffer' }, async ({ headers }: FastifyRequest, body: Buffer) => {
    if (!FORM_TYPE.test(headers['content-type'] ?? '')) {
      throw new ApiError(415, 'invalid-argument', say('http.content-type', { type: `${FORM} in UTF-8` }));
    }
    if (headers['content-encoding'] && headers['content-encoding'] !== 'identity') {
      throw new ApiError(415, 'invalid-argument', say('http.content-encoding'));
    }
    return parseStrictForm(body);
  });
}

/**
 * Parses a form and rejects what other parsers silently accept: repeated fields, invalid UTF-8, malformed percent-encoding,
 * NUL characters. The object has no prototype, so that a field may have any name.
 *
 * @throws ApiError 400 `invalid-argument`
 */
export function parseStrictForm(raw: Buffer): Record<string, string> {
  const spaced = Buffer.from(raw);
  // In place: replacing half a million characters of a string takes 100 ms.
  for (let at = spaced.indexOf(PLUS); at >= 0; at = spaced.indexOf(PLUS, at + 1)) spaced[at] = SPACE;
  return parseFields(decodeUtf8(spaced), 'body');
}

/**
 * Parses the query of a request's URL by the same rules.
 *
 * @throws ApiError 400 `invalid-argument`
 */
export function parseStrictQuery(url: string): Record<string, string> {
  return parseFields(queryOf(url), 'query');
}

/** No URL may contain a NUL character or invalid UTF-8, whether or not its route reads that part (decisions: Transport). */
export function findUrlFault(url: string): ApiError | undefined {
  if (!/[^\x21-\x24\x26-\x7e]/.test(url)) return undefined;
  try {
    decode(toAscii(url.split('?', 1)[0] as string), 'path');
    readPairs(queryOf(url), 'query');
    return undefined;
  } catch (error) {
    return error as ApiError;
  }
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start < 0 ? '' : toAscii(url.slice(start + 1));
}

/** Percent-encodes the raw bytes in a request's URL, which Node decodes as Latin-1. */
export function toAscii(url: string): string {
  return url.replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function parseFields(text: string, source: 'body' | 'query'): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of readPairs(text, source)) {
    if (name in fields) throw invalidArgument(name, 'repeated');
    fields[name] = value;
  }
  return fields;
}

function readPairs(text: string, source: 'body' | 'query'): [name: string, value: string][] {
  const pairs = text.split('&', MAX_FIELDS + 1);
  if (pairs.length > MAX_FIELDS) throw invalidArgument(source, 'too-many-fields', { count: MAX_FIELDS });
  return pairs.filter(Boolean).map((pair) => {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals), source);
    return [name, equals < 0 ? '' : decode(pair.slice(equals + 1), name)];
  });
}

function decode(text: string, field: string): string {
  const decoded = decodePercents(text.replaceAll('+', ' '));
  if (decoded === undefined) throw invalidArgument(field, 'not-percent-encoded');
  if (decoded.includes('\0')) throw invalidArgument(field, 'nul');
  return decoded;
}

function decodePercents(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
