import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citusServers, withoutShard } from '#testing/citus.ts';
import { createTestPlatform } from '#testing/platform.ts';
import { turnDayPartitions } from './day-partitions.ts';

const CALLS = { table: 'application_calls', idKind: 'req' } as const;
const DAY_MS = 24 * 3_600_000;

test('each day gets its partition in advance, which is dropped when all of it has expired', async () => {
  await using platform = await createTestPlatform();
  const { db, clock, newId } = platform;
  await db`insert into accounts (account_id, is_bot, name, created_at) values ('usr_a', false, 'Ada', 0)`;
  const note = () =>
    db`insert into application_calls (account_id, request_id, app_id, method, path, status, called_at)
      values ('usr_a', ${newId('req')}, 'app_a', 'GET', '/v1/me', 200, ${clock.now()})`;
  const places = async () =>
    (
      await db<{ partition: string }[]>`
      select tableoid::regclass::text as partition from application_calls order by request_id`
    ).map(({ partition }) => withoutShard(partition));

  await note();
  const first = await turnDayPartitions(platform, CALLS, clock.now() - 3 * DAY_MS);
  assert.deepEqual(first, {
    made: ['application_calls_2026_11_22', 'application_calls_2026_11_23'],
    dropped: [],
  });
  assert.deepEqual((await turnDayPartitions(platform, CALLS, clock.now() - 3 * DAY_MS)).made, [], 'once');
  clock.advance({ days: 1 });
  await note();
  assert.deepEqual(await places(), ['application_calls_other', 'application_calls_2026_11_22']);

  clock.advance({ days: 3 });
  const midday = await turnDayPartitions(platform, CALLS, clock.now() - 3 * DAY_MS);
  assert.deepEqual(midday.dropped, [], 'half of the day is to be kept');
  clock.advance({ hours: 12 });
  const { dropped } = await turnDayPartitions(platform, CALLS, clock.now() - 3 * DAY_MS);
  assert.deepEqual(dropped, ['application_calls_2026_11_22']);
  assert.deepEqual(await places(), ['application_calls_other'], 'its rows are gone with it');
});

test('two concurrent workers both succeed', async () => {
  await using platform = await createTestPlatform();
  const both = () => turnDayPartitions(platform, CALLS, 0);
  await Promise.all([both(), both()]);
  assert.deepEqual((await both()).made, []);
});

test('a day can be dropped while another one is vacuumed', {
  skip: citusServers() !== undefined && 'Citus locks all of a table',
}, async () => {
  await using platform = await createTestPlatform();
  const { db, clock } = platform;
  const events = { table: 'events', idKind: 'dlv', kept: () => 'false' } as const;
  const { made } = await turnDayPartitions(platform, events, 0);
  const [first, second] = made as [string, string];
  clock.advance({ days: 5 });
  await db.begin(async (vacuum) => {
    await vacuum.unsafe(`lock table ${second} in share update exclusive mode`);
    const { dropped } = await turnDayPartitions(platform, events, clock.now() - 3 * DAY_MS);
    assert.deepEqual(dropped, [first]);
  });
});
