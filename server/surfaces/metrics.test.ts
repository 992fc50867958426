import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { watchQueue } from '#features/webhooks/delivery/backlogs/queue-metrics.ts';
import { deliverDue } from '#features/webhooks/delivery/deliver-due.ts';
import { openDatabase } from '#platform/database.ts';
import { Metrics } from '#platform/monitoring/metrics.ts';
import { watchDatabase, watchProcess } from '#platform/monitoring/process-metrics.ts';
import { failure } from '#testing/answers.ts';
import { createBreakableNetwork } from '#testing/breakable-network.ts';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { eventually } from '#testing/waits.ts';
import { createWorld } from '#testing/world.ts';
import { startMetricsServer } from './metrics.ts';

const TOKEN = 'metrics-token-0123456789';

function readingOf(text: string, series: string): number {
  const found = text.split('\n').find((line) => line.startsWith(`${series} `));
  assert.ok(found, `${series} in\n${text}`);
  return Number(found.slice(series.length + 1));
}

test('responses are counted by route, status and time, never by path', async () => {
  await using world = await createWorld({ metricsToken: TOKEN });
  const bot = await world.bot();
  await bot.calls('GET', '/v1/me');
  await bot.calls('GET', '/v1/me');
  await world.app.inject({ url: '/v1/me' });
  await world.app.inject({ url: '/nowhere/secret-81' });
  await bot.owner.calls('GET', `/api/console/applications/${bot.appId}`);
  const { statusCode, headers, body } = await world.app.inject({
    url: '/metrics',
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  const route = 'method="GET",route="/v1/me"';
  assert.equal(readingOf(body, `parley_http_requests_total{${route},status="200"}`), 2);
  assert.equal(readingOf(body, `parley_http_requests_total{${route},status="401"}`), 1);
  assert.equal(readingOf(body, 'parley_http_requests_total{method="GET",route="unknown",status="404"}'), 1);
  assert.equal(readingOf(body, `parley_http_request_duration_seconds_count{${route}}`), 3);
  assert.match(body, /route="\/api\/console\/applications\/:appId"/);
  assert.doesNotMatch(body, new RegExp(`secret-81|${bot.appId}`));
});

test('the main port requires the token, and has no such route without one', async () => {
  await using world = await createWorld({ metricsToken: TOKEN });
  for (const authorization of ['', `Bearer ${TOKEN}x`, TOKEN]) {
    const answer = await world.app.inject({ url: '/metrics', headers: { authorization } });
    assert.equal(answer.statusCode, 401);
  }
  await using closed = await createWorld();
  const answer = await closed.app.inject({ url: '/metrics', headers: { authorization: 'Bearer undefined' } });
  assert.deepEqual(
    [answer.statusCode, answer.json()],
    [404, failure('not-found', 'there is no GET /metrics')],
  );
});

test('a separate port serves metrics of the process, the database and the queue', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const { metrics } = platform;
  using _process = watchProcess(metrics);
  watchDatabase(platform);
  watchQueue(platform);
  await using server = await startMetricsServer(metrics, { host: '127.0.0.1', port: 0 });
  const read = async () => (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
  const [one, other] = [await world.application(), await world.application()];
  for (const application of [one, one, other]) await world.event(application);
  await platform.db`update event_queue set next_attempt_at = null where app_id = ${other.appId}`;
  platform.clock.advance({ seconds: 3 });
  const before = await read();
  assert.equal(readingOf(before, 'parley_webhook_queue_events{state="due"}'), 2);
  assert.equal(readingOf(before, 'parley_webhook_queue_events{state="parked"}'), 1);
  assert.equal(readingOf(before, 'parley_webhook_queue_age_seconds'), 3);
  assert.equal(readingOf(before, 'parley_database_answers'), 1);
  assert.equal(readingOf(before, 'parley_database_takes_writes'), 1);
  const [host] = platform.db.hosts;
  assert.equal(readingOf(before, `parley_database_host_up{host="${host?.name}"}`), 1);
  assert.ok(readingOf(before, `parley_database_host_connections{host="${host?.name}"}`) > 0);
  assert.equal(readingOf(before, 'parley_metrics_missing'), 0);
  assert.ok(readingOf(before, 'process_resident_memory_bytes') > 1e7);
  assert.ok(readingOf(before, 'nodejs_eventloop_lag_seconds{quantile="p99"}') >= 0);
  const connections = ['lent', 'idle', 'unopened'].map((state) =>
    readingOf(before, `parley_database_connections{state="${state}"}`),
  );
  assert.equal(
    connections.reduce((sum, count) => sum + count),
    5,
  );
  world.respond = () => ({ status: 500 });
  await (await deliverDue(world.sender(), { limit: 9 })).finished;
  const after = await read();
  assert.equal(readingOf(after, 'parley_webhook_queue_events{state="waiting"}'), 2);
  assert.equal(readingOf(after, 'parley_webhook_queue_age_seconds'), 0);
  assert.equal((await fetch(`http://127.0.0.1:${server.port}/`)).status, 404);
});

test('the age of the queue counts only events that a worker could have sent: a slow or failing endpoint does not affect it', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const { db, clock, metrics } = platform;
  let busy: string[] = [];
  watchQueue(platform, () => busy);
  const read = async (name: string) => readingOf(await metrics.render(), `parley_webhook_${name}`);
  const [slow, dead, live] = [
    await world.application(),
    await world.application(),
    await world.application(),
  ];
  for (const application of [slow, slow, dead, dead]) await world.event(application);
  clock.advance({ seconds: 1_473 });
  assert.equal(await read('queue_age_seconds'), 1_473, 'no worker looks after them');
  await db`
    insert into open_breakers (app_id, opened_at, owner, owned_until)
    values (${dead.appId}, ${clock.now()}, 'worker', ${clock.now()})`;
  // One attempt of the slow one is in progress.
  busy = [slow.appId];
  assert.deepEqual([await read('queue_age_seconds'), await read('breakers_open')], [0, 1]);
  await world.event(live);
  clock.advance({ seconds: 7 });
  assert.equal(await read('queue_age_seconds'), 7, 'a worker could have sent this one');
  busy = [];
  assert.equal(await read('queue_age_seconds'), 1_480, 'nobody looks after the slow one any more');
});

test('whatever the database does, the response comes and reports it', async (t) => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const network = await createBreakableNetwork(platform.config.databaseUrl as string);
  const db = openDatabase({ url: network.url, poolSize: 2 });
  t.after(() => db.end({ timeout: 0 }));
  const metrics = new Metrics();
  watchDatabase({ ...platform, metrics, db });
  watchQueue({ ...platform, metrics, db });
  await using server = await startMetricsServer(metrics, { host: '127.0.0.1', port: 0 });
  const read = async () => {
    const text = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text();
    const [answers, takesWrites, missing] = [
      'database_answers',
      'database_takes_writes',
      'metrics_missing',
    ].map((name) => readingOf(text, `parley_${name}`));
    return {
      answers,
      takesWrites,
      isWhole: missing === 0,
      hasQueue: text.includes('parley_webhook_queue_events'),
    };
  };
  // On a busy machine, a scrape may miss what takes longer than a second.
  const reads = (expected: object) => eventually(async () => isDeepStrictEqual(await read(), expected));
  const well = { answers: 1, takesWrites: 1, isWhole: true, hasQueue: true };
  await reads(well);
  platform.clock.advance({ seconds: 5 });
  network.freeze();
  const away = { answers: 0, takesWrites: 0, isWhole: false, hasQueue: false };
  for (let scrape = 0; scrape < 2; scrape++) assert.deepEqual(await read(), away, 'it stands still');
  assert.ok(db.use.lent <= 2);
  network.thaw();
  platform.clock.advance({ seconds: 5 });
  await eventually(async () => (await read()).answers);
  platform.clock.advance({ seconds: 5 });
  await reads(well);
  platform.clock.advance({ seconds: 5 });
  await network[Symbol.asyncDispose]();
  assert.deepEqual(await read(), away, 'it refuses connections');
});
