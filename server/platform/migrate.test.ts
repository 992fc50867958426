import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { createEmptyDatabase } from '#testing/database.ts';
import { TestClock } from '#testing/platform.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

async function files(): Promise<string[]> {
  const names = await readdir(new URL('../migrations/', import.meta.url));
  return names.filter((name) => name.endsWith('.sql')).sort();
}

/** Processes that start on one database, each with a pool of its own. */
async function starting(processes: number) {
  await using stack = new AsyncDisposableStack();
  const { url } = stack.use(await createEmptyDatabase());
  const clock = new TestClock();
  const pools = Array.from({ length: processes }, () => openDatabase({ url, poolSize: 2 }));
  for (const db of pools) stack.defer(() => db.end({ timeout: 1 }));
  const running = stack.move();
  return { pools, clock, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

test('every file runs once, in order, and is entered with its time', async () => {
  await using start = await starting(1);
  const { pools, clock } = start;
  const [db] = pools as [(typeof pools)[0]];
  const names = await files();
  assert.deepEqual(await migrate({ db, clock }), names);
  assert.deepEqual(await migrate({ db, clock }), []);
  assert.deepEqual(
    [...(await db`select name, applied_at from schema_migrations order by applied_at, name`)],
    names.map((name) => ({ name, appliedAt: clock.now() })),
  );
});

test('of processes that start at once, each file is applied by exactly one', async () => {
  for (let round = 0; round < 3; round++) {
    await using start = await starting(5);
    const { pools, clock } = start;
    const applied = await Promise.all(pools.map((db) => migrate({ db, clock })));
    assert.deepEqual(applied.flat().sort(), await files());
  }
});

test('a file that fails leaves nothing behind, and those before it stay', async () => {
  await using start = await starting(1);
  const { pools, clock } = start;
  const [db] = pools as [(typeof pools)[0]];
  const names = await files();
  const [first, second] = names as [string, string];
  // The second file's first table is there already, so that it fails half-way.
  await db`create table unique_names (somebody_elses integer)`;
  await assert.rejects(migrate({ db, clock }), { code: '42P07' });
  assert.deepEqual(
    [...(await db`select name from schema_migrations`)].map((row) => row['name']),
    [first],
  );
  await db`drop table unique_names`;
  assert.deepEqual(await migrate({ db, clock }), names.slice(names.indexOf(second)));
});
