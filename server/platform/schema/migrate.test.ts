import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createEmptyDatabase } from '#testing/database.ts';
import { TestClock } from '#testing/platform.ts';
import { PATIENT } from '#testing/waits.ts';
import { openDatabase } from '../database.ts';
import { migrate } from './migrate.ts';
import { commandsOf, type PlaceTable } from './migration-commands.ts';

async function files(): Promise<string[]> {
  const names = await readdir(new URL('../../migrations/', import.meta.url));
  return names.filter((name) => name.endsWith('.sql')).sort();
}

/** Processes that start on one database, each with a pool of its own. */
async function starting(processes: number) {
  await using stack = new AsyncDisposableStack();
  const { url } = stack.use(await createEmptyDatabase());
  const clock = new TestClock();
  const pools = Array.from({ length: processes }, () => openDatabase({ url, poolSize: 2, ...PATIENT }));
  for (const db of pools) stack.defer(() => db.end({ timeout: 1 }));
  const running = stack.move();
  return { pools, clock, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

test('every file runs once, in order, and is recorded with its time', async () => {
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

test('with processes that start concurrently, each file is applied by exactly one', async () => {
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
  // A table of the second file already exists, so that the migration fails half-way.
  await db`create table unique_names (somebody_elses integer)`;
  await assert.rejects(migrate({ db, clock }), { code: '42P07' });
  assert.deepEqual(
    [...(await db`select name from schema_migrations`)].map((row) => row['name']),
    [first],
  );
  await db`drop table unique_names`;
  assert.deepEqual(await migrate({ db, clock }), names.slice(names.indexOf(second)));
});

test('commands are split as SQL, and a comment is not a command', () => {
  assert.deepEqual(commandsOf("-- One; two\nselect ';' as a; -- three\n\nselect 'it''s -- here';\n"), [
    "select ';' as a",
    "select 'it''s -- here'",
  ]);
});

test('a constraint is added by a separate command, under a name, as Citus requires', async () => {
  const later = (await files()).filter((name) => name >= '0017');
  const commands = await Promise.all(
    later.map(async (name) =>
      commandsOf(await readFile(new URL(`../../migrations/${name}`, import.meta.url), 'utf8')),
    ),
  );
  const altering = commands.flat().filter((command) => command.startsWith('alter table'));
  const refused = altering.filter(
    (command) =>
      /\badd column\b[^,]*\b(check|references|unique|primary key)\b/.test(command) ||
      (/\badd constraint\b/.test(command) &&
        (command.match(/\b(add|drop|alter column)\b/g)?.length ?? 0) > 1),
  );
  assert.deepEqual(refused, []);
});

test('in their form for a cluster, the migrations produce the same schema', async () => {
  const schemaOf = async (place?: PlaceTable) => {
    await using start = await starting(1);
    const { pools, clock } = start;
    const [db] = pools as [(typeof pools)[0]];
    await db.unsafe('create function create_somewhere(name text) returns text return name');
    await migrate({ db, clock, place });
    return await db<{ what: string }[]>`
      select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as what
      from pg_constraint where connamespace = 'public'::regnamespace
      union all
      select table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '')
      from information_schema.columns where table_schema = 'public'
      union all
      select indexdef from pg_indexes where schemaname = 'public'
      order by 1`;
  };
  const placed: string[] = [];
  const onCluster = await schemaOf((table) => {
    placed.push(table);
    return `select create_somewhere('${table}')`;
  });
  assert.deepEqual(onCluster, await schemaOf());
  assert.ok(placed.includes('messages') && placed.includes('story_elements'), placed.join());
});
