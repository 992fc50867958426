import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBreakableNetwork } from '#testing/breakable-network.ts';
import { createEmptyDatabase } from '#testing/database.ts';
import { eventually, PATIENT } from '#testing/waits.ts';
import {
  type Database,
  isUnavailable,
  isUniqueViolation,
  openDatabase,
  openPatiently,
  type Tx,
} from './database.ts';

/** A little below the time limit of statements. */
const LONGEST_STATEMENT_MS = 25_000;

interface Opened extends AsyncDisposable {
  db: Database;
  /** Ends the connections of `db` as the operator or a crash would. */
  cutConnections(): Promise<void>;
  /** Resolves once a statement has waited for a lock for this long. */
  waitedLongerThan(duration: string): Promise<void>;
  url: string;
}

async function open(
  poolSize = 2,
  { lockTimeoutMs = 0, waitTimeoutMs = PATIENT.waitTimeoutMs } = {},
): Promise<Opened> {
  await using stack = new AsyncDisposableStack();
  const { url } = stack.use(await createEmptyDatabase());
  const db = openDatabase({ url, poolSize, lockTimeoutMs, waitTimeoutMs });
  const admin = openDatabase({ url, poolSize: 1, ...PATIENT });
  for (const opened of [db, admin]) stack.defer(() => opened.end({ timeout: 1 }));
  const running = stack.move();
  return {
    db,
    url,
    async cutConnections() {
      await admin`
        select pg_terminate_backend(pid, ${LONGEST_STATEMENT_MS}) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
    },
    async waitedLongerThan(duration) {
      const look = () => admin`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and clock_timestamp() - query_start > ${duration}::interval`;
      while ((await look()).length === 0);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

test('a write is a single statement with its own commit', async () => {
  await using opened = await open();
  const sent: string[] = [];
  const db = openDatabase({
    url: opened.url,
    poolSize: 1,
    ...PATIENT,
    onStatement: (text) => sent.push(text),
  });
  await using _end = { [Symbol.asyncDispose]: () => db.end({ timeout: 1 }) };
  await db`create table things (thing_id integer)`;
  assert.equal((await db.write((tx) => tx`insert into things values (1), (2)`)).count, 2);
  assert.deepEqual(sent.slice(1), ['insert into things values (1), (2)']);
  const two = db.write(async (tx) => {
    await tx`insert into things values (3)`;
    await tx`insert into things values (4)`;
  });
  await assert.rejects(two, /one statement/);
  assert.equal((await db`select from things`).length, 3);
});

/** Locks a table in another session until it is released. */
async function lockTable(url: string, table: string) {
  const db = openDatabase({ url, poolSize: 1, ...PATIENT });
  const [locked, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = db.begin(async (tx) => {
    await tx.unsafe(`lock table ${table} in access exclusive mode`);
    locked.resolve();
    await letGo.promise;
  });
  await locked.promise;
  return async () => {
    letGo.resolve();
    await ended;
    await db.end({ timeout: 1 });
  };
}

async function codeOf(promise: PromiseLike<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as { code: string }).code;
  }
  return assert.fail('it succeeded');
}

test('a statement that waits for a lock fails as unavailable in time; in the background it keeps waiting', async () => {
  // A pool of one, so that both use the same connection in turn.
  await using opened = await open(1, { lockTimeoutMs: 30 });
  const { db, url, waitedLongerThan } = opened;
  await db`create table things (thing_id integer)`;
  const unlock = await lockTable(url, 'things');
  const asked = [
    async () => db`select from things`,
    async () => db.shared()`select from things`,
    () => db.begin((tx) => tx`delete from things`),
  ];
  for (const ask of asked) await assert.rejects(ask(), isUnavailable);
  const waiting = Promise.resolve(db.background`insert into things values (1) returning thing_id`);
  await waitedLongerThan('60ms');
  await unlock();
  assert.deepEqual([...(await waiting)], [{ thingId: 1 }]);
  const unlockAgain = await lockTable(url, 'things');
  for (const ask of asked) await assert.rejects(ask(), isUnavailable);
  await unlockAgain();
});

test('a transaction in which nothing happens for too long ends, and what it has locked is free', async () => {
  await using opened = await open(2, { lockTimeoutMs: 30 });
  const { db } = opened;
  for (const access of [db, db.background]) {
    const rows = await access`show idle_in_transaction_session_timeout`;
    assert.deepEqual([...rows], [{ idleInTransactionSessionTimeout: '30s' }]);
  }
  await db`create table things (n integer)`;
  await db`insert into things values (1)`;
  const stoodStill = db.begin(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 50`;
    await tx`update things set n = 2`;
    await db.background.begin((other) => other`update things set n = n + 10`);
    await tx`update things set n = 3`;
  });
  await assert.rejects(stoodStill, isUnavailable);
  assert.deepEqual([...(await db`select n from things`)], [{ n: 11 }]);
});

test('columns are camel case in code and snake case in the database; a bigint is a number', async () => {
  await using opened = await open();
  const { db } = opened;
  await db`create table things (thing_id bigint primary key, long_name text, settings jsonb)`;
  const rows = [
    { thingId: 9007199254740991, longName: 'a', settings: db.json({ snake_case: 1 }) },
    { thingId: 2, longName: null, settings: null },
  ];
  await db`insert into things ${db(rows, 'thingId', 'longName', 'settings')}`;
  const found = await db.begin(async (tx) => {
    await tx`insert into ${tx('things')} ${tx([{ thingId: 1, settings: tx.json({ a: 1 }) }])}`;
    await tx.unsafe('insert into things values ($1, $2)', [3, null]);
    return tx`select * from things where ${tx`thing_id <> ${2}`} order by thing_id desc`;
  });
  assert.deepEqual(
    [...found].map((row) => ({ ...row })),
    [
      { thingId: 9007199254740991, longName: 'a', settings: { snake_case: 1 } },
      { thingId: 3, longName: null, settings: null },
      { thingId: 1, longName: null, settings: { a: 1 } },
    ],
  );
  assert.equal(found.count, 3);
});

test('a statement runs once, when awaited, and can be part of another', async () => {
  await using opened = await open();
  const { db } = opened;
  await db`create table things (thing_id integer)`;
  const insert = db`insert into things values (1)`;
  assert.equal((await db`select 1 from things`).length, 0);
  await Promise.all([insert, insert]);
  await insert;
  const condition = db`thing_id = ${1}`;
  assert.deepEqual([...(await db`select thing_id from things where ${condition} ${db``}`)], [{ thingId: 1 }]);
});

test('a transaction commits when its callback returns and rolls back when it throws', async () => {
  await using opened = await open();
  const { db } = opened;
  await db`create table things (thing_id integer primary key)`;
  assert.equal(await db.begin(async (tx) => (await tx`insert into things values (1)`).count), 1);
  const wrong = new Error('changed its mind');
  const refused = db.begin(async (tx) => {
    await tx`insert into things values (2)`;
    throw wrong;
  });
  await assert.rejects(refused, wrong);
  const duplicate = db.begin(async (tx) => tx`insert into things values (1)`);
  await assert.rejects(duplicate, isUniqueViolation);
  assert.deepEqual([...(await db`select thing_id from things`)], [{ thingId: 1 }]);
});

test('a transaction that continues after a failed statement does not count as committed', async () => {
  await using opened = await open(1);
  const { db } = opened;
  await db`create table things (thing_id integer primary key)`;
  const unaware = db.begin(async (tx) => {
    await tx`insert into things values (1)`;
    assert.equal(await codeOf(tx`select 1 / 0`), '22012');
    return 'done';
  });
  await assert.rejects(unaware, /nothing was committed/);
  const atOnce = db.begin((tx) => {
    throw new Error(`before any promise of ${typeof tx}`);
  });
  await assert.rejects(atOnce, /before any promise of function/);
  assert.equal((await db`select 1 from things`).length, 0, 'and the connection goes on');
});

test('a transaction fails with its first error, in whatever order its statements are awaited', async () => {
  await using opened = await open(1);
  const { db } = opened;
  const failingSlowly = async (tx: Tx) => {
    try {
      await tx`select 1 / 0`;
    } catch (error) {
      for (let i = 0; i < 10; i++) await undefined;
      throw error;
    }
  };
  await assert.rejects(
    db.begin(async (tx) => Promise.all([failingSlowly(tx), tx`select 1`])),
    { code: '22012' },
  );
});

test('a statement after the end of its transaction is not sent', async () => {
  await using opened = await open(1);
  const { db } = opened;
  let late: Promise<unknown> | undefined;
  const ended = Promise.withResolvers<void>();
  await db.begin(async (tx) => {
    late = ended.promise.then(() => tx`select 1`);
    await tx`select 2`;
  });
  ended.resolve();
  await assert.rejects(late as Promise<unknown>, /after the end of its transaction/);
});

test('a statement that fails between rows leaves none to the next result on its connection', async () => {
  await using opened = await open(1);
  const { db } = opened;
  for (const run of [db, db.shared()]) {
    const failing = codeOf(run`select 1 / (4 - i) as share from generate_series(1, 10) as i`);
    const behind = run`select 7 as n`;
    assert.equal(await failing, '22012');
    assert.deepEqual([...(await behind)], [{ n: 7 }]);
  }
  assert.equal(await codeOf(db.unsafe('select 1 / (4 - i) from generate_series(1, 10) as i')), '22012');
  assert.deepEqual([...(await db.unsafe('select $1::text as text', ['a']))], [{ text: 'a' }]);
  assert.equal((await db`select from generate_series(1, 3)`).count, 3);
});

const IN_FAILED_TRANSACTION = '25P02';

test('a connection whose transaction cannot be ended, because every attempt is cancelled, is not reused', async () => {
  await using opened = await open(1);
  const { db } = opened;
  await using other = await open(1);
  const [own] = await db<{ name: string }[]>`select current_database() as name`;
  const until = Date.now() + 1000;
  const cancels = async () => {
    while (Date.now() < until) {
      await other.db`
        select pg_cancel_backend(pid) from pg_stat_activity, generate_series(1, 100)
        where datname = ${own?.name ?? null} and backend_type = 'client backend'`;
    }
  };
  const uses = async () => {
    const codes = new Set<string>();
    while (Date.now() < until) {
      await db.begin(() => Promise.reject(new Error('undone'))).catch(() => {});
      await db`select 1`.catch((error) => codes.add(codeOfError(error)));
    }
    return codes;
  };
  const [codes] = await Promise.all([uses(), cancels()]);
  assert.ok(!codes.has(IN_FAILED_TRANSACTION), [...codes].join(' '));
  // On a busy machine the last signals arrive only now.
  await eventually(() => db`select 1`.catch(() => undefined), 'an answer after the last signal');
});

test('statements that share a connection get their own results, in order, and move to another when it is lost', async () => {
  await using opened = await open(3);
  const { db } = opened;
  const pidOf = async () =>
    (await db.shared()`select pg_backend_pid() as pid from pg_sleep(0.01)`)[0]?.['pid'];
  const [one, wrong, other] = await Promise.all([
    pidOf(),
    codeOf(db.shared()`select 1 / 0`),
    db.shared()`select pg_backend_pid() as pid, ${'ä'}::text as said`,
  ]);
  assert.equal(wrong, '22012');
  assert.deepEqual({ ...other[0] }, { pid: one, said: 'ä' });
  const lost = [db.shared()`select pg_sleep(30)`, db.shared()`select 1`].map((statement) =>
    assert.rejects(Promise.resolve(statement), isUnavailable),
  );
  await db`select pg_sleep(0.05)`;
  await opened.cutConnections();
  await Promise.all(lost);
  assert.notEqual(await pidOf(), one);
});

function codeOfError(error: unknown): string {
  return (error as { code: string }).code;
}

test('a transaction whose connection is cut between two statements fails without affecting others', async () => {
  await using opened = await open(1);
  const { db } = opened;
  await db`create table things (thing_id integer)`;
  for (const ending of ['goes on', 'commits', 'rolls back'] as const) {
    const isUnderWay = Promise.withResolvers<void>();
    const isCut = Promise.withResolvers<void>();
    const lateStatement = Promise.withResolvers<string>();
    const failure = codeOf(
      db.begin(async (tx) => {
        await tx`insert into things values (1)`;
        isUnderWay.resolve();
        await isCut.promise;
        if (ending === 'goes on') lateStatement.resolve(await codeOf((async () => tx`select 1`)()));
        if (ending === 'rolls back') throw new Error('something else');
      }),
    );
    await isUnderWay.promise;
    await opened.cutConnections();
    assert.ok(isUnavailable({ code: await failure }), ending);
    isCut.resolve();
    if (ending === 'goes on') assert.ok(isUnavailable({ code: await lateStatement.promise }));
    assert.deepEqual([...(await db`select thing_id from things`)], []);
  }
});

test('a database that refuses connections counts as unavailable at once', async () => {
  const db = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', poolSize: 2 });
  const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(db`select 1`)));
  assert.deepEqual([...new Set(codes)], ['ECONNREFUSED']);
  assert.ok(isUnavailable({ code: 'ECONNREFUSED' }));
  await db.end({ timeout: 1 });
});

test('who waits too long for a connection of a full pool is refused, and so is everybody once it is closed', async () => {
  await using opened = await open(1, { waitTimeoutMs: 500 });
  const { db } = opened;
  const refused = { status: 503, code: 'INTERNAL_ERROR' };
  const cut = assert.rejects(async () => db`select pg_sleep(30)`, isUnavailable);
  await assert.rejects(async () => db`select 1`, refused);
  await opened.cutConnections();
  await cut;
  await eventually(() => db`select 1`.catch(() => undefined));
  await db.end({ timeout: 1 });
  await assert.rejects(async () => db`select 1`, refused);
});

test('a command waits longer than a request for a database that is slow to accept the first connection', async (t) => {
  await using database = await createEmptyDatabase();
  await using network = await createBreakableNetwork(database.url);
  t.mock.timers.enable({ apis: ['setInterval'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const [ofServer, ofCommand] = [openDatabase({ url: network.url, poolSize: 1 }), openPatiently(network.url)];
  network.freeze();
  const [refused, answered] = [ofServer, ofCommand].map((db) => db`select 1 as one`.then((rows) => rows[0]));
  const refusal = assert.rejects(refused as Promise<unknown>, isUnavailable);
  await eventually(() => network.connections === 2);
  now = 5_000;
  t.mock.timers.tick(250);
  await refusal;
  network.thaw();
  assert.deepEqual(await answered, { one: 1 });
  await Promise.all([ofServer.end({ timeout: 1 }), ofCommand.end({ timeout: 1 })]);
});
