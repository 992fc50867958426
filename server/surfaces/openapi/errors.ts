import type { Access } from '#contract/endpoints.ts';
import { say } from '#contract/reasons.ts';
import type { Schema } from './components.ts';
import { denied, type ErrorExample, error, invalid, tooFast } from './error-example.ts';
import { PARTICULAR_ERRORS } from './particular-errors.ts';

interface Operation {
  /** Method and path. */
  endpoint: string;
  schema: { operationId?: string; body?: Schema; querystring?: Schema; response?: Record<string, object> };
  access: Access | undefined;
}

const BODY_ERRORS = [
  error(413, 'invalid-argument', 'body larger than 256 KiB', 'body is too large'),
  error(415, 'invalid-argument', 'body of another type', 'Content-Type must be application/json'),
];

const KEY_REUSED = error(
  409,
  'already-exists',
  'Idempotency-Key used with another request',
  'Idempotency-Key was already used for another request',
);

const SERVER_ERRORS = [
  error(
    500,
    'INTERNAL_ERROR',
    'unexpected error',
    'unexpected error; quote request id req_01m7y78nmd0006nmrk1jnnwe when you report it',
  ),
  error(
    503,
    'INTERNAL_ERROR',
    'busy, or the database is away',
    'the service is busy or its database is unavailable; try again',
  ),
];

/** Every error that an operation can give (contract §7), by status. */
export function errorsOf({ endpoint, schema, access }: Operation): Map<number, ErrorExample[]> {
  const field = requiredField(schema.body ?? schema.querystring);
  const errors = [
    field
      ? invalid('missing or invalid field', `${field} is required`)
      : invalid('malformed request', 'the URL is not valid'),
    ...(schema.body ? BODY_ERRORS : []),
    ...(access ? errorsOfAccess(access, endpoint) : []),
    ...(access && schema.response?.['201'] ? [KEY_REUSED] : []),
    ...(PARTICULAR_ERRORS[schema.operationId ?? ''] ?? []),
    ...SERVER_ERRORS,
  ];
  return Map.groupBy(
    errors.toSorted((one, other) => one.status - other.status),
    ({ status }) => status,
  );
}

function errorsOfAccess({ actors, scope }: Access, endpoint: string): ErrorExample[] {
  const [only] = actors.length === 1 ? actors : [];
  return [
    error(
      401,
      'unauthenticated',
      'token missing, invalid, revoked or expired',
      'the token is invalid, revoked or expired',
    ),
    denied('application disabled or suspended', 'the application is disabled'),
    ...(scope
      ? [
          denied(
            'missing scope',
            say(actors.includes('bot') ? 'credential.scope-missing' : 'credential.scope-not-granted', {
              scope,
            }).message,
          ),
        ]
      : []),
    ...(only === 'bot'
      ? [
          denied(
            'access token instead of an API key',
            'this endpoint takes an API key, not an OAuth access token',
          ),
        ]
      : []),
    ...(only === 'user'
      ? [
          denied(
            'API key instead of an access token',
            'this endpoint takes an OAuth access token, not an API key',
          ),
        ]
      : []),
    ...(actors.includes('bot')
      ? [
          error(
            422,
            'failed-precondition',
            'application without a bot',
            'the application of this API key has no bot',
          ),
        ]
      : []),
    tooFast('quota exceeded', `quota of 60 requests per minute for ${endpoint} exceeded`),
  ];
}

/** A field that the body or query requires. */
function requiredField(schema: Schema = {}): string | undefined {
  const { required = [] } = schema.oneOf?.[0] ?? schema;
  return required.find((field) => field !== schema.discriminator?.propertyName);
}
