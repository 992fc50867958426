import assert from 'node:assert/strict';
import type { Answer } from '#testing/answers.ts';
import type { Bot } from '#testing/world.ts';
import type { Arena } from '../arena.ts';
import { type Race, race } from '../race.ts';
import { expectStatuses, pathOf } from './scenes.ts';

interface Fetched {
  cursor: string;
  eventId: string;
  event: object;
}

async function setUp(arena: Arena) {
  const [ada, bot] = [await arena.world.person(), await arena.world.bot({ requestsPerMinute: 1_000_000 })];
  return { ada, bot, first: await ada.writes(bot, 'one') };
}

const fetchAll = (arena: Arena, server: number, bot: Bot) => (): Promise<Answer> =>
  arena.bot(server, bot).calls('GET', '/v1/events');

function eventsOf(result: unknown): Fetched[] {
  const { status, body } = result as Answer;
  assert.equal(status, 200, JSON.stringify(body));
  return body.data.events;
}

/** Who fetches again gets the same events with the same bytes, and then others. */
async function expectFeed(arena: Arena, bot: Bot, pages: unknown[]): Promise<Fetched[]> {
  const all = eventsOf(await fetchAll(arena, 0, bot)());
  for (const page of pages.map(eventsOf))
    assert.deepEqual(all.slice(0, page.length), page, 'an event changed or came between');
  assert.deepEqual(
    all.map(({ cursor }) => cursor),
    all.map((_, i) => String(i + 1)),
  );
  return all;
}

export const FEEDS: Record<string, Race> = {
  'two fetches of new events, and a message': race(
    {
      'the lock of the feed': [
        [
          /insert into event_feeds as feed [^;]*returning feed\.last_position/,
          'select coalesce((select last_position from event_feeds where app_id = $1), 0) as last_position',
        ],
      ],
    },
    async (arena) => {
      const { ada, bot } = await setUp(arena);
      return {
        works: [
          fetchAll(arena, 0, bot),
          fetchAll(arena, 1, bot),
          () =>
            arena
              .person(2, ada)
              .calls('POST', '/api/chat/messages', { to: bot.accountId, type: 'text', content: 'two' }),
        ],
        async check([one, other, sent]) {
          assert.equal((sent as Answer).status, 201);
          assert.equal((await expectFeed(arena, bot, [one, other])).length, 2);
        },
      };
    },
  ),
  'fetch and edit': race(
    {
      'an event that was fetched does not change': [[/and event\.feed_position is null/, '']],
      'the lock of the unsent events': [[/for update of event/, '']],
    },
    async (arena) => {
      const { ada, bot, first } = await setUp(arena);
      const path = pathOf(first);
      return {
        works: [
          fetchAll(arena, 0, bot),
          () => arena.person(1, ada).calls('PATCH', path, { text: 'changed' }),
        ],
        async check([fetched, edited]) {
          expectStatuses([edited], 200);
          await expectFeed(arena, bot, [fetched]);
        },
      };
    },
  ),
  'fetch and delete': race(
    { 'the lock of the unsent events': [[/for update of event/, '']] },
    async (arena) => {
      const { ada, bot, first } = await setUp(arena);
      const path = pathOf(first);
      return {
        works: [
          fetchAll(arena, 0, bot),
          async () => {
            const { status } = await arena.person(1, ada).calls('DELETE', path);
            return { status, seen: await fetchAll(arena, 1, bot)() };
          },
        ],
        async check([fetched, deleted]) {
          const { status, seen } = deleted as { status: number; seen: Answer };
          assert.equal(status, 200);
          const all = await expectFeed(arena, bot, [seen]);
          for (const event of eventsOf(fetched))
            assert.ok(
              all.some(({ eventId }) => eventId === event.eventId),
              'a fetched event is gone',
            );
        },
      };
    },
  ),
  'fetch and acknowledge': race({}, async (arena) => {
    const { ada, bot } = await setUp(arena);
    await ada.writes(bot, 'two');
    await bot.calls('GET', '/v1/events');
    const fetchNext = (server: number) => () =>
      arena.bot(server, bot).calls('GET', '/v1/events?after=acknowledged');
    return {
      works: [fetchNext(0), () => arena.bot(1, bot).calls('POST', '/v1/events/acknowledge', { upTo: '1' })],
      async check([fetched, acknowledged]) {
        expectStatuses([acknowledged], 200);
        const cursors = eventsOf(fetched).map(({ cursor }) => cursor);
        assert.ok(['1,2', '2'].includes(cursors.join()), `fetched ${cursors}`);
        assert.deepEqual(
          eventsOf(await fetchNext(0)()).map(({ cursor }) => cursor),
          ['2'],
        );
      },
    };
  }),
  'an event is given up twice': race(
    { 'it is not given up yet': [[/where given\.state = 'unsent'/, '']] },
    async (arena) => {
      const { bot } = await setUp(arena);
      await bot.calls('GET', '/v1/events');
      const failed = { upTo: '1', failed: [{ cursor: '1', attempts: 8, error: 'TypeError' }] };
      return {
        works: [0, 1].map((i) => () => arena.bot(i, bot).calls('POST', '/v1/events/acknowledge', failed)),
        async check(results) {
          expectStatuses(results, 200, 200);
          const rows = await arena.world
            .db`select state, logged from event_queue where app_id = ${bot.appId}`;
          assert.deepEqual([...rows], [{ state: 'abandoned', logged: 1 }]);
        },
      };
    },
  ),
  'two acknowledgements': race(
    { 'the position goes forward only': [[/ and acknowledged_position < \$\d+/, '']] },
    async (arena) => {
      const { ada, bot } = await setUp(arena);
      await ada.writes(bot, 'two');
      await bot.calls('GET', '/v1/events');
      return {
        works: ['1', '2'].map(
          (upTo, i) => () => arena.bot(i, bot).calls('POST', '/v1/events/acknowledge', { upTo }),
        ),
        async check(results) {
          expectStatuses(results, 200, 200);
          const [row] = await arena.world
            .db`select acknowledged_position from event_feeds where app_id = ${bot.appId}`;
          assert.deepEqual(row, { acknowledgedPosition: 2 });
        },
      };
    },
  ),
};
