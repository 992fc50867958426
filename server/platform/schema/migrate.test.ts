import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createEmptyDatabase } from '#testing/database.ts';
import { TestClock } from '#testing/platform.ts';
import { PATIENT } from '#testing/waits.ts';
import type { Value } from '../database/values.ts';
import { type Database, openDatabase } from '../database.ts';
import { commandsOf, createSchema, isBaseline, migrate, type PlaceTable } from './migrate.ts';

/** The first and the last migration of the release 0.2.0. */
const OF_0_2 = ['0000_encryption_keys.sql', '0125_running_processes.sql'];

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
  const [db] = pools as [Database];
  return { db, pools, clock, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

test('every file runs once, in order, and is recorded with its time', async () => {
  await using start = await starting(1);
  const { db, clock } = start;
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

test('a file that fails is named and leaves nothing behind, and those before it stay', async () => {
  await using start = await starting(1);
  const { db, clock } = start;
  const names = await files();
  const [first, second] = names as [string, string];
  // A table of the second file already exists, so that the migration fails half-way.
  await db`create table unique_names (somebody_elses integer)`;
  await assert.rejects(migrate({ db, clock }), {
    code: '42P07',
    message: `the migration ${second} failed: relation "unique_names" already exists`,
  });
  assert.deepEqual(
    [...(await db`select name from schema_migrations`)].map((row) => row['name']),
    [first],
  );
  await db`drop table unique_names`;
  assert.deepEqual(await migrate({ db, clock }), names.slice(names.indexOf(second)));
});

/** A database as an earlier version left it, with these migrations. */
async function leftBy(migrations: string[]) {
  const start = await starting(1);
  const { db, clock } = start;
  await createSchema((text, values = []) => db.unsafe(text, values as Value[]), { migrations, now: 7 });
  return { ...start, migrate: () => migrate({ db, clock }) };
}

test('a database of version 0.2 keeps its rows and takes what came later', async () => {
  await using start = await leftBy(OF_0_2);
  const { db } = start;
  await db`insert into unique_names (value, kind, owner_id) values ('ada@example.com', 'email', 'a')`;
  assert.deepEqual(await start.migrate(), await files());
  assert.deepEqual(await start.migrate(), []);
  assert.deepEqual([...(await db`select owner_id from unique_names`)], [{ ownerId: 'a' }]);
  assert.deepEqual(
    [...(await db`select name from schema_migrations where applied_at = 7 order by name`)].map(
      ({ name }) => name,
    ),
    OF_0_2,
    'version 0.2 may run beside this one',
  );
});

test('what the release 0.2.0 had dropped, and what it had not, is as in every other database', async () => {
  await using release = await leftBy(OF_0_2);
  const { db } = release;
  await db`drop table server_processes`;
  await db`drop index events_placed`;
  await db`create index events_by_application on events (app_id, delivery_id)`;
  await release.migrate();
  const indexes = await db`
    select indexname from pg_indexes where indexname in ('events_placed', 'events_by_application')`;
  assert.deepEqual([...indexes], [{ indexname: 'events_placed' }]);

  const last = '0140_one_index_less.sql';
  await using later = await leftBy([...OF_0_2, last]);
  assert.deepEqual(
    await later.migrate(),
    (await files()).filter((name) => name !== last),
  );
});

test('a database of a version before 0.2 has to go through 0.2 first, and stays as it is', async () => {
  await using start = await leftBy(['0000_encryption_keys.sql', '0010_event_feed.sql']);
  await assert.rejects(start.migrate(), {
    message:
      'the database is of a version of Parley before 0.2: run version 0.2 on it for a day, then this one',
  });
  assert.equal((await start.db`select from schema_migrations`).count, 2);
});

test('what version 0.1 wrote has to be moved by version 0.2 first', async () => {
  await using start = await leftBy(OF_0_2);
  const { db } = start;
  const refused = {
    message:
      'version 0.2 of Parley has not yet moved all that version 0.1 wrote: run it for a day, then this one',
  };
  await db`
    insert into deliveries (bucket, delivery_id, app_id, type, msg_id, body, body_key_id, state, attempts, created_at)
    values (1, 'd', 'a', 'ping', 'm', '', 1, 'pending', 0, 0)`;
  await assert.rejects(start.migrate(), refused);
  await db`delete from deliveries`;
  await db`
    insert into applications (app_id, owner_id, name, state, webhook_url, requests_per_minute, created_at)
    values ('a', 'o', 'A', 'active', 'https://hooks.example.com', 1, 0)`;
  await assert.rejects(start.migrate(), refused);
  await db`update applications set webhook_url = null`;
  assert.deepEqual(await start.migrate(), await files());
});

test('commands are split as SQL, and a comment is not a command', () => {
  assert.deepEqual(commandsOf("-- One; two\nselect ';' as a; -- three\n\nselect 'it''s -- here';\n"), [
    "select ';' as a",
    "select 'it''s -- here'",
  ]);
});

test('a constraint is added by a separate command, under a name, as Citus requires', async () => {
  const later = (await files()).filter((name) => !isBaseline(name));
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
    const { db, clock } = start;
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

/** Schema changes that would break the previous version. */
const NARROWING: readonly [RegExp, string][] = [
  [/\bdrop\s+(table|column|view|type|schema)\b/i, 'drops what the version before uses'],
  [/\brename (column|constraint)\b/i, 'renames what the version before uses'],
  [/\balter\s+column\s+\w+\s+(set\s+not\s+null|(set\s+data\s+)?type)\b/i, 'narrows a column'],
  [/\balter\s+column\s+\w+\s+drop\s+not\s+null\b/i, 'leaves out what the version before reads'],
  [
    /\badd\s+column\s+(?:if not exists\s+)?(?:[^,;()]|\([^)]*\))*not\s+null(?![^,;]*\bdefault\b)/i,
    'adds a column that old inserts leave out',
  ],
];

/** Defaults may be before or after `not null`. A table may be replaced by another of the same name. */
function faultsOf(sql: string): string[] {
  const statements = sql.replaceAll(/--.*$/gm, '').split(';');
  for (const [, table] of sql.matchAll(/\balter table (\w+) rename to\b/gi))
    if (!new RegExp(`create table ${table} \\(`, 'i').test(sql)) return [`takes the name ${table} away`];
  return statements.flatMap((statement) =>
    NARROWING.filter(([pattern]) =>
      pattern.test(statement.replaceAll(/\bdefault\s+\S+\s+not null/gi, '')),
    ).map(([, fault]) => fault),
  );
}

/** Version 0.2 left the table as it was; 0158 gives the column a default. */
const HARMLESS_TO_0_2 = ['0141_no_server_processes.sql', '0157_attempts_as_json.sql'];

test('no migration since the previous version drops, renames or narrows', async () => {
  const later = (await files()).filter((name) => !isBaseline(name) && !HARMLESS_TO_0_2.includes(name));
  for (const name of later)
    assert.deepEqual(
      faultsOf(await readFile(new URL(`../../migrations/${name}`, import.meta.url), 'utf8')),
      [],
      name,
    );
});

test('the rule detects narrowing changes', () => {
  assert.equal(faultsOf('alter table a drop column b;').length, 1);
  assert.equal(faultsOf('alter table a rename column b to c;').length, 1);
  assert.equal(faultsOf('alter table a rename to b;').length, 1);
  assert.deepEqual(faultsOf('alter table a rename to b; create table a (c text);'), []);
  assert.equal(faultsOf('alter table a alter column b set not null;').length, 1);
  assert.equal(faultsOf('alter table a alter column b drop not null;').length, 1);
  assert.equal(faultsOf('alter table a add column b text not null;').length, 1);
  assert.deepEqual(
    faultsOf("alter table a add column b jsonb not null default '[]', add column c bigint;"),
    [],
  );
  assert.deepEqual(faultsOf('alter table a drop constraint b; create table c (d text not null);'), []);
});
