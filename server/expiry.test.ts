import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld } from '#testing/world.ts';
import { removeExpired } from './workers.ts';

test('if one kind cannot be removed, the others still are', async () => {
  await using world = await createWorld();
  const { db, clock } = world;
  const bot = await world.bot();
  const ada = await world.person();
  await ada.writes(bot, 'hello');
  clock.advance({ days: 400 });
  const count = async () => (await db`select from events`).length;
  assert.equal(await count(), 1);
  const accounts = { ...world.accounts, removeExpired: () => Promise.reject(new Error('damaged')) };
  await assert.rejects(removeExpired({ ...world, accounts }), ({ errors }: AggregateError) => {
    assert.deepEqual(errors.map(String), ['Error: damaged']);
    return true;
  });
  assert.equal(await count(), 0);
});
