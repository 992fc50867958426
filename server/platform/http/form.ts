import type { FastifyInstance } from 'fastify';
import { ApiError, invalidArgument } from '../errors.ts';
import { decodeUtf8 } from './strict-json.ts';

const FORM = 'application/x-www-form-urlencoded';
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?(;\s*)?$/i;

/**
 * Lets the routes of this door take `application/x-www-form-urlencoded` bodies, read by {@link parseStrictForm}; JSON
 * is taken as before. `request.body` is then a `Record<string, string>`, which the route's schema judges like any other
 * body. Shared by the pages (what browsers post) and by the OAuth endpoints (what clients post).
 */
export function acceptForms(app: Pick<FastifyInstance, 'addContentTypeParser'>): void {
  app.addContentTypeParser(FORM, { parseAs: 'buffer' }, ({ headers }, body: Buffer, done) => {
    try {
      if (!FORM_TYPE.test(headers['content-type'] ?? '')) {
        throw new ApiError(415, 'invalid-argument', `Content-Type must be ${FORM} in UTF-8`);
      }
      if (headers['content-encoding'] && headers['content-encoding'] !== 'identity') {
        throw new ApiError(
          415,
          'invalid-argument',
          'Content-Encoding is not supported: send the body as it is',
        );
      }
      done(null, parseStrictForm(body));
    } catch (error) {
      done(error as Error);
    }
  });
}

/**
 * Reads a form and refuses what other parsers let through in silence: fields that come twice, invalid UTF-8, broken
 * percent signs, NUL characters. The object has no prototype, so that a field may have any name.
 *
 * @throws ApiError 400 `invalid-argument`
 */
export function parseStrictForm(raw: Buffer): Record<string, string> {
  const fields = parseFields(decodeUtf8(raw), 'body');
  for (const [name, value] of Object.entries(fields)) {
    if (name.includes('\0')) throw invalidArgument('body', 'holds a NUL character');
    if (value.includes('\0')) throw invalidArgument(name, 'holds a NUL character');
  }
  return fields;
}

/**
 * Reads the query of a request's URL by the same rules. A NUL character is let through, because an OAuth `state` goes
 * back unchanged whatever it holds; whoever stores a value judges it.
 *
 * @throws ApiError 400 `invalid-argument`
 */
export function parseStrictQuery(url: string): Record<string, string> {
  const start = url.indexOf('?');
  return parseFields(start < 0 ? '' : toAscii(url.slice(start + 1)), 'query');
}

/** A request's URL with what was not percent-encoded in it: Node hands such bytes over as Latin-1. */
export function toAscii(url: string): string {
  return url.replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function parseFields(text: string, source: 'body' | 'query'): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals), source);
    if (name in fields) throw invalidArgument(name, 'is given more than once');
    fields[name] = equals < 0 ? '' : decode(pair.slice(equals + 1), name);
  }
  return fields;
}

function decode(text: string, field: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidArgument(field, 'is not percent-encoded UTF-8');
  }
}
