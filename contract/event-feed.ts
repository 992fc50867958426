import { type Static, Type } from 'typebox';
import { GroupMessageReceived, MessageReceived } from './events.ts';

/** How many events a page of the feed has at most, and when nobody says how many. */
export const FEED_PAGE = { most: 500, usual: 100 } as const;

const Cursor = Type.String({ pattern: '^[0-9]{1,15}$' });

/**
 * Query of `GET /v1/events`, an extension of the contract. `after` is a `cursor` or `nextAfter` from an earlier answer;
 * without it a page begins with the oldest event that is kept, and a stream with what happens from now on.
 */
export const FeedQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      ...Cursor,
      description:
        'A `cursor` or `nextAfter` from an earlier answer. Without it, a page begins with the oldest event that is ' +
        'kept, and a stream with the next one.',
    }),
  ),
  limit: Type.Optional(Type.String({ pattern: '^[0-9]{1,4}$', description: '1 to 500. Default 100.' })),
});

/** See {@link FeedQuery}. */
export type FeedQuery = Static<typeof FeedQuery>;

/** One event of the feed; `event` has the very bytes that a webhook gets (contract §6). */
const FeedEvent = Type.Object(
  {
    cursor: Cursor,
    eventId: Type.String(),
    createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
    event: Type.Unsafe<Static<typeof MessageReceived> | Static<typeof GroupMessageReceived>>({
      title: 'ReceivedEvent',
      description: 'The body that a webhook gets.',
      oneOf: [MessageReceived, GroupMessageReceived],
      discriminator: { propertyName: 'type' },
    }),
  },
  { title: 'FeedEvent', description: 'An event with its position in the feed.' },
);

/** `data` of `GET /v1/events`: oldest first, in an order that does not change and that nothing is added before. */
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
