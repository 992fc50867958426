import { type Static, Type } from 'typebox';
import { confirmation, optional } from '../fields.ts';
import { id } from '../ids.ts';
import { CHOSEN_EVENT_BODIES, type ChosenEventBody } from './chosen-events.ts';
import { GroupMessageReceived, MessageReceived, Ping } from './events.ts';

/** Maximum and default number of events on a page of the feed. */
export const FEED_PAGE = { most: 500, usual: 100 } as const;

/** `limit` as clients see it. On the wire it is text, like everything in a query, and its form is checked as text. */
export const PUBLISHED_LIMIT = {
  type: 'integer',
  minimum: 1,
  maximum: FEED_PAGE.most,
  default: FEED_PAGE.usual,
} as const;

const Limit = Type.String({ pattern: '^[0-9]{1,4}$', description: '1 to 500. Default 100.' });

/** Maximum number of events that one call can acknowledge or replay. */
const MOST_EVENTS = 100;

/** Means the last acknowledged position. */
export const ACKNOWLEDGED = 'acknowledged';

const Cursor = Type.String({ pattern: '^[0-9]{1,15}$' });

/**
 * Query of `GET /v1/events`, an extension of the contract. `after` is a `cursor` or `nextAfter` from an earlier answer, or
 * `acknowledged`; without it, a page begins with the oldest stored event, and a stream with the next new one.
 */
export const FeedQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: `^([0-9]{1,15}|${ACKNOWLEDGED})$`,
      description:
        'A `cursor` or `nextAfter` from an earlier answer, or `acknowledged` for what follows the last acknowledged ' +
        'event. Without it, a page begins with the oldest event that is kept, and a stream with the next one.',
    }),
  ),
  limit: Type.Optional(Limit),
});

/** The bytes that a webhook receives (contract §6). */
const Body = Type.Unsafe<
  Static<typeof MessageReceived> | Static<typeof GroupMessageReceived> | Static<typeof Ping> | ChosenEventBody
>({
  title: 'ReceivedEvent',
  description: 'The body that a webhook gets.',
  oneOf: [MessageReceived, GroupMessageReceived, Ping, ...CHOSEN_EVENT_BODIES],
  discriminator: { propertyName: 'type' },
});

/** One event of the feed. */
const FeedEvent = Type.Object(
  {
    cursor: Cursor,
    eventId: Type.String(),
    createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
    event: Body,
  },
  { title: 'FeedEvent', description: 'An event with its position in the feed.' },
);

/** `data` of `GET /v1/events`: oldest first, in a stable order; later events are only added at the end. */
export const FeedPage = Type.Object(
  {
    events: Type.Array(FeedEvent),
    nextAfter: Type.String({
      description: 'Pass it as `after` to get what follows, also when nothing follows yet.',
    }),
    hasMore: Type.Boolean({ description: 'Whether more events are available now.' }),
  },
  { title: 'EventPage', description: 'A page of events, the oldest first.' },
);

/** An event that a bot gives up. */
const FailedEvent = Type.Object(
  {
    cursor: Type.String({ ...Cursor, description: 'The event, by its cursor.' }),
    attempts: Type.Integer({ minimum: 1, maximum: 1000, description: 'How often the bot tried.' }),
    error: optional(
      Type.String({
        pattern: '^[A-Za-z_$][A-Za-z0-9_$.]{0,63}$',
        description:
          'Name of the error, such as `TypeError`. Not its message, which may quote what people wrote.',
      }),
    ),
  },
  { title: 'FailedEvent', description: 'An event that the bot gives up.' },
);

export const AcknowledgeEvents = Type.Object(
  {
    upTo: optional(
      Type.String({
        ...Cursor,
        description: 'Every event up to this cursor was handled, or is in `failed`.',
      }),
    ),
    failed: optional(
      Type.Array(FailedEvent, {
        maxItems: MOST_EVENTS,
        description: 'Events that the bot gives up. They become dead letters.',
      }),
    ),
  },
  {
    title: 'AcknowledgeEvents',
    description: 'How far the bot has handled its events, and which it gives up.',
  },
);

export type AcknowledgeEvents = Static<typeof AcknowledgeEvents>;

export const AcknowledgedEvents = confirmation(
  'acknowledged',
  'AcknowledgedEvents',
  'The position is stored, and the dead letters are in the event log.',
);

export const DeadLetterQuery = Type.Object({
  after: Type.Optional(id({ description: 'The `nextAfter` of an earlier answer.' })),
  limit: Type.Optional(Limit),
});

/** An event that was abandoned, by the bot that fetched it or after the 8th attempt at its webhook. */
const DeadLetter = Type.Object(
  {
    eventId: Type.String(),
    createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
    failedAt: Type.Integer({ description: 'When the last attempt failed, in epoch milliseconds.' }),
    attempts: Type.Integer({ description: 'How often it was tried.' }),
    message: Type.String({ description: 'Why the last attempt failed.' }),
    event: Body,
  },
  { title: 'DeadLetter', description: 'An event that was given up.' },
);

/** `data` of `GET /v1/events/dead-letters`: the oldest first. */
export const DeadLetterPage = Type.Object(
  {
    deadLetters: Type.Array(DeadLetter),
    nextAfter: Type.Optional(Type.String({ description: 'Pass it as `after` to get what follows.' })),
  },
  { title: 'DeadLetterPage', description: 'A page of events that were given up, the oldest first.' },
);

export const ReplayEvents = Type.Object(
  {
    eventIds: Type.Array(id(), {
      minItems: 1,
      maxItems: MOST_EVENTS,
      description: 'Which events, by `eventId`.',
    }),
  },
  { title: 'ReplayEvents', description: 'Events to send again.' },
);

/** `data` of a replay. Unknown events, and those already waiting to be sent, are not counted. */
export const ReplayedEvents = Type.Object(
  { replayed: Type.Integer({ description: 'How many events are sent again.' }) },
  { title: 'ReplayedEvents', description: 'How many events are sent again.' },
);
