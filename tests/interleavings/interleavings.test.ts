import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { World } from '#testing/world.ts';
import { createArena } from './arena.ts';
import { atRandom, exploreAll, repeating } from './orders.ts';
import { findFault, race, repeat, runRace } from './race.ts';
import { RACES } from './races/index.ts';

/** A few of each race; `npm run interleavings` runs many. */
const FEW = { orders: 6, random: 2, seed: 'test' };

const arena = await createArena();
after(() => arena[Symbol.asyncDispose]());

for (const [name, one] of Object.entries(RACES)) {
  test(`${name}: nothing is wrong in a few orders, whose statements have the guards`, async () => {
    const sent: string[] = [];
    arena.scheduler.rewrite = (statement) => {
      sent.push(statement);
      return statement;
    };
    const { orders } = await runRace(arena, one, FEW);
    assert.ok(orders > 0);
    for (const [text] of Object.values(one.guards).flat())
      assert.ok(
        sent.some((statement) => statement.search(text) >= 0),
        String(text),
      );
  });
}

const RAISE = race({}, async ({ world, servers }) => {
  const { accountId } = await world.person();
  const value = async () => {
    const [row] = await world.db<{ createdAt: number }[]>`
        select created_at from accounts where account_id = ${accountId} for update`;
    return row?.createdAt ?? 0;
  };
  const before = await value();
  const raise = (server: World) => () =>
    server.db.begin(async (tx) => {
      const [row] = await tx<{ createdAt: number }[]>`
          select created_at from accounts where account_id = ${accountId} for update`;
      await tx`update accounts set created_at = ${(row?.createdAt ?? 0) + 1} where account_id = ${accountId}`;
    });
  return {
    works: servers.slice(0, 2).map(raise),
    async check() {
      assert.equal(await value(), before + 2, 'a lost update');
    },
  };
});

test('every order that locks allow is tried, and a missing lock is found', async () => {
  // While one holds the lock, the other only waits for it.
  assert.deepEqual(await runRace(arena, RAISE, { ...FEW, orders: 1_000 }), {
    orders: 24,
    random: 0,
    areAll: true,
    switches: 3,
  });
  await repeat(arena, RAISE, 'abaababb');
  await assert.rejects(repeat(arena, RAISE, 'abaabb'), /after "abaab", b has nothing to send; a have/);
  const fault = await findFault(arena, RAISE, [[/for update/, '']], { ...FEW, orders: 100 });
  assert.match(String(fault?.message), /^order [ab]{8}:\na begins\n[\s\S]*a lost update/);
});

/** Runs two processes of so many steps each, without a database. */
async function merge(
  lengths: readonly [number, number],
  choose: (enabled: string[], last?: string) => string,
) {
  const left = { a: lengths[0], b: lengths[1] };
  let order = '';
  for (;;) {
    const enabled = (['a', 'b'] as const).filter((letter) => left[letter] > 0);
    if (enabled.length === 0) return order;
    const letter = choose(enabled, order.at(-1)) as 'a' | 'b';
    left[letter]--;
    order += letter;
  }
}

test('every order is carried out once, those with fewer switches first', async () => {
  const orders: string[] = [];
  const explored = await exploreAll(async (choose) => orders.push(await merge([3, 3], choose)), 1_000);
  assert.deepEqual([new Set(orders).size, explored.orders, explored.areAll], [20, 20, true]);
  const switches = orders.map((order) => order.match(/ab|ba/g)?.length ?? 0);
  assert.deepEqual(switches.slice(0, 2), [1, 1]);
  const some = await exploreAll((choose) => merge([3, 3], choose), 7);
  assert.deepEqual([some.orders, some.areAll], [7, false]);
});

test('a random order depends on its seed alone, and an order can be repeated', async () => {
  const [first, second] = [await merge([9, 9], atRandom('7')), await merge([9, 9], atRandom('7'))];
  assert.equal(first, second);
  assert.notEqual(first, await merge([9, 9], atRandom('8')));
  assert.equal(await merge([9, 9], repeating(first)), first);
});
