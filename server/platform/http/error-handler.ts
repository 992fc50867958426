import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { isUnavailable } from '../database.ts';
import { ApiError, invalidArgument, notFound, shorten, unavailable } from '../errors.ts';
import { failure } from './envelope.ts';

/** The only place where errors become answers: whatever was thrown becomes the error envelope (contract §7). */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { status, code, message, headers } = readError(error, request);
  reply.code(status).headers(headers).type('application/json; charset=utf-8').send(failure(code, message));
}

/** The part of an error that the caller may know; the operator's part goes to the log. */
export function readError(error: unknown, request: FastifyRequest): ApiError {
  if (isHangUp(error, request)) {
    request.log.debug(requestFields(request), 'the client hung up before its request was complete');
    return invalidArgument('body', 'ended early');
  }
  const known = toApiError(error);
  if (!known) request.log.error({ err: error, ...requestFields(request) }, 'unexpected error');
  else if (known.status >= 500) request.log.warn({ err: error, ...requestFields(request) }, known.message);
  return (
    known ??
    new ApiError(500, 'INTERNAL_ERROR', `unexpected error; quote request id ${request.id} when you report it`)
  );
}

/** Fields of a log line about a request. The route is the pattern: a path may hold ids and secrets. */
export function requestFields({ id, method, route }: FastifyRequest) {
  return { requestId: id, method, route: route?.url ?? 'unknown' };
}

/** The very error that ended the body: one of the database's may have the same code. */
function isHangUp(error: unknown, { raw }: FastifyRequest): boolean {
  return error instanceof Error && error === raw.errored;
}

export function answerNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split('?', 1)[0] as string;
  answerError(notFound(`there is no ${request.method} ${shorten(path)}`), request, reply);
}

/** Requests that never became one: what Node's HTTP parser refused is answered on the bare socket. */
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
  if (isUnavailable(error)) return unavailable();
  if (!(error instanceof Error)) return undefined;
  const { code, statusCode, validation } = error as Partial<FastifyError>;
  if (validation?.[0]) return validationFault(validation[0], (error as FastifyError).validationContext);
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError(413, 'invalid-argument', 'body is too large');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError(415, 'invalid-argument', 'Content-Type must be application/json');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError(400, 'invalid-argument', 'body is not as long as Content-Length says');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return invalidArgument('body', 'is missing');
    case 'FST_ERR_BAD_URL':
      return new ApiError(400, 'invalid-argument', 'the URL is not valid');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return notFound('there is no such path');
  }
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    return new ApiError(statusCode, 'invalid-argument', error.message);
  }
  return undefined;
}

function validationFault(fault: FastifySchemaValidationError, context = 'body'): ApiError {
  const path = fault.instancePath.slice(1).replaceAll('/', '.');
  const inside = (property: unknown) => (path ? `${path}.${property}` : String(property));
  const { params } = fault;
  switch (fault.keyword) {
    case 'required':
      return invalidArgument(inside(params['missingProperty']), 'is required');
    case 'discriminator':
      return invalidArgument(inside(params['tag']), 'is missing or not one of the known types');
    case 'type':
      if (params['type'] === 'null') return invalidArgument(path, 'is not used by this type');
      if (!path) return invalidArgument(context, `must be a JSON ${params['type']}`);
      return invalidArgument(
        path,
        `must be ${[params['type']]
          .flat()
          .filter((type) => type !== 'null')
          .join(' or ')}`,
      );
    case 'maxLength':
      return invalidArgument(path, `must have at most ${params['limit']} characters`);
    case 'minLength':
      return invalidArgument(path, `must have at least ${params['limit']} characters`);
    case 'maxItems':
      return invalidArgument(path, `must have at most ${params['limit']} entries`);
    case 'minItems':
      return invalidArgument(path, `must have at least ${params['limit']} entries`);
    case 'minimum':
    case 'maximum':
      return invalidArgument(path, `must be ${params['comparison']} ${params['limit']}`);
    case 'pattern':
      return invalidArgument(path, patternFault(String(params['pattern'])));
    case 'const':
    case 'enum':
    case 'anyOf':
      return invalidArgument(path || context, 'is not one of the allowed values');
    default:
      return invalidArgument(path || context, fault.message ?? 'is not valid');
  }
}

function patternFault(pattern: string): string {
  if (pattern === '\\S') return 'must not be only white space';
  if (pattern === '^https://') return 'must begin with https://';
  if (pattern === '^(https://|/media/)') return 'must begin with https://, or be the url of an upload';
  return `must match ${pattern}`;
}
