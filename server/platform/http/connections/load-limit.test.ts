import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createBreakableNetwork } from '#testing/breakable-network.ts';
import { testServerUrl } from '#testing/global-setup.ts';
import { createTinyApp, type TinyApp, type TinyAppOptions } from '#testing/tiny-app.ts';
import { eventually } from '#testing/waits.ts';
import { currentTurn } from '../../concurrency/turn.ts';
import { type Database, openDatabase } from '../../database.ts';

const BUSY = {
  status: 503,
  retryAfter: '1',
  body: {
    status: 'error',
    code: 'INTERNAL_ERROR',
    message: 'the service is busy or its database is unavailable; try again',
  },
};

function appFor(t: TestContext, options: TinyAppOptions): TinyApp {
  const tiny = createTinyApp(options);
  t.after(() => tiny[Symbol.asyncDispose]());
  return tiny;
}

async function ask({ app }: TinyApp, url: string) {
  const answer = await app.inject({ url });
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], body: answer.json() };
}

test('while the database is silent, requests are refused at once, except for those that do not need it', async (t) => {
  const db = { isAnswering: false, waitTimeoutMs: 1_200 };
  const routes: TinyAppOptions['routes'] = (app) =>
    app.get('/live', { config: { withoutDatabase: true } }, async () => ({}));
  const tiny = appFor(t, { db, routes });
  assert.deepEqual(await ask(tiny, '/echo'), BUSY);
  assert.equal((await ask(tiny, '/live')).status, 200);
  assert.equal((await ask(tiny, '/nowhere')).status, 404);
  db.isAnswering = true;
  assert.equal((await ask(tiny, '/echo')).status, 200);
});

test('what was let in gets its true answer, however long it takes', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const db = { isAnswering: true, waitTimeoutMs: 1_200 };
  const [answer, failure] = [Promise.withResolvers<object>(), Promise.withResolvers<object>()];
  const routes: TinyAppOptions['routes'] = (app) =>
    app.get('/waits', () => answer.promise).get('/fails', () => failure.promise);
  const tiny = appFor(t, { db, routes });
  const waiting = [ask(tiny, '/waits'), ask(tiny, '/fails')];
  await ask(tiny, '/echo');
  db.isAnswering = false;
  t.mock.timers.tick(10_000);
  answer.resolve({ stored: true });
  failure.reject(Object.assign(new Error('no'), { code: '42501' }));
  const [stored, failed] = await Promise.all(waiting);
  assert.deepEqual([stored?.status, stored?.body, failed?.status], [200, { stored: true }, 500]);
});

/** An app whose requests wait until the test lets them go, as if for a connection. */
function queueing(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const answers: (() => void)[] = [];
  const routes: TinyAppOptions['routes'] = (app) =>
    app.post('/waits', async () => {
      const turn = currentTurn();
      turn?.wait();
      await new Promise<void>((resolve) => answers.push(resolve));
      turn?.go();
      return {};
    });
  const db = { isAnswering: true, waitTimeoutMs: 1_200 };
  const tiny = appFor(t, { db, routes });
  const arrive = async (count: number) => {
    const before = answers.length;
    const asked = Array.from({ length: count }, async () => {
      const { statusCode } = await tiny.app.inject({ method: 'POST', url: '/waits', payload: {} });
      return statusCode;
    });
    const refused: number[] = [];
    for (const one of asked) void one.then((status) => status === 503 && refused.push(status));
    while (answers.length - before + refused.length < count) await new Promise(setImmediate);
    return { asked, refused: refused.length };
  };
  const pass = (ticks: number) => {
    for (let i = 0; i < ticks; i++) {
      now += 250;
      t.mock.timers.tick(250);
    }
  };
  const answerAll = () => {
    for (const answer of answers.splice(0)) answer();
  };
  return { tiny, db, arrive, pass, answerAll };
}

test('when requests wait long, fewer are let in; the others are refused, and all are let in again afterwards', async (t) => {
  const { tiny, arrive, pass, answerAll } = queueing(t);
  const first = await arrive(200);
  assert.equal(first.refused, 0);
  pass(3);
  assert.equal((await arrive(20)).refused, 20, 'the first have waited for too long');
  answerAll();
  assert.deepEqual([...new Set(await Promise.all(first.asked))], [200]);
  const next = await arrive(200);
  assert.ok(next.refused > 0 && next.refused < 200, `${next.refused}`);
  answerAll();
  await Promise.all(next.asked);
  pass(40);
  const last = await arrive(200);
  assert.equal(last.refused, 0);
  answerAll();
  await Promise.all(last.asked);
  const refusals = tiny.logged.filter(({ level }) => level === 40);
  assert.equal(refusals.length, 1, 'one line for all of them');
});

test('the refused are told to return one after another, at half the rate at which others are served', async (t) => {
  const { tiny, db, arrive, pass, answerAll } = queueing(t);
  const served = await arrive(50);
  answerAll();
  await Promise.all(served.asked);
  pass(1);
  db.isAnswering = false;
  const retries = async (count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => ask(tiny, '/echo')));
    return [1, 2, 30].map(
      (seconds) => answers.filter(({ retryAfter }) => retryAfter === String(seconds)).length,
    );
  };
  assert.deepEqual(await retries(200), [100, 100, 0], '200 a second were served');
  assert.deepEqual((await retries(3_000))[2], 300, 'after half a minute at most');
});

test('as many are let in as are served in the time that they should wait', async (t) => {
  const { arrive, pass, answerAll } = queueing(t);
  const served = await arrive(100);
  answerAll();
  await Promise.all(served.asked);
  const waiting = await arrive(500);
  pass(1);
  assert.equal((await arrive(1)).refused, 0, 'they have not waited for long');
  pass(1);
  answerAll();
  await Promise.all(waiting.asked);
  // 100 in 250 ms, a tenth of which is forgotten, are 173 in 480 ms.
  const next = await arrive(400);
  assert.equal(next.refused, 400 - 173);
  answerAll();
});

/** An app whose route queries a real database over a network that the test breaks. */
async function overNetwork(t: TestContext) {
  const network = await createBreakableNetwork(await testServerUrl());
  const db: Database = openDatabase({ url: network.url, poolSize: 2 });
  const tiny = appFor(t, {
    db,
    routes: (app) => app.get('/one', async () => ({ one: (await db`select 1 as one`)[0]?.['one'] })),
  });
  t.after(async () => {
    await db.end({ timeout: 0 });
    await network[Symbol.asyncDispose]();
  });
  const timed = async (url: string) => {
    const startedAt = performance.now();
    const { status } = await ask(tiny, url);
    return { status, ms: performance.now() - startedAt };
  };
  const recovers = async () => {
    const startedAt = performance.now();
    while ((await ask(tiny, '/one')).status !== 200) {
      assert.ok(performance.now() - startedAt < 15_000, 'it does not recover');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return { network, timed, recovers };
}

test('a frozen database: what was sent is answered when it goes on, the rest gets 503, soon without waiting', async (t) => {
  const { network, timed, recovers } = await overNetwork(t);
  assert.equal((await timed('/one')).status, 200);
  for (let round = 0; round < 2; round++) {
    network.freeze();
    const asked = Array.from({ length: 20 }, () => timed('/one'));
    const refused: { status: number; ms: number }[] = [];
    for (const one of asked) void one.then((answer) => refused.push(answer));
    await eventually(() => refused.length >= 18);
    assert.deepEqual([...new Set(refused.map(({ status }) => status))], [503]);
    // Those before have waited for a connection; the load limit then lets no more wait.
    await eventually(async () => (await timed('/one')).ms < 200);
    network.thaw();
    const statuses = (await Promise.all(asked)).map((answer) => answer.status);
    assert.ok(statuses.includes(200), statuses.join(' '));
    await recovers();
  }
});

test('when the network dropped the connections, the database is reached over new ones', async (t) => {
  const { network, timed, recovers } = await overNetwork(t);
  assert.equal((await timed('/one')).status, 200);
  network.freeze();
  const asked = Array.from({ length: 20 }, () => timed('/one'));
  await Promise.all(asked.slice(2));
  network.replace();
  await recovers();
  assert.deepEqual(
    (await Promise.all(asked.slice(0, 2))).map(({ status }) => status),
    [503, 503],
  );
  const answers = await Promise.all(Array.from({ length: 20 }, () => timed('/one')));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
});
