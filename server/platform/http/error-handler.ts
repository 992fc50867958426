import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { VISIBLE } from '#contract/fields.ts';
import { ID_PATTERN } from '#contract/ids.ts';
import { type FieldFault, say } from '#contract/reasons.ts';
import { isDeadlock, isSerializationFailure, isUnavailable } from '../database.ts';
import { ApiError, invalidArgument, notFound, shorten, unavailable } from '../errors.ts';
import { failure } from './envelope.ts';

/** The only place where errors become responses, in the error envelope (contract §7). */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = readError(error, request);
  const body = failure(known.code, known.message);
  // Pages translate the reason, and add the wait themselves.
  sendError(reply, known, request.url.startsWith('/api/') ? { ...body, ...known.said } : body);
}

export function sendError(
  reply: FastifyReply,
  { status, code, message, headers }: Pick<ApiError, 'status' | 'code' | 'message' | 'headers'>,
  body: object = failure(code, message),
): FastifyReply {
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
}

/** The part of an error for the caller; the operator's part is logged. */
export function readError(error: unknown, request: FastifyRequest): ApiError {
  if (isHangUp(error, request)) {
    request.log.debug(requestFields(request), 'the client hung up before its request was complete');
    return invalidArgument('body', 'ended-early');
  }
  const known = toApiError(error);
  if (!known) request.log.error({ err: error, ...requestFields(request) }, 'unexpected error');
  else if (known.status === 503) logRefusal(error, known, request);
  else if (known.status >= 500) request.log.warn({ err: error, ...requestFields(request) }, known.message);
  return known ?? new ApiError(500, 'INTERNAL_ERROR', say('http.unexpected', { id: request.id }));
}

const REFUSALS_EVERY_MS = 1_000;
const lastRefusals = new WeakMap<object, { at: number; unlogged: number }>();

/** One line a second: under load, and while the database is away, there are thousands of the same kind. */
function logRefusal(error: unknown, { said, message }: ApiError, request: FastifyRequest): void {
  if (said.reason === 'service.maintenance') return;
  const now = performance.now();
  const last = lastRefusals.get(request.server);
  if (last && now - last.at < REFUSALS_EVERY_MS) {
    last.unlogged++;
    return;
  }
  request.log.warn({ err: error, ...requestFields(request), unlogged: last?.unlogged ?? 0 }, message);
  lastRefusals.set(request.server, { at: now, unlogged: 0 });
}

/** Fields of a log line about a request. The route is the pattern: a path may contain IDs and secrets. */
export function requestFields({ id, method, route }: FastifyRequest) {
  return { requestId: id, method, route: route?.url ?? 'unknown' };
}

/** Compares with the error that ended the body, since a database error may have the same code. */
function isHangUp(error: unknown, { raw }: FastifyRequest): boolean {
  return error instanceof Error && error === raw.errored;
}

export function answerNotFound(request: FastifyRequest, reply: FastifyReply): void {
  answerError(noRoute(request), request, reply);
}

/** 404 for a path, or a method at it, that nothing serves. */
export function noRoute({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): ApiError {
  return notFound('http.no-route', { method, path: shorten(url.split('?', 1)[0] as string) });
}

/** Answers what Node's HTTP parser rejected, on the bare socket. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Record<string, string>,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, text, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ([431, 'Request Header Fields Too Large', 'headers are too large'] as const)
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ([408, 'Request Timeout', 'the request did not arrive in time'] as const)
        : ([400, 'Bad Request', 'the request is not valid HTTP'] as const);
  const body = JSON.stringify(failure('invalid-argument', message));
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${text}\r\n${lines.join('')}\r\n${body}`);
}

function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error) || isDeadlock(error) || isSerializationFailure(error)) return unavailable();
  if (!(error instanceof Error)) return undefined;
  const { code, statusCode, validation } = error as Partial<FastifyError>;
  if (validation?.[0]) return validationFault(validation[0], (error as FastifyError).validationContext);
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError(413, 'invalid-argument', say('http.too-large'));
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError(415, 'invalid-argument', say('http.content-type', { type: 'application/json' }));
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError(400, 'invalid-argument', say('http.content-length-wrong'));
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return invalidArgument('body', 'missing');
    case 'FST_ERR_BAD_URL':
      return new ApiError(400, 'invalid-argument', say('http.url'));
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound('http.no-path');
  }
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    return new ApiError(statusCode, 'invalid-argument', say('http.refused', { message: error.message }));
  }
  return undefined;
}

/** With the value and the surrounding schema, which Ajv adds with `verbose`. */
interface SchemaFault extends FastifySchemaValidationError {
  data?: unknown;
  parentSchema?: { oneOf?: { properties?: Record<string, { const?: string }> }[] };
}

function validationFault(fault: SchemaFault, context = 'body'): ApiError {
  const path = fault.instancePath.slice(1).replaceAll('/', '.');
  const inside = (property: unknown) => (path ? `${path}.${property}` : String(property));
  const { params } = fault;
  const paramOf = (name: string) => String(params[name]);
  switch (fault.keyword) {
    case 'required':
      return invalidArgument(inside(params['missingProperty']), 'required');
    case 'additionalProperties':
      return invalidArgument(inside(params['additionalProperty']), 'unknown');
    case 'discriminator':
      return invalidArgument(inside(params['tag']), 'not-one-of', { values: tagsOf(fault) });
    case 'type':
      if (params['type'] === 'null') return invalidArgument(path, 'not-of-type');
      if (!path) return invalidArgument(context, 'json-type', { type: paramOf('type') });
      return invalidArgument(path, 'type', {
        type: [params['type']]
          .flat()
          .filter((type) => type !== 'null')
          .join(' or '),
      });
    case 'maxLength':
      return invalidArgument(path, 'too-long', { limit: paramOf('limit') });
    case 'minLength':
      return invalidArgument(path, 'too-short', { limit: paramOf('limit') });
    case 'maxItems':
      return invalidArgument(path, 'too-many-entries', { limit: paramOf('limit') });
    case 'minItems':
      return invalidArgument(path, 'too-few-entries', { limit: paramOf('limit') });
    case 'uniqueItems':
      return invalidArgument(path, 'repeated-entry', {
        word: String([fault.data].flat()[Number(params['i'])]),
      });
    case 'minimum':
    case 'maximum':
      return invalidArgument(path, 'range', { comparison: paramOf('comparison'), limit: paramOf('limit') });
    case 'pattern':
      return patternFault(path, paramOf('pattern'));
    case 'const':
      return invalidArgument(path || context, 'not-one-of', { values: paramOf('allowedValue') });
    case 'enum':
      return invalidArgument(path || context, 'not-one-of', {
        values: [params['allowedValues']].flat().join(', '),
      });
    case 'anyOf':
      return invalidArgument(path || context, 'not-allowed');
    default:
      return invalidArgument(path || context, 'not-valid');
  }
}

function tagsOf({ params, parentSchema }: SchemaFault): string {
  const tag = String(params['tag']);
  const variants = parentSchema?.oneOf ?? [];
  return variants.flatMap(({ properties }) => properties?.[tag]?.const ?? []).join(', ');
}

/** Patterns of the contract in words. */
const PATTERNS = {
  '\\S': 'blank',
  [VISIBLE]: 'blank',
  '^https://': 'https',
  '^(https://|/media/)': 'https-or-upload',
  [ID_PATTERN]: 'id',
  '^[0-9]{1,4}$': 'whole-number',
  '^[0-9]{1,15}$': 'whole-number',
  '^-?[0-9]{1,9}$': 'whole-number',
  '^([0-9]{1,15}|acknowledged)$': 'feed-position',
  '^[a-z0-9_]+$': 'lowercase',
  '^[a-z0-9_]*bot$': 'bot-username',
  '^[a-z](?!.*bot$)[a-z0-9_]*$': 'username',
} as const satisfies Record<string, FieldFault>;

function patternFault(path: string, pattern: string): ApiError {
  return pattern in PATTERNS
    ? invalidArgument(path, PATTERNS[pattern as keyof typeof PATTERNS])
    : invalidArgument(path, 'pattern', { pattern });
}
