import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { eventually } from '#testing/waits.ts';
import { PostgresSessionStore } from '../../sdk/postgres/index.ts';
import { createBotDatabase } from './bot-database.ts';

interface Counted {
  count: number;
}

/** A database of a bot's own; stores have a pool each, as in several processes. */
async function createScene(t: TestContext) {
  const database = await createBotDatabase();
  const { openPool } = database;
  const children: ChildProcess[] = [];
  t.after(async () => {
    await Promise.all(children.map(kill));
    await database[Symbol.asyncDispose]();
  });
  const pool = openPool();
  return {
    query: async (text: string) => (await pool.query(text)).rows,
    openStore: <Session = Counted>(name = 'counts') =>
      new PostgresSessionStore<Session>({ pool: openPool(), name }),
    /** A process of the bot, and the next things that it says. */
    async startSharer() {
      const child = fork('tests/sdk/session-sharer.ts', [database.url]);
      children.push(child);
      const said = on(child, 'message');
      const next = async () => (await said.next()).value?.[0];
      assert.equal(await next(), 'ready');
      return { child, next };
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.signalCode) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

test('two processes count the messages of one conversation without losing any, and a third one goes on', async (t) => {
  const { startSharer, query } = await createScene(t);
  const sharers = [await startSharer(), await startSharer()];
  for (let round = 0; round < 20; round++) for (const { child } of sharers) child.send('hi');
  const counts = await Promise.all(
    sharers.map(async ({ next }) => {
      const counted: number[] = [];
      while (counted.length < 20) counted.push(await next());
      return counted;
    }),
  );
  const expected = Array.from({ length: 40 }, (_, index) => index + 1);
  assert.deepEqual(
    counts.flat().sort((a, b) => a - b),
    expected,
  );
  // A count is reported before it is stored.
  await eventually(async () => (await query('select from parley_sessions where held_by is null')).length);
  for (const { child } of sharers) await kill(child);
  const later = await startSharer();
  later.child.send('hi');
  assert.equal(await later.next(), 41);
});

test('a process that is killed while it handles a message keeps the session for 30 seconds', async (t) => {
  const { startSharer, query } = await createScene(t);
  const [dying, other] = [await startSharer(), await startSharer()];
  dying.child.send('hi');
  assert.equal(await dying.next(), 1);
  dying.child.send('hang');
  assert.equal(await dying.next(), 'hanging');
  await kill(dying.child);
  const [held] = await query(
    `select held_until - now() between '1 second' and '30 seconds' as "isHeld", session from parley_sessions`,
  );
  assert.deepEqual(held, { isHeld: true, session: { count: 1 } });
  other.child.send('hi');
  await query(`update parley_sessions set held_until = now() - interval '1 second'`);
  assert.equal(await other.next(), 2);
});

test('who was taken for dead does not overwrite what the others stored since', async (t) => {
  const { openStore, query } = await createScene(t);
  const [slow, other] = [openStore(), openStore()];
  await slow.write('a', { count: 1 });
  const overtaken = slow.update('a', async () => {
    await query(`update parley_sessions set held_until = now() - interval '1 second'`);
    await other.update('a', async () => ({ count: 2 }));
    return { count: 99 };
  });
  await assert.rejects(overtaken, { message: /^a session was changed by another process/ });
  assert.deepEqual(await slow.read('a'), { count: 2 });
});

test('a session is held until its change has ended, and stays as it was if that throws', async (t) => {
  const { openStore, query } = await createScene(t);
  const [first, second] = [openStore(), openStore()];
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const order: string[] = [];
  const failing = first.update('a', async (current) => {
    order.push(`first sees ${current?.count}`);
    await mayEnd;
    throw new Error('failed');
  });
  await eventually(() => order[0]);
  const waiting = second.update('a', async (current) => {
    order.push(`second sees ${current?.count}`);
    return { count: 1 };
  });
  await openStore().update('b', async () => ({ count: 7 }));
  order.push('another conversation went on');
  end();
  await assert.rejects(failing, /^Error: failed$/);
  await waiting;
  assert.deepEqual(order, ['first sees undefined', 'another conversation went on', 'second sees undefined']);
  await second.update('a', async () => undefined);
  await second.update('c', async (current) => current);
  const rows = await query('select key, session, held_by as "heldBy" from parley_sessions');
  assert.deepEqual(rows, [{ key: 'b', session: { count: 7 }, heldBy: null }], 'nothing else is left behind');
});

test('any text is kept, and each name has sessions of its own', async (t) => {
  const { openStore } = await createScene(t);
  const [texts, others] = [openStore<string[]>('texts'), openStore<string[]>('others')];
  const session = ['\0', '\ud800', '"\\\'', '👍', 'x'.repeat(100_000)];
  await texts.write('a', ['first']);
  await texts.write('a', session);
  assert.deepEqual(await texts.read('a'), session);
  assert.equal(await others.read('a'), undefined);
  await texts.write('a', undefined);
  assert.equal(await texts.read('a'), undefined);
});

test('processes that need the table at once all get it', async (t) => {
  const { openStore } = await createScene(t);
  const stores = Array.from({ length: 8 }, () => openStore());
  await Promise.all(stores.map((store, index) => store.write(`${index}`, { count: index })));
  assert.deepEqual(await stores[0]?.read('7'), { count: 7 });
});

test('a role that may not create tables is told what to run, and needs no more than that', async (t) => {
  const { openStore, query } = await createScene(t);
  await query('revoke create on schema public from public, pg_database_owner');
  const error = await openStore()
    .read('a')
    .catch((thrown) => thrown);
  assert.match(error.message, /^the bot’s role may not create the table parley_sessions: run this/);
  const [, ...statements] = error.message.split('\n');
  await query('grant create on schema public to pg_database_owner');
  await query(statements.join('\n').replace('…', 'current_user'));
  await query('revoke create on schema public from pg_database_owner');
  await openStore().update('a', async () => ({ count: 3 }));
  assert.deepEqual(await openStore().read('a'), { count: 3 });
});
