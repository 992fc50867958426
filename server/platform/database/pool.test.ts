import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors.ts';
import { Host } from './failover/hosts.ts';
import { Pool } from './pool.ts';

const HERE = new Host('postgres://here');
const THERE = new Host('postgres://there');

class FakeConnection {
  isLost = false;
  host: Host | undefined = HERE;
  closedAfterSeconds: number | undefined;
  readonly name: number;
  fail = (_error: Error) => {};

  constructor(name: number) {
    this.name = name;
  }

  async close(timeoutSeconds: number): Promise<void> {
    this.isLost = true;
    this.closedAfterSeconds = timeoutSeconds;
    this.fail(new Error('closed'));
  }
}

function poolOf(size: number) {
  const opened: FakeConnection[] = [];
  const open = () => {
    const connection = new FakeConnection(opened.length + 1);
    opened.push(connection);
    return connection;
  };
  const pool = new Pool(open, { size, waitTimeoutTicks: 6 });
  /** A caller that uses a connection until the test stops it. */
  const user = (way: 'lend' | 'share') => () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let lent: FakeConnection | undefined;
    const done = pool[way]((connection) => {
      lent = connection;
      connection.fail = reject;
      return promise;
    });
    done.catch(() => {});
    return { done, finish: resolve, fail: reject, lent: () => lent };
  };
  return { pool, opened, borrow: user('lend'), share: user('share') };
}

const turn = () => new Promise(setImmediate);

test('connections are opened on demand, and the one used last is reused first', async () => {
  const { pool, opened } = poolOf(3);
  for (let i = 0; i < 5; i++) assert.equal(await pool.lend(async ({ name }) => name), 1);
  await Promise.all([1, 2].map(() => pool.lend(turn)));
  assert.equal(opened.length, 2);
});

test('no more connections than the size are lent; other callers are served in order of arrival', async () => {
  const { opened, borrow } = poolOf(2);
  const users = Array.from({ length: 5 }, borrow);
  await turn();
  assert.deepEqual(
    users.map((user) => user.lent()?.name),
    [1, 2, undefined, undefined, undefined],
  );
  users[1]?.finish('');
  await turn();
  assert.deepEqual(
    users.map((user) => user.lent()?.name),
    [1, 2, 2, undefined, undefined],
  );
  users[0]?.fail(new Error('a statement that is wrong'));
  await turn();
  assert.deepEqual(
    users.map((user) => user.lent()?.name),
    [1, 2, 2, 1, undefined],
  );
  assert.equal(opened.length, 2);
});

test('a result or error reaches its caller', async () => {
  const { pool } = poolOf(1);
  assert.equal(await pool.lend(async () => 'answer'), 'answer');
  await assert.rejects(
    pool.lend(() => Promise.reject(new Error('wrong'))),
    new Error('wrong'),
  );
});

test('a caller that waits too long gets a 503, and the others keep waiting', async () => {
  const { pool, borrow } = poolOf(1);
  const user = borrow();
  const early = borrow();
  pool.tick();
  const late = borrow();
  for (let i = 0; i < 5; i++) pool.tick();
  user.finish('');
  await turn();
  assert.equal(early.lent()?.name, 1);
  const impatient = borrow();
  for (let i = 0; i < 2; i++) pool.tick();
  await assert.rejects(late.done, (error: ApiError) => error instanceof ApiError && error.status === 503);
  early.finish('');
  await turn();
  assert.equal(impatient.lent()?.name, 1);
});

test('a lost connection is replaced, whether it was lent or idle', async () => {
  const { pool, opened, borrow } = poolOf(1);
  const user = borrow();
  const next = borrow();
  (opened[0] as FakeConnection).isLost = true;
  user.fail(new Error('lost'));
  await turn();
  assert.equal(next.lent()?.name, 2);
  next.finish('');
  await next.done;
  (opened[1] as FakeConnection).isLost = true;
  assert.equal(await pool.lend(async ({ name }) => name), 3);
});

test('sharing callers use the same connection; others get it when the last has finished', async () => {
  const { pool, borrow, share } = poolOf(1);
  const [one, other] = [share(), share()];
  const alone = borrow();
  await turn();
  const names = () => [one, other, alone].map((user) => user.lent()?.name);
  assert.deepEqual(names(), [1, 1, undefined]);
  assert.equal(pool.use.lent, 1);
  one.finish('');
  await turn();
  assert.deepEqual(names(), [1, 1, undefined]);
  other.finish('');
  await turn();
  assert.deepEqual(names(), [1, 1, 1]);
  const waiting = share();
  for (let i = 0; i < 7; i++) pool.tick();
  await assert.rejects(waiting.done, (error: ApiError) => error.status === 503);
  alone.finish('');
  await alone.done;
  assert.equal(await pool.share(async ({ name }) => name), 1);
});

test('when all are lent, a sharing caller gets an extra connection to its host, which no waiting caller gets', async () => {
  const { pool, opened, borrow } = poolOf(1);
  const other = borrow();
  await turn();
  assert.equal(await pool.share(async ({ name }) => name, HERE.address), 2);
  const waiting = borrow();
  await turn();
  assert.equal(await pool.share(async ({ name }) => name, HERE.address), 3);
  assert.equal(waiting.lent(), undefined);
  other.finish('done');
  await turn();
  assert.equal(waiting.lent()?.name, 1);
  assert.deepEqual(
    opened.map(({ isLost }) => isLost),
    [false, true, true],
  );
});

test('sharing after a loss gets another connection, and each use restarts its time limit', async () => {
  const { pool, opened, share } = poolOf(2);
  const old = share();
  await turn();
  for (let i = 0; i < 3; i++) pool.tick();
  const young = share();
  await turn();
  pool.closeLentFor(2, HERE);
  assert.equal(young.lent()?.closedAfterSeconds, undefined);
  for (let i = 0; i < 2; i++) pool.tick();
  pool.closeLentFor(2, HERE);
  assert.equal(young.lent()?.closedAfterSeconds, 0);
  const next = share();
  await turn();
  assert.equal(next.lent()?.name, 2);
  for (const user of [old, young, next]) user.finish('');
  await Promise.allSettled([old.done, young.done, next.done]);
  assert.equal(pool.use.lent, 0);
  assert.equal(opened.length, 2);
});

test('connections lent for too long can be closed, and make room', async () => {
  const { pool, borrow } = poolOf(2);
  const old = borrow();
  pool.tick();
  pool.tick();
  const young = borrow();
  const waiting = borrow();
  pool.closeLentFor(2, HERE);
  await assert.rejects(old.done, new Error('closed'));
  assert.equal(young.lent()?.closedAfterSeconds, undefined);
  assert.equal(waiting.lent()?.name, 3);
});

test('connections to one host can be closed; those to another, and work in progress there, stay', async () => {
  const { pool, opened, borrow } = poolOf(3);
  const users = Array.from({ length: 3 }, borrow);
  (opened[1] as FakeConnection).host = THERE;
  (opened[2] as FakeConnection).host = THERE;
  users[0]?.finish('');
  users[1]?.finish('');
  await turn();
  assert.deepEqual([pool.isLendingAt(HERE), pool.isLendingAt(THERE)], [false, true]);
  pool.closeIdle(THERE);
  assert.deepEqual(
    opened.map(({ isLost }) => isLost),
    [false, true, false],
  );
  pool.closeLentFor(0, THERE);
  await assert.rejects((users[2] as { done: Promise<string> }).done, new Error('closed'));
  assert.equal(await pool.lend(async ({ name }) => name), 1);
});

test('renewing replaces each connection, the shared one too, as soon as it is idle', async () => {
  const { pool, opened, borrow, share } = poolOf(3);
  const [lent, shared, idle] = [borrow(), share(), borrow()];
  await turn();
  idle.finish('');
  await turn();
  pool.renew();
  assert.deepEqual(
    opened.map(({ isLost }) => isLost),
    [false, false, true],
  );
  const next = share();
  await turn();
  assert.equal(next.lent()?.name, 4);
  for (const user of [lent, shared, next]) user.finish('');
  await Promise.all([lent.done, shared.done, next.done]);
  assert.deepEqual(
    opened.map(({ isLost }) => isLost),
    [true, true, true, false],
  );
});

test('closing refuses waiting and new callers, and closes every connection', async () => {
  const { pool, opened, borrow } = poolOf(2);
  await Promise.all([pool.lend(turn), pool.lend(turn)]);
  const user = borrow();
  const other = borrow();
  const waiting = borrow();
  await pool.close(5);
  for (const refused of [waiting.done, pool.lend(turn)]) {
    await assert.rejects(refused, (error: ApiError) => error.status === 503);
  }
  await assert.rejects(user.done, new Error('closed'));
  await assert.rejects(other.done, new Error('closed'));
  assert.deepEqual(
    opened.map(({ closedAfterSeconds }) => closedAfterSeconds),
    [0, 0],
  );
});

test('while it is held, no caller gets a connection; once released, they are served in order', async () => {
  const { pool, borrow, share } = poolOf(2);
  const under = [borrow(), share()];
  await turn();
  pool.hold();
  const later = [borrow(), share(), share()];
  for (const { finish } of under) finish('done');
  await Promise.all(under.map(({ done }) => done));
  await turn();
  assert.deepEqual(
    later.map((user) => user.lent()),
    [undefined, undefined, undefined],
  );
  pool.release();
  await turn();
  assert.deepEqual(
    later.map((user) => user.lent()?.name),
    [2, 1, 1],
  );
  pool.hold();
  const refused = borrow();
  for (let i = 0; i < 7; i++) pool.tick();
  await assert.rejects(refused.done, ApiError);
});

test('when suspended, it refuses every caller at once, resolves when nothing is in progress, and can be released', async () => {
  const { pool, opened, borrow, share } = poolOf(1);
  const shared = share();
  await turn();
  const waiting = borrow();
  const suspended = pool.suspend();
  for (const { done } of [waiting, borrow(), share()]) await assert.rejects(done, ApiError);
  shared.finish('done');
  assert.equal(await shared.done, 'done');
  await suspended;
  assert.equal(opened[0]?.isLost, true);
  pool.release();
  assert.equal(await pool.lend(async ({ name }) => name), 2);
});
