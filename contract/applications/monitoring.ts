import { type Static, Type } from 'typebox';
import { ApplicationSummary } from '../applications.ts';
import { Bot } from '../bots.ts';
import { id } from '../ids.ts';
import { ROLES } from './team.ts';

/**
 * Who called: the bot by its API key, the application by a person's access token, or the application as itself by its
 * client secret (`POST /oauth/token` and `/oauth/revoke`).
 */
export const CALLER_KINDS = ['bot', 'user', 'client'] as const;

export type CallerKind = (typeof CALLER_KINDS)[number];

/** Maximum number of requests that the API log keeps per application; the operator configures for how long. */
export const API_LOG = { requests: 10_000 } as const;

/** One line of the API log, without body, token or network address. */
export const LoggedRequest = Type.Object(
  {
    requestId: Type.String({ description: 'The `X-Request-Id` of the answer.' }),
    at: Type.Integer({ description: 'When it was answered, in epoch milliseconds.' }),
    caller: Type.Enum(CALLER_KINDS),
    method: Type.String(),
    route: Type.String({ description: 'The pattern of the path, such as `/v1/messages`.' }),
    status: Type.Integer(),
    durationMs: Type.Number(),
    code: Type.Optional(Type.String({ description: 'Of an error.' })),
    message: Type.Optional(Type.String({ description: 'Of an error.' })),
    unknownFields: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Fields of the body that the endpoint does not know and ignored, without values; 5 at most.',
      }),
    ),
  },
  { title: 'LoggedRequest', description: 'One request to the API: no body, no token, no address.' },
);

export type LoggedRequest = Static<typeof LoggedRequest>;

/** Query of the API log. `before` is the `nextBefore` of the previous page. */
export const RequestFilter = Type.Object({
  before: Type.Optional(id()),
  status: Type.Optional(Type.Enum(['2xx', '4xx', '5xx', 'error'] as const)),
  route: Type.Optional(Type.String({ maxLength: 200 })),
  code: Type.Optional(Type.String({ maxLength: 64 })),
  requestId: Type.Optional(id()),
});

export type RequestFilter = Static<typeof RequestFilter>;

export const RequestQuery = Type.Object({
  before: Type.Optional(id({ description: 'The `nextBefore` of an earlier answer.' })),
});

/** `data` of `GET …/requests`: newest first. */
export const RequestPage = Type.Object(
  {
    requests: Type.Array(LoggedRequest),
    nextBefore: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
  },
  { title: 'RequestPage', description: 'A page of the API log, the newest request first.' },
);

export type RequestPage = Static<typeof RequestPage>;

/** Identical errors: the same route, code and message. */
export const ErrorGroup = Type.Object({
  method: Type.String(),
  route: Type.String(),
  status: Type.Integer(),
  code: Type.String(),
  message: Type.String(),
  count: Type.Integer(),
  firstAt: Type.Integer(),
  lastAt: Type.Integer(),
  lastRequestId: Type.String(),
});

export type ErrorGroup = Static<typeof ErrorGroup>;

/** `data` of `GET …/requests/errors`: the most frequent errors in the API log first, 100 at most. */
export const ErrorGroups = Type.Array(ErrorGroup);

/** The spans of time over which usage is counted, and how far back each goes. */
export const USAGE_SPANS = {
  minute: { ms: 60_000, count: 60 },
  hour: { ms: 3_600_000, count: 168 },
} as const;

export type UsageSpan = keyof typeof USAGE_SPANS;

/** Epoch milliseconds in a query. */
const Instant = Type.String({ pattern: '^[0-9]{1,15}$' });

/** Which usage is shown: by minute for an hour, or by hour for 7 days, or a part of that; of all routes, or of one. */
export const UsageQuery = Type.Object({
  span: Type.Optional(Type.Enum(['minute', 'hour'] as const)),
  method: Type.Optional(Type.String({ maxLength: 10 })),
  route: Type.Optional(Type.String({ maxLength: 200 })),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
});

export type UsageQuery = Static<typeof UsageQuery>;

const counted = {
  requests: Type.Integer(),
  clientErrors: Type.Integer({ description: 'Answers with a status of 400 to 499.' }),
  serverErrors: Type.Integer({ description: 'Answers with a status of 500 or above.' }),
  p50Ms: Type.Optional(Type.Number({ description: 'Omitted if there were no requests.' })),
  p95Ms: Type.Optional(Type.Number()),
};

/** A quota as of the latest answer; once its window is over, it counts as unused. */
export const QuotaUse = Type.Object({
  limit: Type.Integer(),
  used: Type.Integer(),
  resetAt: Type.Optional(Type.Integer({ description: 'Omitted if no window is open.' })),
});

export type QuotaUse = Static<typeof QuotaUse>;

/** `data` of `GET …/usage`. Every request is counted, including those that the API log omits under high load. */
export const Usage = Type.Object({
  span: Type.Enum(['minute', 'hour'] as const),
  requestsPerMinute: Type.Integer({ description: 'The quota per endpoint and kind of caller.' }),
  routes: Type.Array(
    Type.Object({
      caller: Type.Enum(CALLER_KINDS),
      method: Type.String(),
      route: Type.String(),
      quota: Type.Optional(QuotaUse),
      ...counted,
    }),
    { description: 'Totals for the whole time shown, the busiest route first.' },
  ),
  series: Type.Array(Type.Object({ startedAt: Type.Integer(), ...counted }), {
    description: 'Oldest first, without gaps.',
  }),
});

export type Usage = Static<typeof Usage>;

/** `data` of `GET …/overview`: the last 24 hours of an application. */
export const Overview = Type.Object({
  hours: Type.Array(
    Type.Object({
      startedAt: Type.Integer(),
      requests: Type.Integer(),
      sends: Type.Integer({ description: 'Messages and polls that were sent, without refused ones.' }),
      errors: Type.Integer({ description: 'Answers with a status of 400 or above.' }),
      deliveries: Type.Integer({ description: 'Attempts to deliver an event.' }),
      failedDeliveries: Type.Integer(),
      p95Ms: Type.Optional(Type.Number({ description: 'Omitted if there were no requests.' })),
    }),
    { description: 'Oldest first, without gaps.' },
  ),
  p50Ms: Type.Optional(Type.Number({ description: 'Omitted if there were no requests.' })),
  p95Ms: Type.Optional(Type.Number()),
  failing: Type.Array(ErrorGroup, {
    description: 'Errors in the last hour, the most frequent first; 5 at most.',
  }),
  busiest: Type.Optional(
    Type.Object(
      { method: Type.String(), route: Type.String(), quota: QuotaUse },
      { description: 'The endpoint with the least of its quota left; omitted if no window is open.' },
    ),
  ),
});

export type Overview = Static<typeof Overview>;

/** One hour of an application's card. */
export const CardHour = Type.Object({
  startedAt: Type.Integer(),
  requests: Type.Integer(),
  errors: Type.Integer(),
  deliveries: Type.Integer({ description: 'Attempts to deliver an event.' }),
  failedDeliveries: Type.Integer(),
});

export const ConsoleHome = Type.Object({
  limit: Type.Integer({ description: 'How many applications an account may have.' }),
  used: Type.Integer(),
  applications: Type.Array(
    Type.Object({
      ...ApplicationSummary.properties,
      role: Type.Enum(ROLES, {
        description: 'Your role in its team. Applications of other owners come last.',
      }),
      bot: Type.Optional(Type.Pick(Bot, ['userId', 'name', 'username', 'pictureUrl'])),
      keyLastUsedAt: Type.Optional(Type.Integer({ description: 'Omitted if none has ever been used.' })),
      hours: Type.Array(CardHour, { description: 'The last 24 hours, oldest first.' }),
    }),
  ),
});

export type ConsoleHome = Static<typeof ConsoleHome>;

/** Query of what a consent page would show; without `scope`, every scope that a person can grant. */
export const ConsentPreviewQuery = Type.Object({
  scope: Type.Optional(Type.String({ maxLength: 256 })),
  redirectUri: Type.Optional(Type.String({ maxLength: 2048 })),
});

/** `data` of `GET …/consent-preview`: the texts of the consent page, in the reader's language. */
export const ConsentPreview = Type.Object({
  question: Type.String(),
  ifYouApprove: Type.String(),
  scopes: Type.Array(Type.Object({ scope: Type.String(), title: Type.String(), detail: Type.String() })),
  goesOnTo: Type.Optional(
    Type.String({ description: 'Where the browser goes; absent without `redirectUri`.' }),
  ),
  deny: Type.String(),
  approve: Type.String(),
});
