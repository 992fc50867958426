import type { ErrorCode } from '#contract/errors.ts';
import type { OAuthErrorCode } from '#contract/oauth.ts';
import type { Access } from '#features/applications/actor.ts';

/** One way in which an operation fails, with the answer that it gives then. */
export interface ErrorExample {
  cause: string;
  code: ErrorCode;
  message: string;
  /** Of the OAuth endpoints, whose errors have both forms (decisions: OAuth). */
  error?: OAuthErrorCode;
}

interface Operation {
  schema: { operationId?: string; body?: object; querystring?: object; response?: Record<string, object> };
  access: Access | undefined;
}

/** Fields that name something which may not be there. */
const NAMING_FIELDS = [
  'to',
  'groupId',
  'members',
  'memberIds',
  'memberId',
  'receiverId',
  'messageId',
  'storyId',
];

/** Further causes of single operations, by status. */
const PARTICULAR: Record<string, [status: number, example: ErrorExample][]> = {
  sendMessage: [
    [400, precondition('the user never wrote to the bot', 'the user never wrote to this bot')],
    [403, denied('the user blocked the bot', 'the user blocked this bot')],
    [403, denied('the recipient is a bot', 'to names a bot; bots do not write to bots')],
  ],
  createGroup: [
    [403, denied('a bot adds a user who never wrote to it', 'members: the user never wrote to this bot')],
  ],
  addGroupMembers: [
    [403, denied('a bot adds a user who never wrote to it', 'memberIds: the user never wrote to this bot')],
    [
      429,
      {
        cause: 'the group is full',
        code: 'resource-exhausted',
        message: 'the group would have more than 1024 members',
      },
    ],
  ],
  changeGroupRole: [
    [400, precondition('a broadcast list has no roles', 'a broadcast list has no administrators to choose')],
  ],
  votePoll: [[400, precondition('the poll is closed', 'the poll is closed')]],
  closePoll: [[400, precondition('the poll is closed', 'the poll is closed')]],
  issueToken: [
    [400, ofOAuth('invalid_grant', 'code unknown, expired or used before', 'code has expired')],
    [
      400,
      ofOAuth(
        'unauthorized_client',
        'application disabled or suspended',
        'the application is disabled',
        'failed-precondition',
      ),
    ],
    [401, badClient()],
    [
      401,
      ofOAuth(
        'invalid_grant',
        'refresh token unknown, expired, revoked or used before',
        'the grant has ended (revoked-by-person): ask for consent again',
        'unauthenticated',
      ),
    ],
  ],
  revokeToken: [[401, badClient()]],
};

/** Every error that an operation can give (contract §7), in the order of the statuses. */
export function errorsOf({ schema, access }: Operation): Map<number, ErrorExample[]> {
  const errors = new Map<number, ErrorExample[]>();
  const add = (status: number, example: ErrorExample) =>
    errors.set(status, [...(errors.get(status) ?? []), example]);
  const sent = fieldsOf(schema.body ?? schema.querystring);
  if (sent.length > 0) add(400, invalid('missing or invalid field', `${sent[0]} is required`));
  if (access) {
    add(401, {
      cause: 'token absent, invalid, revoked or expired',
      code: 'unauthenticated',
      message: 'the token is invalid, revoked or expired',
    });
    add(403, denied('application disabled or suspended', 'the application is disabled'));
    if (access.scope) add(403, denied('missing scope', `the scope ${access.scope} is missing`));
    if (access.actors.length === 1)
      add(403, denied('wrong kind of credential', 'this endpoint takes another kind of credential'));
  }
  const named = sent.find((field) => NAMING_FIELDS.includes(field));
  if (named) add(404, { cause: 'not found', code: 'not-found', message: `${named} names nobody or nothing` });
  if (access && schema.response?.['201']) {
    add(409, {
      cause: 'the Idempotency-Key stands for another request',
      code: 'already-exists',
      message: 'Idempotency-Key was used with another request',
    });
  }
  if (schema.body) {
    add(413, invalid('body larger than 256 KiB', 'body is too large'));
    add(415, invalid('body of another type', 'Content-Type must be application/json in UTF-8'));
  }
  if (access?.actors.includes('bot')) {
    add(422, {
      cause: 'API key whose application has no bot',
      code: 'failed-precondition',
      message: 'the application of this API key has no bot',
    });
  }
  if (access) {
    add(429, {
      cause: 'quota exceeded',
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'quota of 60 requests per minute exceeded; try again in 12 s',
    });
  }
  for (const [status, example] of PARTICULAR[schema.operationId ?? ''] ?? []) add(status, example);
  add(500, {
    cause: 'unexpected error',
    code: 'INTERNAL_ERROR',
    message: 'unexpected error; quote request id req_… when you report it',
  });
  add(503, {
    cause: 'busy, or the database is away',
    code: 'INTERNAL_ERROR',
    message: 'the service is busy or its database is away; try again',
  });
  return new Map([...errors].toSorted(([one], [other]) => one - other));
}

/** The names of the fields that a body or query has, the required ones first. */
function fieldsOf(schema: object | undefined): string[] {
  const { properties, oneOf, required } = (schema ?? {}) as {
    properties?: object;
    oneOf?: { properties: object; required?: string[] }[];
    required?: string[];
  };
  const variant = oneOf?.[0];
  return [
    ...new Set([
      ...(variant?.required ?? required ?? []),
      ...Object.keys(variant?.properties ?? properties ?? {}),
    ]),
  ];
}

function invalid(cause: string, message: string): ErrorExample {
  return { cause, code: 'invalid-argument', message };
}

function precondition(cause: string, message: string): ErrorExample {
  return { cause, code: 'failed-precondition', message };
}

function denied(cause: string, message: string): ErrorExample {
  return { cause, code: 'permission-denied', message };
}

function badClient(): ErrorExample {
  const message = 'client_id and client_secret are not those of an application';
  return ofOAuth('invalid_client', 'wrong client credentials', message, 'unauthenticated');
}

function ofOAuth(
  error: OAuthErrorCode,
  cause: string,
  message: string,
  code: ErrorCode = 'invalid-argument',
): ErrorExample {
  return { cause, code, message, error };
}
