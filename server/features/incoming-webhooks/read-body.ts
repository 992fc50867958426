import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS } from '#contract/limits.ts';
import { say } from '#contract/reasons.ts';
import { ApiError, invalidArgument } from '#platform/errors.ts';
import { parseStrictForm } from '#platform/http/parsing/form.ts';
import { decodeUtf8, parseStrictJson } from '#platform/http/parsing/strict-json.ts';
import { isObject } from './render/json.ts';
import type { Posted } from './render/render.ts';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

/**
 * Reads a tool's post: JSON, a form whose `payload` is JSON, or plain text. Tools and scripts often send a wrong
 * `Content-Type`, so a JSON object is recognized whatever the header says.
 *
 * @throws ApiError 400, 415
 */
export function readPosted(headers: IncomingHttpHeaders, body: unknown): Posted {
  if (!Buffer.isBuffer(body) || body.length === 0) throw invalidArgument('body', 'missing');
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') throw new ApiError(415, 'invalid-argument', say('http.content-encoding'));
  if (FORM_TYPE.test(type) && body[0] !== 0x7b) {
    const { payload } = parseStrictForm(body);
    if (payload === undefined) throw invalidArgument('payload', 'required');
    return readObject(Buffer.from(payload));
  }
  if (JSON_TYPE.test(type) || body[0] === 0x7b) return readObject(body);
  return decodeUtf8(body);
}

function readObject(json: Buffer): Posted {
  const value = parseStrictJson(json, { bodyLimit: LIMITS.incomingWebhookBytes, takesLargeNumbers: true });
  if (!isObject(value)) throw invalidArgument('body', 'json-type', { type: 'object' });
  return value;
}
