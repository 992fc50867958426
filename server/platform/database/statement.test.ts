import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createEmptyDatabase } from '#testing/database.ts';
import { PATIENT } from '#testing/waits.ts';
import { type Database, isUnavailable, openDatabase } from '../database.ts';

interface Watched {
  db: Database;
  /** The texts that were sent, oldest first. */
  sent: string[];
}

async function open(t: TestContext): Promise<Watched> {
  const database = await createEmptyDatabase();
  const sent: string[] = [];
  const db = openDatabase({
    url: database.url,
    poolSize: 1,
    ...PATIENT,
    onStatement: (text) => sent.push(text),
  });
  t.after(async () => {
    await db.end({ timeout: 1 });
    await database[Symbol.asyncDispose]();
  });
  return { db, sent };
}

test('the text of a statement depends on its parts, wherever they vary', async (t) => {
  const { db, sent } = await open(t);
  const plus = (addend: number | null) => (addend === null ? db`` : db`+ ${addend}::integer`);
  const sum = async (a: number | null, b: number | null) => {
    const [row] = await db`select ${10}::integer ${plus(a)} ${plus(b)} + ${100}::integer as sum`;
    return row?.['sum'];
  };
  for (let round = 0; round < 2; round++) {
    assert.equal(await sum(1, 2), 113);
    assert.equal(await sum(1, null), 111);
    assert.equal(await sum(null, 2), 112);
    assert.equal(await sum(null, null), 110);
  }
  assert.equal(new Set(sent).size, 4);
});

test('parts with the same text, side by side and nested, are not confused', async (t) => {
  const { db } = await open(t);
  const one = (value: number) => db`${value}::integer`;
  const pair = (left: ReturnType<typeof one> | number, right: ReturnType<typeof one> | number) =>
    db`(${left}::integer, ${right}::integer)`;
  const textOf = async (a: ReturnType<typeof pair>, b: ReturnType<typeof one> | number) =>
    (await db`select (${a}, ${b}::integer)::text as text`)[0]?.['text'];
  assert.equal(await textOf(pair(1, one(2)), 3), '("(1,2)",3)');
  assert.equal(await textOf(pair(1, 2), one(3)), '("(1,2)",3)');
  assert.equal(await textOf(pair(one(1), 2), 3), '("(1,2)",3)');
});

test('lists of rows may have any length and any choice of columns', async (t) => {
  const { db } = await open(t);
  await db`create table things (thing_id integer, long_name text)`;
  for (const length of [1, 3, 1]) {
    const rows = Array.from({ length }, (_, i) => ({ thingId: i, longName: `${length}`, unused: true }));
    assert.equal((await db`insert into things ${db(rows, 'thingId', 'longName')}`).count, length);
    assert.equal((await db`insert into things ${db(rows, 'longName')}`).count, length);
  }
  assert.equal((await db`insert into things ${db({ thingId: 1 })}`).count, 1);
  assert.equal((await db`select from things where thing_id is null`).count, 5);
});

test('a connection keeps few statements prepared, however many numbers of rows are inserted', async (t) => {
  const { db } = await open(t);
  await db`create table things (thing_id integer)`;
  for (let length = 1; length <= 100; length++) {
    const rows = Array.from({ length }, (_, thingId) => ({ thingId }));
    assert.equal((await db`insert into things ${db(rows)}`).count, length);
  }
  const [row] = await db`select count(*) as count from pg_prepared_statements where statement like 'insert%'`;
  assert.equal(row?.['count'], 7, 'those with a power of two of rows');
});

test('a missing value is refused, and nothing is sent', async (t) => {
  const { db, sent } = await open(t);
  // A value of the wrong type at run time.
  const forgotten = undefined as unknown as string;
  await assert.rejects(async () => db`select ${forgotten}::text`, /no parameter of type undefined/);
  await assert.rejects(async () => db`select ${['a', forgotten]}::text[]`, /no element of type undefined/);
  assert.deepEqual(sent, []);
});

test('each type is read back as it was written', async (t) => {
  const { db } = await open(t);
  const at = new Date('2026-11-22T01:02:03.004Z');
  const bytes = Buffer.from([0, 1, 254, 255]);
  const [row] = await db`
    select ${true}::boolean as boolean, ${false}::boolean as negation, ${bytes}::bytea as bytes,
      ${new Uint8Array([7])}::bytea as byte, ${at}::timestamptz as at, ${1.5}::real as real,
      ${db.json({ a: [1, 'ä', null] })}::jsonb as json, ${null}::text as nothing, ${'ä'}::text as text,
      ${-7}::smallint as smallint, ${[1, -2]}::smallint[] as smallints, 12.50::numeric as exact`;
  assert.deepEqual(row, {
    boolean: true,
    negation: false,
    bytes,
    byte: Buffer.from([7]),
    at,
    real: 1.5,
    json: { a: [1, 'ä', null] },
    nothing: null,
    text: 'ä',
    smallint: -7,
    smallints: [1, -2],
    exact: '12.50',
  });
});

test('statements prepared before their table changed are prepared again', async (t) => {
  const { db } = await open(t);
  await db`create table things (thing_id integer)`;
  const read = async () => [...(await db`select thing_id from things`)];
  await read();
  await db.unsafe('alter table things alter column thing_id type text');
  await assert.rejects(read, isUnavailable);
  await db`insert into things values ('a')`;
  assert.deepEqual(await read(), [{ thingId: 'a' }]);
});

test('a statement that could not be prepared is tried again and succeeds once the cause is removed', async (t) => {
  const { db } = await open(t);
  const read = async () => (await db.shared()`select thing_id from things`).count;
  const failures = await Promise.allSettled([read(), read(), read()]);
  assert.deepEqual(
    failures.map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  await db`create table things (thing_id integer)`;
  assert.deepEqual(await Promise.all([read(), read()]), [0, 0]);
});

test('a constant is part of the text, so that the planner sees it, and is truncated to an integer', async (t) => {
  const { db, sent } = await open(t);
  const rows = async (limit: number) =>
    (await db`select n from generate_series(1, ${9}::integer) as n limit ${db.constant(limit)}`).length;
  assert.deepEqual([await rows(2), await rows(3.9), await rows(2)], [2, 3, 2]);
  assert.deepEqual(
    sent.map((text) => text.split(' limit ')[1]),
    ['2', '3', '2'],
  );
  assert.equal(db.constant('1; drop table x' as never).text, 'NaN');
});
