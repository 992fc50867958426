import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { type Database, openDatabase } from '#platform/database.ts';
import { createTestDatabase } from '#testing/database.ts';
import { BOUNDED_READS, boundedRead, driveHotFlows, HOT_FLOWS } from '#testing/hot-flows.ts';
import { createShadowDatabase } from '#testing/shadow-database.ts';
import { explain, nodesOf, recordStatements, type StatementRecorder } from '#testing/statement-recorder.ts';
import { PATIENT } from '#testing/waits.ts';
import { createWorld } from '#testing/world.ts';
import { COORDINATOR_TABLES, distributedTables, REFERENCE_TABLES } from './tables.ts';

/** A database with the migrated schema. */
async function openSchema(): Promise<{ db: Database } & AsyncDisposable> {
  const database = await createTestDatabase();
  const db = openDatabase({ url: database.url, poolSize: 1, ...PATIENT });
  return {
    db,
    async [Symbol.asyncDispose]() {
      await db.end({ timeout: 5 });
      await database[Symbol.asyncDispose]();
    },
  };
}

const GROUP_OF = new Map(distributedTables().map(({ table, group }) => [table, group]));

test('every table of the schema has its key, which is in every unique index', async () => {
  await using opened = await openSchema();
  const { db } = opened;
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1`;
  const known = [...GROUP_OF.keys(), ...REFERENCE_TABLES, ...COORDINATOR_TABLES].sort();
  assert.deepEqual(
    tables.map(({ name }) => name),
    known,
  );
  const indexes = await db<{ name: string; columns: string[] }[]>`
    select i.indrelid::regclass::text as name, array_agg(a.attname::text) as columns
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indisunique and i.indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    group by i.indexrelid, i.indrelid`;
  const keyOf = new Map(distributedTables().map(({ table, key }) => [table, key]));
  const without = indexes.filter(({ name, columns }) => {
    const key = keyOf.get(name);
    return key !== undefined && !columns.includes(key);
  });
  assert.deepEqual(without, []);
});

test('foreign keys stay within a group', async () => {
  await using opened = await openSchema();
  const { db } = opened;
  const references = await db<{ from: string; to: string }[]>`
    select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint where contype = 'f'`;
  const crossing = references.filter(({ from, to }) => GROUP_OF.get(from) !== GROUP_OF.get(to));
  assert.deepEqual(crossing, []);
});

/** Statements that Citus refuses or runs differently from PostgreSQL (storage design). */
const FORBIDDEN: Record<string, RegExp> = {
  'a lock or notification, which is of one node': /\b(pg_advisory|listen|notify)\b/i,
  'the time of the database': /\b(now|clock_timestamp|statement_timestamp|random|gen_random_uuid)\(/i,
  'insert inside with': /\bwith\b[^;]*\bas (materialized )?\(\s*insert\b/i,
  merge: /^merge\b/i,
};

test('every hot statement touches one shard of one group, in a form that a cluster accepts', async () => {
  let recorder: StatementRecorder | undefined;
  const database = await createShadowDatabase();
  await using world = await createWorld(
    { messageRetentionDays: 7 },
    {
      database,
      shards: database.shards,
      watch(db) {
        recorder = recordStatements(db);
        return recorder.db;
      },
    },
  );
  assert.ok(recorder);
  const { enter, statements } = recorder;
  await driveHotFlows(world, enter, { senders: 3 });
  const flows = new Set(statements().map(({ flow }) => flow));
  assert.deepEqual([...flows].sort(), [...HOT_FLOWS].sort(), 'each flow has its statements');
  const wide: string[] = [];
  for (const statement of statements()) {
    const touched = nodesOf(await explain(world.db, statement)).flatMap((node) => {
      const [, table = '', remainder] = /^(.*)_of_(\d)$/.exec(node['Relation Name'] ?? '') ?? [];
      return remainder === undefined ? [] : [`${GROUP_OF.get(table)} ${remainder}`];
    });
    if (new Set(touched).size > 1 && !boundedRead(statement.text))
      wide.push(`${statement.flow}: ${statement.text}`);
  }
  assert.deepEqual(wide, []);
  for (const [what, form] of Object.entries(FORBIDDEN)) {
    assert.deepEqual(
      statements().filter(({ text }) => form.test(text)),
      [],
      what,
    );
  }
});

test('the guide names every read of several shards, and no other', async () => {
  const guide = await readFile(new URL('../../docs/operate/scaling.md', import.meta.url), 'utf8');
  const [, section = ''] = guide.split('### What needs several shards\n');
  const named = Array.from(section.split('\n### ')[0]?.matchAll(/^\* (.*?)[:;]/gm) ?? [], ([, name]) => name);
  assert.deepEqual(named, Object.keys(BOUNDED_READS));
});
