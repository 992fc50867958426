import type { Access, EndpointFor } from '#contract/endpoints.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { LIMITS } from '#contract/limits.ts';
import { UPLOAD_BYTES } from '#contract/media.ts';
import type { OAuthErrorCode } from '#contract/oauth.ts';
import { type Said, say, sayOfField } from '#contract/reasons.ts';
import { rateLimitExceeded } from '#platform/errors.ts';
import type { Schema } from './components.ts';

/** An error that an operation can give, with an example response. */
export interface ErrorExample {
  status: number;
  cause: string;
  code: ErrorCode;
  message: string;
  error?: OAuthErrorCode | undefined;
}

interface Operation {
  /** Method and path. */
  endpoint: string;
  schema: { consumes?: string[]; body?: Schema; querystring?: Schema; response?: Record<string, object> };
  access: Access | undefined;
  entry: EndpointFor['everybody'] | undefined;
}

const STATUSES: Record<ErrorCode, number> = {
  'invalid-argument': 400,
  'failed-precondition': 400,
  unauthenticated: 401,
  'permission-denied': 403,
  'not-found': 404,
  'already-exists': 409,
  RATE_LIMIT_EXCEEDED: 429,
  'resource-exhausted': 429,
  INTERNAL_ERROR: 500,
};

function bodyErrors(limitBytes: number, types: readonly string[]): ErrorExample[] {
  return [
    of('invalid-argument', `body larger than ${limitBytes / 1024} KiB`, say('http.too-large'), 413),
    ofOtherType(`${types.join(' or ')} in UTF-8`),
  ];
}

const FORM_ERRORS = [
  of('invalid-argument', 'no Content-Length', say('http.content-length-missing'), 411),
  of(
    'invalid-argument',
    'the file is too large',
    sayOfField('file', 'too-large', { count: UPLOAD_BYTES }),
    413,
  ),
  ofOtherType('multipart/form-data'),
];

const KEY_REUSED = of(
  'already-exists',
  'Idempotency-Key used with another request',
  say('idempotency.other-request'),
);

const SERVER_ERRORS = [
  of('INTERNAL_ERROR', 'unexpected error', say('http.unexpected', { id: 'req_01m7y78nmd0006nmrk1jnnwe' })),
  of('INTERNAL_ERROR', 'busy, or the database is away', say('service.unavailable'), 503),
];

/** Every error that an operation can give (contract §7), by status. */
export function errorsOf({ endpoint, schema, access, entry = {} }: Operation): Map<number, ErrorExample[]> {
  const { form, creates, errors: refusals = [] } = entry;
  const field = requiredField((form as Schema | undefined) ?? schema.body ?? schema.querystring);
  const limitBytes = access ? LIMITS.bodyBytes : LIMITS.bodyBytesWithoutCredential;
  const errors = [
    field
      ? of('invalid-argument', 'missing or invalid field', sayOfField(field, 'required'))
      : of('invalid-argument', 'malformed request', say('http.url')),
    ...(schema.body ? bodyErrors(limitBytes, schema.consumes ?? ['application/json']) : []),
    ...(form ? FORM_ERRORS : []),
    ...(access ? errorsOfAccess(access, endpoint) : []),
    ...(creates ? [KEY_REUSED] : []),
    ...refusals.map(({ code, cause, said, error }) => ({ ...of(code, cause, said), error })),
    ...SERVER_ERRORS,
  ];
  return Map.groupBy(
    errors.toSorted((one, other) => one.status - other.status),
    ({ status }) => status,
  );
}

function errorsOfAccess({ actors, scope }: Access, endpoint: string): ErrorExample[] {
  const [only] = actors.length === 1 ? actors : [];
  const takesKeys = actors.includes('bot');
  const denied = (cause: string, said: Said) => of('permission-denied', cause, said);
  return [
    of('unauthenticated', 'token missing, invalid, revoked or expired', say('credential.invalid')),
    denied('application disabled or suspended', say('application.not-active', { state: 'disabled' })),
    scope &&
      denied(
        'missing scope',
        say(takesKeys ? 'credential.scope-missing' : 'credential.scope-not-granted', { scope }),
      ),
    only === 'bot' && denied('access token instead of an API key', say('credential.no-oauth-token')),
    only === 'user' && denied('API key instead of an access token', say('credential.no-api-key')),
    takesKeys &&
      of('failed-precondition', 'application without a bot', say('application.key-without-bot'), 422),
    of('RATE_LIMIT_EXCEEDED', 'quota exceeded', say('quota.exceeded', { limit: 60, route: endpoint })),
  ].filter((error) => !!error);
}

function of(code: ErrorCode, cause: string, said: Said, status = STATUSES[code]): ErrorExample {
  const { message } = code === 'RATE_LIMIT_EXCEEDED' ? rateLimitExceeded(said, 12) : said;
  return { status, cause, code, message };
}

function ofOtherType(type: string): ErrorExample {
  return of('invalid-argument', 'body of another type', say('http.content-type', { type }), 415);
}

/** A field that the body or query requires. */
function requiredField(schema: Schema = {}): string | undefined {
  const { required = [] } = schema.oneOf?.[0] ?? schema;
  return required.find((field) => field !== schema.discriminator?.propertyName);
}
