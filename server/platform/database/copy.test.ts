import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createEmptyDatabase } from '#testing/database.ts';
import { eventually } from '#testing/waits.ts';
import { CopyConnection } from './copy.ts';

const ROWS = 20_000;

async function scene(t: TestContext) {
  const { url, ...database } = await createEmptyDatabase();
  t.after(() => database[Symbol.asyncDispose]());
  const open = async (signal: AbortSignal = new AbortController().signal) => {
    const connection = await CopyConnection.open({ url, name: 'parley copy', signal });
    t.after(() => connection[Symbol.asyncDispose]());
    return connection;
  };
  const first = await open();
  await first.rows('create table notes (id integer primary key, text text not null)');
  await first.rows("insert into notes select i, repeat('x', 500) from generate_series(1, $1) as i", [ROWS]);
  const sessions = async (state: string) => {
    const [row] = await first.rows<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and application_name = 'parley copy' and pid <> pg_backend_pid() and state ~ $1`,
      [state],
    );
    return row?.count;
  };
  return { first, open, sessions };
}

async function collect(connection: CopyConnection, text: string): Promise<{ rows: number; bytes: Buffer }> {
  const chunks: Buffer[] = [];
  const rows = await connection.copyOut(text, async (chunk) => {
    // Slower than the database, so that backpressure is applied repeatedly.
    await new Promise(setImmediate);
    chunks.push(Buffer.from(chunk));
  });
  return { rows, bytes: Buffer.concat(chunks) };
}

test('a slow reader gets all rows and their count, and the connection stays usable', async (t) => {
  const { first } = await scene(t);
  const expected = await collect(first, 'copy notes to stdout (format binary)');
  assert.equal(expected.rows, ROWS);
  assert.ok(expected.bytes.length > 8_000_000);
  for (let round = 0; round < 4; round++) {
    const again = await first.transaction('isolation level repeatable read read only', () =>
      collect(first, 'copy notes to stdout (format binary)'),
    );
    assert.equal(again.rows, ROWS);
    assert.ok(again.bytes.equals(expected.bytes));
  }
  await first.rows('create table others (like notes including all)');
  await first.copyIn(
    'copy others from stdin (format binary)',
    (async function* () {
      yield expected.bytes;
    })(),
  );
  assert.ok((await collect(first, 'copy others to stdout (format binary)')).bytes.equals(expected.bytes));
});

test('an error during a COPY is reported, and its transaction is rolled back', async (t) => {
  const { first, open } = await scene(t);
  const broken = async function* () {
    yield Buffer.from('90001\tnew\n');
    throw new Error('the source broke');
  };
  const insert = (id: number) =>
    (async function* () {
      yield Buffer.from(`${id}\tnew\n`);
    })();
  const ways: [RegExp, (connection: CopyConnection) => Promise<unknown>][] = [
    [
      /division by zero/,
      (connection) => collect(connection, 'copy (select 1 / (id - 9000) from notes) to stdout'),
    ],
    [/"nowhere" does not exist/, (connection) => collect(connection, 'copy nowhere to stdout')],
    [
      /the disk is full/,
      (connection) =>
        connection.copyOut('copy notes to stdout', async () => {
          throw new Error('the disk is full');
        }),
    ],
    [/the source broke/, (connection) => connection.copyIn('copy notes from stdin', broken())],
    [/duplicate key/, (connection) => connection.copyIn('copy notes from stdin', insert(1))],
  ];
  for (const [message, work] of ways) {
    const connection = await open();
    const failing = connection.transaction('', async () => {
      await connection.copyIn('copy notes from stdin', insert(90_000));
      return work(connection);
    });
    await assert.rejects(failing, message);
  }
  assert.deepEqual(await first.rows('select count(*)::integer as count from notes'), [{ count: ROWS }]);
});

test('the signal ends a COPY in any state, with its session and snapshot', async (t) => {
  const { first, open, sessions } = await scene(t);
  const endless = async function* () {
    for (let id = 100_000; ; id++) {
      await new Promise(setImmediate);
      yield Buffer.from(`${id}\tnew\n`);
    }
  };
  const taken = Promise.withResolvers<void>();
  const states: ((connection: CopyConnection) => Promise<unknown>)[] = [
    (connection) => connection.copyOut('copy notes to stdout', () => taken.promise),
    (connection) => connection.copyOut('copy (select pg_sleep(600)) to stdout', () => {}),
    (connection) => connection.copyIn('copy notes from stdin', endless()),
    (connection) => connection.rows('select pg_sleep(600)'),
  ];
  for (const work of states) {
    const stopping = new AbortController();
    const connection = await open(stopping.signal);
    const working = connection.transaction('', () => work(connection));
    await eventually(async () => (await sessions('active')) === 1);
    stopping.abort();
    taken.resolve();
    await assert.rejects(working);
    await eventually(async () => (await sessions('.')) === 0);
  }
  assert.deepEqual(await first.rows('select count(*)::integer as count from notes'), [{ count: ROWS }]);
});
