import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inTurn, Turn } from '../concurrency/turn.ts';
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

  async open(): Promise<void> {}

  async close(timeoutSeconds: number): Promise<void> {
    this.isLost = true;
    this.closedAfterSeconds = timeoutSeconds;
    this.fail(new Error('closed'));
  }
}

function poolOf(size: number, { mayOpen = (): boolean => true } = {}) {
  const opened: FakeConnection[] = [];
  const open = () => {
    if (!mayOpen()) return undefined;
    const connection = new FakeConnection(opened.length + 1);
    opened.push(connection);
    return connection;
  };
  const pool = new Pool(open, { size, waitTimeoutMs: 1_200, longestWaitMs: 30_000 });
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

/** Moves the time, which only ticks look at. */
function timeOf(t: TestContext) {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  return {
    pass: (ms: number) => {
      now += ms;
    },
  };
}

const isRefusal = (error: unknown) => error instanceof ApiError && error.status === 503;

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

test('a caller that waits too long gets a 503, and the others and those in no hurry keep waiting', async (t) => {
  const time = timeOf(t);
  const { pool, borrow } = poolOf(1);
  const user = borrow();
  await turn();
  const early = borrow();
  const patient = pool.lend(async ({ name }) => name, 10_000);
  time.pass(500);
  const late = borrow();
  time.pass(700);
  pool.tick();
  await assert.rejects(early.done, isRefusal);
  user.finish('');
  assert.equal(await patient, 1);
  await turn();
  assert.equal(late.lent()?.name, 1);
});

test('a request waits for so long in all, but a statement takes as long as it takes, and after a write it is not refused', async (t) => {
  const time = timeOf(t);
  const { pool, borrow } = poolOf(1);
  const request = new Turn(1_200);
  const asRequest = () => inTurn(request, borrow);
  let user = borrow();
  await turn();
  const first = asRequest();
  time.pass(700);
  user.finish('');
  await turn();
  time.pass(10_000);
  first.finish('');
  user = borrow();
  await turn();
  const second = asRequest();
  time.pass(500);
  pool.tick();
  await assert.rejects(second.done, isRefusal);
  request.hasWritten = true;
  const afterwards = asRequest();
  time.pass(20_000);
  pool.tick();
  user.finish('');
  await turn();
  assert.equal(afterwards.lent()?.name, 1);
});

test('while no connection may be opened, callers wait for one that is given back, or for the next interval', async () => {
  let mayOpen = true;
  const { pool, opened, borrow } = poolOf(3, { mayOpen: () => mayOpen });
  const user = borrow();
  await turn();
  mayOpen = false;
  const [next, last] = [borrow(), borrow()];
  await turn();
  assert.equal(opened.length, 1);
  user.finish('');
  await turn();
  assert.equal(next.lent()?.name, 1);
  mayOpen = true;
  pool.tick();
  await turn();
  assert.equal(last.lent()?.name, 2);
});

test('if no host can be used, every caller gets the reason at once', async () => {
  const reason = new Error('no host can be used');
  const pool = new Pool<FakeConnection>(
    () => {
      throw reason;
    },
    { size: 2, waitTimeoutMs: 1_200, longestWaitMs: 30_000 },
  );
  for (const asked of [pool.lend(turn), pool.share(turn), pool.share(turn, HERE.address)])
    await assert.rejects(asked, reason);
});

test('a connection that fails to open is replaced by the next', async () => {
  const broken = new FakeConnection(1);
  broken.open = () => Promise.reject(new Error('refused'));
  const connections = [broken, new FakeConnection(2)];
  const pool = new Pool(() => connections.shift(), { size: 1, waitTimeoutMs: 1_200, longestWaitMs: 30_000 });
  assert.equal(await pool.lend(async ({ name }) => name), 2);
});

test('while a host is late, connections to others are preferred, also for sharing', async (t) => {
  const { pool, opened, borrow, share } = poolOf(2);
  const [one, other] = [borrow(), borrow()];
  await turn();
  (opened[0] as FakeConnection).host = THERE;
  for (const user of [other, one]) user.finish('');
  await Promise.all([one.done, other.done]);
  const shared = share();
  await turn();
  assert.equal(shared.lent()?.name, 1);
  THERE.isLate = true;
  t.after(() => {
    THERE.isLate = false;
  });
  const meanwhile = share();
  await turn();
  assert.equal(meanwhile.lent()?.name, 2);
  for (const user of [shared, meanwhile]) user.finish('');
  await Promise.all([shared.done, meanwhile.done]);
  for (let i = 0; i < 3; i++) assert.equal(await pool.lend(async ({ name }) => name), 2);
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

test('sharing callers use the same connection; others get it when the last has finished', async (t) => {
  const time = timeOf(t);
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
  await turn();
  time.pass(1_200);
  pool.tick();
  await assert.rejects(waiting.done, isRefusal);
  alone.finish('');
  await alone.done;
  assert.equal(await pool.share(async ({ name }) => name), 1);
});

test('a connection that comes once every sharing caller has been refused is lent to the next', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { pool, borrow, share } = poolOf(1);
  const alone = borrow();
  const waiting = [share(), share()];
  await turn();
  t.mock.timers.tick(1_200);
  for (const { done } of waiting) await assert.rejects(done, isRefusal);
  alone.finish('');
  await alone.done;
  await turn();
  assert.deepEqual(pool.use, { size: 1, lent: 0, idle: 1, waiting: 0 });
});

test('a host has its own shared connection beside the others, which is kept, and no waiting caller gets it', async () => {
  const { pool, opened, borrow } = poolOf(1);
  const other = borrow();
  await turn();
  const shareThere = () => pool.share(async ({ name }) => name, HERE.address);
  assert.deepEqual(await Promise.all([shareThere(), shareThere()]), [2, 2]);
  const waiting = borrow();
  await turn();
  assert.equal(await shareThere(), 2);
  assert.equal(waiting.lent(), undefined);
  other.finish('done');
  await turn();
  assert.equal(waiting.lent()?.name, 1);
  (opened[1] as FakeConnection).isLost = true;
  assert.equal(await shareThere(), 3);
  assert.equal(opened.length, 3);
});

test('a shared connection to a host that opens once its callers were refused is lent to the next, or closed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { pool, opened } = poolOf(1);
  const opening = Promise.withResolvers<void>();
  t.mock.method(FakeConnection.prototype, 'open', () => opening.promise);
  const shareHere = () => pool.share(async ({ name }) => name, HERE.address);
  const share = async () => {
    const refused = assert.rejects(shareHere(), isRefusal);
    await turn();
    t.mock.timers.tick(1_200);
    await refused;
  };
  await share();
  opening.resolve();
  await turn();
  (opened[0] as FakeConnection).isLost = true;
  assert.equal(await shareHere(), 2);

  const late = Promise.withResolvers<void>();
  t.mock.method(FakeConnection.prototype, 'open', () => late.promise);
  (opened[1] as FakeConnection).isLost = true;
  await share();
  await pool.close(0);
  late.resolve();
  await turn();
  assert.equal(opened[2]?.isLost, true);
  await assert.rejects(shareHere(), isRefusal);
  assert.equal(opened.length, 3);
});

test('each answer restarts the time limit of a shared connection, and who joins its users does not', async () => {
  const { pool, opened, share } = poolOf(2);
  const [answered, old] = [share(), share()];
  await turn();
  for (let i = 0; i < 3; i++) pool.tick();
  answered.finish('');
  await answered.done;
  pool.closeLentFor(2);
  assert.equal(old.lent()?.closedAfterSeconds, undefined);
  pool.tick();
  const young = share();
  await turn();
  pool.tick();
  pool.closeLentFor(2);
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
  await turn();
  pool.tick();
  pool.tick();
  const young = borrow();
  await turn();
  const waiting = borrow();
  pool.closeLentFor(2);
  await assert.rejects(old.done, new Error('closed'));
  assert.equal(young.lent()?.closedAfterSeconds, undefined);
  assert.equal(waiting.lent()?.name, 3);
});

test('one connection at a time leaves a host: an idle one at once, one in use when it is free', async () => {
  const { pool, opened, borrow } = poolOf(3);
  const users = Array.from({ length: 3 }, borrow);
  await turn();
  (opened[2] as FakeConnection).host = THERE;
  users[0]?.finish('');
  await turn();
  const areLost = () => opened.map(({ isLost }) => isLost);
  pool.leave(HERE);
  assert.deepEqual(areLost(), [true, false, false]);
  pool.leave(HERE);
  assert.deepEqual(areLost(), [true, false, false]);
  for (const user of users) user.finish('');
  await turn();
  assert.deepEqual(areLost(), [true, true, false]);
  assert.equal(await pool.lend(async ({ name }) => name), 3);
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

test('while it is held, no caller gets a connection; once released, they are served in order', async (t) => {
  const time = timeOf(t);
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
  await turn();
  time.pass(1_200);
  pool.tick();
  await assert.rejects(refused.done, isRefusal);
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
