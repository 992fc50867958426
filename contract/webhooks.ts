import { type Static, Type } from 'typebox';
import { LOGGED_STATES, RECEIVED_TYPES } from './choices.ts';
import { optional, visibleText } from './fields.ts';
import { id, MsgId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { EVENT_TYPES, MESSAGE_EVENT_TYPES } from './webhooks/event-types.ts';
import { Finding } from './webhooks/finding.ts';

const milliseconds = Type.Optional(Type.Number({ description: 'Omitted if the phase was not needed.' }));

/** How long each phase of an attempt took, in milliseconds. A reused connection has no dns, connect or tls. */
export const AttemptTimings = Type.Object({
  dns: milliseconds,
  connect: milliseconds,
  tls: milliseconds,
  firstByte: milliseconds,
  total: Type.Number(),
});

export type AttemptTimings = Static<typeof AttemptTimings>;

/** The result of one attempt, without the message or the body of the response. */
export const Attempt = Type.Object({
  attempt: Type.Integer({ description: 'Counted from 1; a replay starts again at 1.' }),
  at: Type.Integer({ description: 'When it began, in epoch milliseconds.' }),
  host: Type.Optional(
    Type.String({ description: 'The host, with its port, of the webhook URL that was called.' }),
  ),
  status: Type.Optional(Type.Integer({ description: 'HTTP status of the answer, if one arrived.' })),
  errorClass: Type.Optional(
    Type.String({ description: 'The kind of failure, such as `timeout` or `tls_expired`.' }),
  ),
  phase: Type.Optional(Type.String({ description: 'The phase in which the attempt failed.' })),
  ...Type.Partial(Finding).properties,
  timings: Type.Optional(AttemptTimings),
});

export type Attempt = Static<typeof Attempt>;

/** One line of the event log (decisions: Webhooks). Times are epoch milliseconds. */
export const LoggedEvent = Type.Object({
  eventId: Type.String(),
  createdAt: Type.Integer(),
  type: Type.Enum(EVENT_TYPES),
  msgId: Type.Optional(MsgId),
  state: Type.Enum(LOGGED_STATES),
  attempts: Type.Integer({ description: 'Finished attempts, at most 8; a replay starts again at 0.' }),
  host: Type.Optional(Type.String({ description: 'Of the latest attempt.' })),
  status: Type.Optional(Type.Integer({ description: 'Of the latest attempt.' })),
  latencyMs: Type.Optional(Type.Number({ description: 'Of the latest attempt.' })),
  errorClass: Type.Optional(Type.String({ description: 'Of the latest attempt.' })),
  nextAttemptAt: Type.Optional(Type.Integer()),
  replayedAt: Type.Optional(Type.Integer()),
});

export type LoggedEvent = Static<typeof LoggedEvent>;

/** One event with the result of each attempt, replays included, latest last. */
export const LoggedEventDetails = Type.Object({
  ...LoggedEvent.properties,
  attemptLog: Type.Array(Attempt),
});

export type LoggedEventDetails = Static<typeof LoggedEventDetails>;

/** The beginning of what a receiver answered to a failed attempt. */
export const ReceiverAnswer = Type.Object({
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
    description: 'As they arrived, as far as they fit into 2 KiB.',
  }),
  areHeadersCut: Type.Boolean({ description: 'There were more headers.' }),
  body: Type.String({ description: 'Its first 2 KiB; empty if it is binary.' }),
  isBinary: Type.Boolean({ description: 'The body is not text in UTF-8, and is not kept.' }),
  isCut: Type.Boolean({ description: 'The body was longer.' }),
});

export type ReceiverAnswer = Static<typeof ReceiverAnswer>;

/** `data` of `GET …/events/:eventId`: with what the receiver answered to the attempts that failed. */
export const ShownEvent = Type.Object({
  ...LoggedEvent.properties,
  attemptLog: Type.Array(
    Type.Object({
      ...Attempt.properties,
      number: Type.Integer({ description: 'Counted from 1 over all replays.' }),
      answer: Type.Optional(ReceiverAnswer),
    }),
  ),
});

export type ShownEvent = Static<typeof ShownEvent>;

/** The states by which events are filtered; `failed` are those that are retried or abandoned. */
export const FILTERED_STATES = [...LOGGED_STATES, 'failed'] as const;

/** Filters of the last 100 events. */
export const EventFilter = Type.Object({
  state: Type.Optional(Type.Enum(FILTERED_STATES)),
  type: Type.Optional(Type.Enum(EVENT_TYPES)),
  since: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}$',
      description: 'Only events from this time (epoch milliseconds) on.',
    }),
  ),
});

export type EventFilter = Static<typeof EventFilter>;

/** Query of `GET …/events/search`: also beyond the last 100. */
export const EventSearch = Type.Object({
  ...EventFilter.properties,
  find: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,128}$',
      description: 'A part of the id of the event, its message, its sender, its chat or its group.',
    }),
  ),
  before: Type.Optional(id({ description: 'The `nextBefore` of an earlier answer.' })),
});

export type EventSearch = Static<typeof EventSearch>;

/** `data` of `GET …/events/search`: the newest first. An empty page need not be the last: each search covers a limited range. */
export const EventPage = Type.Object({
  events: Type.Array(LoggedEvent),
  nextBefore: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
});

export type EventPage = Static<typeof EventPage>;

/**
 * `data` of `GET …/events/:eventId/payload`: the body that was sent. Content written by people is masked; content from the owner (pings,
 * simulated events, the test person's messages) is shown in full.
 */
export const EventPayload = Type.Object({
  isMasked: Type.Boolean(),
  isUnreadable: Type.Optional(
    Type.Literal(true, { description: 'The stored event cannot be read; `payload` is empty.' }),
  ),
  payload: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
});

export type EventPayload = Static<typeof EventPayload>;

/** Body of sending all failed events again: those that happened at this time (epoch milliseconds) or later. */
export const RecoverEvents = Type.Object({ since: Type.Integer({ minimum: 0 }) });

/** `data` of a recovery: the number of events already queued; `hasMore` if a worker will send more. */
export const Recovery = Type.Object({ recovered: Type.Integer(), hasMore: Type.Boolean() });

export type Recovery = Static<typeof Recovery>;

/** Body of simulating an event. `isMentioned` is only for group messages; `text` only for type `text`. */
export const SimulateEvent = Type.Object(
  {
    event: Type.Enum(MESSAGE_EVENT_TYPES, {
      description: 'Which event to simulate.',
    }),
    type: Type.Enum(RECEIVED_TYPES, { description: 'The type of the simulated message.' }),
    isMentioned: optional(
      Type.Boolean({ description: 'Whether the bot is mentioned; for `group_message.received` only.' }),
    ),
    text: optional(visibleText(LIMITS.textLength, 'The text of the message; for type `text` only.')),
  },
  { title: 'SimulateEvent', description: 'An event to simulate.' },
);

export type SimulateEvent = Static<typeof SimulateEvent>;

/** `data` of a simulated event: find it in the event log by its `eventId`. */
export const SimulatedEvent = Type.Object(
  { eventId: Type.String({ description: 'Id of the event in the event log.' }), msgId: MsgId },
  { title: 'SimulatedEvent', description: 'The event that was simulated.' },
);

export type SimulatedEvent = Static<typeof SimulatedEvent>;

/** Body of the signature check: the request as received. Without `secret`, the application's own is used. */
export const CheckSignature = Type.Object({
  header: Type.String({ maxLength: 4096, description: 'Value of `X-Service-Signature`.' }),
  body: Type.String({ maxLength: 128 * 1024, description: 'The raw body, exactly as it arrived.' }),
  secret: Type.Optional(Type.String({ maxLength: 1024 })),
});

export type CheckSignature = Static<typeof CheckSignature>;

/** The parts of a signed request that can be wrong. */
export const SIGNED_PARTS = ['header', 'timestamp', 'key', 'body', 'signature'] as const;

/** `data` of the signature check: what is wrong with which part, and what to do. */
export const SignatureVerdict = Type.Object({
  isValid: Type.Boolean(),
  faults: Type.Array(Type.Object({ part: Type.Enum(SIGNED_PARTS), ...Finding.properties })),
});

export type SignatureVerdict = Static<typeof SignatureVerdict>;

/** The events that the endpoint audit sends, in this order. */
export const AUDIT_CHECKS = ['genuine', 'duplicate', 'forged', 'stale'] as const;

/** `data` of the endpoint audit. An audit passes if no check has a fault. */
export const EndpointAudit = Type.Object({
  isPassed: Type.Boolean(),
  checks: Type.Array(
    Type.Object({
      check: Type.Enum(AUDIT_CHECKS),
      isAccepted: Type.Boolean({ description: 'Whether the receiver answered 2xx.' }),
      isFault: Type.Boolean(),
      ...Finding.properties,
      attempt: Attempt,
    }),
  ),
});

export type EndpointAudit = Static<typeof EndpointAudit>;

/** Body of a new webhook secret: how long the old one also signs; if omitted, it is replaced immediately. */
export const RenewWebhookSecret = Type.Unsafe<{ overlapHours?: number } | null>({
  type: ['object', 'null'],
  properties: { overlapHours: { type: 'integer', minimum: 1, maximum: 24 } },
});
