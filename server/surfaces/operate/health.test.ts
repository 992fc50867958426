import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { readConfig } from '#platform/config.ts';
import { measureRequests } from '#platform/http/request-metrics.ts';
import { CurrentNotices } from '#platform/live/notices.ts';
import { Metrics } from '#platform/monitoring/metrics.ts';
import { RecentErrors } from '#platform/monitoring/recent-errors.ts';
import { systemRandom } from '#platform/random.ts';
import { columnsOf } from '#testing/columns.ts';
import { withLostShard } from '#testing/lost-shard.ts';
import { OpenIdProvider } from '#testing/openid-provider.ts';
import { operatorScene } from '#testing/operator-scene.ts';
import { TestClock } from '#testing/platform.ts';
import { eventually } from '#testing/waits.ts';
import { composeFeatures } from '../../app.ts';
import { createLiveHealth } from '../../health/live.ts';
import { announceProcess } from '../../health/processes.ts';

test('health shows the findings of doctor, the queue, the processes and the last failures', async (t) => {
  const { world, operator } = await operatorScene(t);
  const bot = await world.bot({ name: 'Weather', webhookUrl: 'https://receiver.example/hook' });
  const ada = await world.person();
  await ada.writes(bot, 'hello');
  world.errors.add({ at: 1, requestId: 'req_x', method: 'GET', route: '/v1/me', status: 500 });
  await using _announced = announceProcess(world);
  await eventually(async () => (await world.db`select from running_processes`)[0]);
  world.clock.advance({ minutes: 1 });
  const { findings, queue, processes, errors } = await operator.gets('GET', '/api/operate/health');
  const checks = findings.map(({ check }: { check: string }) => check);
  for (const check of ['database', 'disk', 'keys', 'backup', 'Redis', 'mail', 'certificate', 'upload store'])
    assert.ok(checks.includes(check), check);
  assert.equal(queue.due, 1);
  assert.deepEqual(columnsOf(queue.slowest, 'name', 'events'), [['Weather', 1]]);
  assert.equal(processes.length, 1);
  assert.match(processes[0].version, /^\d+\.\d+\.\d+$/);
  const { host } = processes[0];
  assert.deepEqual(errors, [
    { at: 1, requestId: 'req_x', method: 'GET', route: '/v1/me', status: 500, host },
  ]);
});

test('the overview waits for no sign-in provider', async (t) => {
  const { world, operator } = await operatorScene(t, { webhookTrustedHosts: ['localhost'] });
  await using provider = await OpenIdProvider.start();
  await world.signInProviders.addProvider(provider.settings, async () => {});
  provider.misbehaves.hangs = true;
  const { dueEvents } = await operator.gets('GET', '/api/operate/overview');
  assert.deepEqual([dueEvents, provider.exchanges], [0, 0]);
});

test('a Redis that does not answer is named by a reason, which pages say in their language', async (t) => {
  const { operator } = await operatorScene(t, { redisUrls: ['redis://127.0.0.1:1'] });
  const { findings } = await operator.gets('GET', '/api/operate/health');
  const names = '127.0.0.1:1 (ECONNREFUSED)';
  assert.deepEqual(findings.find(({ check }: { check: string }) => check === 'Redis').what, {
    message: `no answer from ${names}`,
    reason: 'health.nodes-away',
    values: { names },
  });
});

test('on Citus an unreachable shard hides only its own rows', async (t) => {
  const { world } = await operatorScene(t);
  const deps = { ...world, shards: withLostShard(world.shards) };
  const bot = await world.bot({ name: 'Weather', webhookUrl: 'https://receiver.example/hook' });
  await (await world.person()).writes(bot, 'hello');
  await using _announced = announceProcess(world);
  await eventually(async () => (await world.db`select from running_processes`).length === 1);
  await using features = composeFeatures(deps);
  const { queue, processes } = await createLiveHealth({ ...deps, ...features })();
  assert.deepEqual([queue.due, processes.length], [1, 1]);
  assert.deepEqual(columnsOf(queue.slowest, 'name', 'events'), [['Weather', 1]]);
  const { waiting, oldestDueAt } = await features.webhooks.findBacklog(bot.appId);
  assert.deepEqual([waiting, typeof oldestDueAt], [1, 'number']);
});

test('only the ID and route of a few failed requests are kept', async () => {
  const app = Fastify({ genReqId: ({ url }) => `req${url}` });
  const clock = new TestClock();
  const errors = new RecentErrors();
  measureRequests(app, { metrics: new Metrics(), errors, clock, notices: new CurrentNotices() });
  app.decorateRequest('route');
  app.addHook('onRequest', async (request) => {
    request.route = request.routeOptions;
  });
  app.get('/breaks/:secret', () => {
    throw new Error('CANARY');
  });
  app.get('/works', () => 'fine');
  await app.inject('/works');
  for (let i = 0; i < 30; i++) await app.inject(`/breaks/${i}`);
  assert.equal(errors.list().length, 20);
  const at = clock.now();
  const last = { at, requestId: 'req/breaks/29', method: 'GET', route: '/breaks/:secret', status: 500 };
  assert.deepEqual(errors.list()[0], last);
});

test('no setting shows a password, a key or a token', () => {
  const secret = systemRandom.bytes(16).toString('hex');
  const { shown } = readConfig({
    DATABASE_URL: `postgres://parley:${secret}@db.example:5432/parley?password=${secret}`,
    REDIS_URL: `redis://:${secret}@redis.example:6379`,
    SMTP_URL: `smtps://parley:${secret}@mail.example`,
    MASTER_KEYS: `1:${secret}${secret}`,
    METRICS_TOKEN: secret,
    S3_ENDPOINT: 'https://s3.example',
    S3_BUCKET: 'uploads',
    S3_ACCESS_KEY_ID: secret,
    S3_SECRET_ACCESS_KEY: secret,
  });
  assert.doesNotMatch(JSON.stringify(shown), new RegExp(secret));
  const shownOf = (name: string) => shown.find((setting) => setting.name === name)?.value;
  assert.equal(shownOf('DATABASE_URL'), 'postgres://db.example:5432/parley');
  assert.equal(shownOf('SMTP_URL'), 'smtps://mail.example');
  assert.equal(shownOf('S3_BUCKET'), 'uploads');
  assert.equal(shownOf('PORT'), undefined);
});
