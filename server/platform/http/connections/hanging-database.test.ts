import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createBreakableNetwork } from '#testing/breakable-network.ts';
import { testServerUrl } from '#testing/global-setup.ts';
import { createTinyApp, type TinyApp, type TinyAppOptions } from '#testing/tiny-app.ts';
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

test('while the database hangs, requests are refused at once, except for those that do not need it', async (t) => {
  const db = { isAnswering: false, isObstructed: false };
  const routes: TinyAppOptions['routes'] = (app) =>
    app.get('/live', { config: { withoutDatabase: true } }, async () => ({}));
  const tiny = appFor(t, { db, routes });
  assert.deepEqual(await ask(tiny, '/echo'), BUSY);
  assert.equal((await ask(tiny, '/live')).status, 200);
  assert.equal((await ask(tiny, '/nowhere')).status, 404);
  db.isAnswering = true;
  assert.equal((await ask(tiny, '/echo')).status, 200);
});

test('waiting requests are refused after 1.5 s, and a late result is ignored', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const db = { isAnswering: true, isObstructed: false };
  const database = Promise.withResolvers<object>();
  const failing = Promise.withResolvers<object>();
  const routes: TinyAppOptions['routes'] = (app) =>
    app.get('/waits', () => database.promise).get('/fails', () => failing.promise);
  const tiny = appFor(t, { db, routes });
  const waiting = [ask(tiny, '/waits'), ask(tiny, '/fails')];
  await ask(tiny, '/echo');
  t.mock.timers.tick(10_000);
  db.isAnswering = false;
  t.mock.timers.tick(250);
  assert.deepEqual(await Promise.all(waiting), [BUSY, BUSY]);
  database.resolve({ late: true });
  failing.reject(new Error('late'));
  db.isAnswering = true;
  assert.equal((await ask(tiny, '/echo')).status, 200);
});

test('requests that have not waited for long keep waiting', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const db = { isAnswering: true, isObstructed: false };
  const database = Promise.withResolvers<object>();
  const tiny = appFor(t, { db, routes: (app) => app.get('/waits', () => database.promise) });
  const waiting = ask(tiny, '/waits');
  await ask(tiny, '/echo');
  db.isAnswering = false;
  t.mock.timers.tick(1250);
  db.isAnswering = true;
  t.mock.timers.tick(10_000);
  database.resolve({});
  assert.equal((await waiting).status, 200);
});

test('while others time out, requests that have waited 1.5 s are refused, except for uploads', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const db = { isAnswering: true, isObstructed: false };
  const [database, upload] = [Promise.withResolvers<object>(), Promise.withResolvers<object>()];
  const tiny = appFor(t, {
    db,
    routes: (app) =>
      app
        .get('/waits', () => database.promise)
        .get('/uploads', { config: { takesLong: true } }, () => upload.promise),
  });
  const waiting = [ask(tiny, '/waits'), ask(tiny, '/uploads')] as const;
  await ask(tiny, '/echo');
  t.mock.timers.tick(10_000);
  db.isObstructed = true;
  t.mock.timers.tick(250);
  assert.deepEqual(await waiting[0], BUSY);
  assert.equal((await ask(tiny, '/echo')).status, 200, 'new ones may try');
  upload.resolve({});
  assert.equal((await waiting[1]).status, 200);
  database.resolve({});
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

test('a hanging database: 503 within 2 s, then at once, and automatic recovery', async (t) => {
  const { network, timed, recovers } = await overNetwork(t);
  assert.equal((await timed('/one')).status, 200);
  for (let round = 0; round < 2; round++) {
    network.freeze();
    const answers = await Promise.all(Array.from({ length: 20 }, () => timed('/one')));
    for (const { status, ms } of answers) assert.ok(status === 503 && ms < 2000, `${status} after ${ms} ms`);
    const { status, ms } = await timed('/one');
    assert.ok(status === 503 && ms < 200, `${status} after ${ms} ms`);
    network.thaw();
    await recovers();
  }
});

test('when the network dropped the connections, the database is reached over new ones', async (t) => {
  const { network, timed, recovers } = await overNetwork(t);
  assert.equal((await timed('/one')).status, 200);
  network.freeze();
  await Promise.all(Array.from({ length: 20 }, () => timed('/one')));
  network.replace();
  await recovers();
  const answers = await Promise.all(Array.from({ length: 20 }, () => timed('/one')));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
});
