import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Shards, UNSHARDED } from '#platform/partitioning/shards.ts';
import { columnOf, columnsOf } from '#testing/columns.ts';
import { createTestPlatform } from '#testing/platform.ts';
import { createWorld } from '#testing/world.ts';
import { removeExpiredMonitoring } from './api-log.ts';
import { type NotedRequest, RequestRecorder } from './recorder.ts';
import { emptyLatencies } from './tallies.ts';

test('the log shows a bot’s requests and their results, without bodies or tokens', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const at = `/api/console/applications/${bot.appId}`;
  const before = await bot.owner.calls('GET', at);
  assert.equal(before.body.data.apiKeys[0].lastUsedAt, undefined);
  const person = await world.person();
  await person.writes(bot, 'canary-in');
  await bot.calls('POST', '/v1/messages', { to: person.accountId, type: 'text', content: 'canary-out' });
  world.clock.advance({ seconds: 1 });
  const refused = await bot.calls('POST', '/v1/polls', { receiverId: person.accountId });
  await bot.calls('POST', '/v1/messages', { to: person.accountId, type: 'text' });
  await bot.calls('POST', '/v1/messages', { to: person.accountId, type: 'text' });

  const { status, body } = await bot.owner.calls('GET', `${at}/requests`);
  assert.equal(status, 200);
  assert.deepEqual(
    body.data.requests.map(({ requestId, durationMs, ...rest }: Record<string, unknown>) => {
      assert.match(String(requestId), /^req_/);
      assert.equal(typeof durationMs, 'number');
      return rest;
    }),
    [
      ...[1, 2].map(() => ({
        at: world.clock.now(),
        caller: 'bot',
        method: 'POST',
        route: '/v1/messages',
        status: 400,
        code: 'invalid-argument',
        message: 'content is required',
      })),
      {
        at: world.clock.now(),
        caller: 'bot',
        method: 'POST',
        route: '/v1/polls',
        status: 403,
        code: 'permission-denied',
        message:
          'the scope polls:write is missing: grant it to the API key in the console, under Credentials',
      },
      { at: world.clock.now() - 1000, caller: 'bot', method: 'POST', route: '/v1/messages', status: 201 },
    ],
  );
  assert.equal(JSON.stringify(body).includes('canary'), false);

  const shown = async (query: string) =>
    (await bot.owner.calls('GET', `${at}/requests?${query}`)).body.data.requests.length;
  assert.equal(await shown('status=2xx'), 1);
  assert.equal(await shown('status=error&route=/v1/polls'), 1);
  assert.equal(await shown('code=invalid-argument'), 2);
  assert.equal(await shown(`requestId=${refused.headers['x-request-id']}`), 1);

  const groups = await bot.owner.calls('GET', `${at}/requests/errors`);
  assert.deepEqual(columnsOf(groups.body.data, 'message', 'count'), [
    ['content is required', 2],
    ['the scope polls:write is missing: grant it to the API key in the console, under Credentials', 1],
  ]);
  const after = await bot.owner.calls('GET', at);
  assert.equal(after.body.data.apiKeys[0].lastUsedAt, world.clock.now());
});

test('the log names fields that the endpoint does not know, without values', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const person = await world.person();
  await person.writes(bot, 'hi');
  const message = { to: person.accountId, type: 'text', content: 'x' };
  // `caption` belongs to another type of message: the schema knows it.
  await bot.calls('POST', '/v1/messages', { ...message, caption: 'y' });
  const many = Object.fromEntries(
    ['a\u0007b', 'ü'.repeat(100), 'c', 'd', 'e', 'f'].map((name) => [name, 'canary']),
  );
  world.clock.advance({ seconds: 1 });
  assert.equal((await bot.calls('POST', '/v1/messages', { ...message, ...many })).status, 201);
  world.clock.advance({ seconds: 1 });
  await bot.calls('POST', '/v1/groups', { nmae: 'Neighbours' });

  const { data } = (await bot.owner.calls('GET', `/api/console/applications/${bot.appId}/requests`)).body;
  assert.deepEqual(columnOf(data.requests, 'unknownFields'), [
    ['nmae'],
    ['a\uFFFDb', 'ü'.repeat(64), 'c', 'd', 'e'],
    undefined,
  ]);
  assert.equal(JSON.stringify(data).includes('canary'), false);
  const own = (await bot.calls('GET', '/v1/requests')).body.data.requests;
  assert.deepEqual(own[0].unknownFields, ['nmae']);
});

test('an application’s own requests are in its log once it has authenticated', async () => {
  await using world = await createWorld();
  const client = await world.client();
  const { refresh } = await client.tokens({ person: await world.person() });
  await client.refreshes(refresh);
  await client.refreshes(refresh);
  await client.revokes(refresh);
  await client.refreshes(refresh, { client_secret: 'xcs_wrong' });
  const at = `/api/console/applications/${client.appId}`;
  const { data } = (await client.owner.calls('GET', `${at}/requests`)).body;
  assert.deepEqual(columnsOf(data.requests, 'caller', 'route', 'status', 'code'), [
    ['client', '/oauth/revoke', 200, undefined],
    ['client', '/oauth/token', 401, 'invalid_grant'],
    ['client', '/oauth/token', 200, undefined],
    ['client', '/oauth/token', 200, undefined],
  ]);
  const { routes } = (await client.owner.calls('GET', `${at}/usage`)).body.data;
  assert.deepEqual(columnsOf(routes, 'route', 'requests', 'quota'), [
    ['/oauth/token', 3, undefined],
    ['/oauth/revoke', 1, undefined],
  ]);
});

test('usage is counted by endpoint, against its quota, and over time; home shows the last day', async () => {
  await using world = await createWorld();
  const bot = await world.bot({ requestsPerMinute: 3 });
  const at = `/api/console/applications/${bot.appId}`;
  for (let i = 0; i < 5; i++) await bot.calls('GET', '/v1/me');
  const { body } = await bot.owner.calls('GET', `${at}/usage`);
  const [route] = body.data.routes;
  assert.deepEqual(
    [route.caller, route.method, route.route, route.requests, route.clientErrors, route.serverErrors],
    ['bot', 'GET', '/v1/me', 5, 2, 0],
  );
  assert.deepEqual(route.quota, { limit: 3, used: 3, resetAt: world.clock.now() + 60_000 });
  assert.equal(body.data.series.length, 60);
  assert.equal(body.data.series.at(-1).requests, 5);
  assert.equal(typeof body.data.series.at(-1).p95Ms, 'number');
  assert.equal(body.data.series.at(-2).requests, 0);

  world.clock.advance({ minutes: 61 });
  await bot.calls('GET', '/v1/me');
  const hours = (await bot.owner.calls('GET', `${at}/usage?span=hour`)).body.data;
  assert.deepEqual(
    [hours.series.length, hours.series.at(-2).requests, hours.series.at(-1).requests],
    [168, 5, 1],
  );
  const { data: home } = (await bot.owner.calls('GET', '/api/console/home')).body;
  assert.deepEqual([home.limit, home.used, home.applications.length], [20, 1, 1]);
  const [card] = home.applications;
  assert.deepEqual(card.bot, { userId: bot.accountId, name: 'Helper', username: bot.username });
  assert.equal(card.keyLastUsedAt, world.clock.now());
  assert.equal(card.hours.length, 24);
  assert.deepEqual(card.hours.at(-2), {
    startedAt: card.hours.at(-1).startedAt - 3_600_000,
    requests: 5,
    errors: 2,
    deliveries: 0,
    failedDeliveries: 0,
  });
});

test('usage is counted with the highest quota, also where an endpoint allows a multiple of it', async () => {
  await using world = await createWorld();
  const bot = await world.bot({ requestsPerMinute: 1_000_000_000 });
  await bot.owner.writes(bot, 'hello');
  const draft = { conversationId: bot.owner.accountId, content: 'Well' };
  const { headers } = await bot.calls('PUT', '/v1/messages/draft', draft);
  assert.equal(headers['ratelimit-limit'], '1000000000');
  const { body } = await bot.owner.calls('GET', `/api/console/applications/${bot.appId}/usage`);
  const [route] = body.data.routes;
  assert.deepEqual(
    [route.route, route.requests, route.quota.limit],
    ['/v1/messages/draft', 1, 1_000_000_000],
  );
});

test('usage is shown for a part of the time that is kept', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const at = `/api/console/applications/${bot.appId}/usage?span=hour`;
  const now = world.clock.now();
  const hour = now - (now % 3_600_000);
  const row = {
    ...{ appId: bot.appId, span: 'hour', writer: 'test', caller: 'bot', method: 'GET' },
    route: '/v1/me',
  };
  const counts = { requests: 5, clientErrors: 0, serverErrors: 0, latencies: emptyLatencies() };
  await world.db`insert into usage_counts ${world.db([3, 2, 1].map((ago) => ({ ...row, ...counts, startedAt: hour - ago * 3_600_000 })))}`;
  const ask = async (from: number, to: number) =>
    (await bot.owner.calls('GET', `${at}&from=${from}&to=${to}`)).body.data;
  const part = await ask(hour - 2 * 3_600_000 + 1, hour - 1);
  assert.deepEqual(columnsOf(part.series, 'startedAt', 'requests'), [
    [hour - 2 * 3_600_000, 5],
    [hour - 3_600_000, 5],
  ]);
  assert.equal(part.routes[0].requests, 10);
  assert.equal((await ask(0, now + 1)).series.length, 168);
  assert.deepEqual((await ask(1, 2)).series, []);
  const { status, body } = await bot.owner.calls('GET', `${at}&from=2&to=2`);
  assert.deepEqual([status, body.message], [400, 'to must be after from']);
});

test('under load successes are sampled, errors and counts are kept, and old rows are removed', async () => {
  await using platform = await createTestPlatform();
  const { db, clock, newId } = platform;
  await using recorder = new RequestRecorder(platform);
  const appId = newId('app');
  const noted = (over: Partial<NotedRequest>): NotedRequest => ({
    requestId: newId('req'),
    appId,
    caller: 'bot',
    method: 'GET',
    route: '/v1/me',
    status: 200,
    durationMs: 2,
    ...over,
  });
  for (let i = 0; i < 500; i++) recorder.note(noted({}));
  for (let i = 0; i < 100; i++) {
    recorder.note(noted({ status: 429, error: { code: 'RATE_LIMIT_EXCEEDED', message: 'slow down' } }));
  }
  await recorder.flush();
  const [logged] = await db`
    select count(*) filter (where status = 200)::integer as successes, count(*) filter (where status = 429)::integer as errors
    from api_requests`;
  assert.deepEqual({ ...logged }, { successes: 40, errors: 100 });
  const [counted] = await db`select requests, client_errors from usage_counts where span = 'minute'`;
  assert.deepEqual({ ...counted }, { requests: 600, clientErrors: 100 });

  recorder.note(noted({}));
  await recorder.flush();
  const [again] = await db`select requests from usage_counts where span = 'minute'`;
  assert.equal(again?.['requests'], 601);

  clock.advance({ days: 8 });
  platform.config.apiLogRetentionDays = 9;
  await removeExpiredMonitoring(platform);
  assert.ok((await db`select 1 from api_requests`).length > 0, 'the operator keeps it for longer');
  platform.config.apiLogRetentionDays = 7;
  await removeExpiredMonitoring(platform);
  assert.equal(
    (await db`select 1 from api_requests`).length + (await db`select 1 from usage_counts`).length,
    0,
  );
});

test('on a cluster failed writes of one application do not affect others', async () => {
  await using platform = await createTestPlatform({}, { shards: { ...UNSHARDED, isDistributed: true } });
  const { db, newId } = platform;
  await using recorder = new RequestRecorder(platform);
  const [refused, other] = [newId('app'), newId('app')];
  const request = { caller: 'bot', method: 'GET', route: '/v1/me', durationMs: 1 } as const;
  recorder.note({ ...request, requestId: newId('req'), appId: refused, status: 2 ** 40 });
  recorder.note({ ...request, requestId: newId('req'), appId: other, status: 200 });
  await recorder.flush();
  const logged = await db`select app_id from api_requests`;
  assert.deepEqual(columnOf(logged, 'appId'), [other]);
});

test('on a cluster nothing is asked of a node that is away, and its applications’ requests are written once it is back', async () => {
  const away = new Set<string>();
  const shards: Shards = {
    ...UNSHARDED,
    isDistributed: true,
    isAnyAway: async (_table, ids) => ids.some((id) => away.has(id)),
  };
  await using platform = await createTestPlatform({}, { shards });
  const { db, newId } = platform;
  await using recorder = new RequestRecorder(platform);
  const [one, other] = [newId('app'), newId('app')];
  away.add(one);
  const request = { caller: 'bot', method: 'GET', route: '/v1/me', durationMs: 1, status: 200 } as const;
  for (const appId of [one, other]) recorder.note({ ...request, requestId: newId('req'), appId });
  const written = async () => {
    await recorder.flush();
    const logged = await db`select app_id from api_requests`;
    const counted = await db`select distinct app_id from usage_counts`;
    return [columnOf(logged, 'appId').toSorted(), columnOf(counted, 'appId').toSorted()];
  };
  assert.deepEqual(await written(), [[other], [other]]);
  away.clear();
  const both = [one, other].toSorted();
  assert.deepEqual(await written(), [both, both]);
});

test('the newest 10,000 requests of an application are kept', async () => {
  await using platform = await createTestPlatform();
  const { db, newId, clock } = platform;
  await using recorder = new RequestRecorder(platform);
  const [appId, other] = [newId('app'), newId('app')];
  for (const owner of [appId, other]) {
    await db`
      insert into api_requests (app_id, request_id, at, caller, method, route, status, duration_ms)
      select ${owner}, 'req_' || lpad(i::text, 24, '0'), ${clock.now()}, 'bot', 'GET', '/v1/me', 200, 1
      from generate_series(1, 10005) as i`;
  }
  const requestId = newId('req');
  const request = { method: 'GET', route: '/v1/me', status: 200, durationMs: 1 };
  recorder.note({ requestId, appId, caller: 'bot', ...request });
  await recorder.flush();
  const kept = await db`
    select app_id, count(*)::integer as count, max(request_id) as newest from api_requests group by app_id`;
  assert.deepEqual(
    new Map(kept.map(({ appId: owner, count, newest }) => [owner, { count, newest }])),
    new Map([
      [appId, { count: 10_000, newest: requestId }],
      [other, { count: 10_005, newest: 'req_000000000000000000010005' }],
    ]),
  );
});

test('the overview has the last day by hour, the failures of the last hour, and the quota closest to its limit', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const person = await world.person();
  await person.writes(bot, 'Hello');
  const at = `/api/console/applications/${bot.appId}/overview`;
  await bot.calls('POST', '/v1/polls', { receiverId: person.accountId });
  world.clock.advance({ hours: 2 });
  await bot.calls('POST', '/v1/messages', { to: person.accountId, type: 'text', content: 'Hi' });
  await bot.calls('POST', '/v1/messages', { to: person.accountId, type: 'text' });
  await bot.calls('GET', '/v1/me');
  const { status, body } = await bot.owner.calls('GET', at);
  assert.equal(status, 200);
  const { hours, failing, busiest, p50Ms, p95Ms } = body.data;
  assert.equal(hours.length, 24);
  assert.deepEqual(columnsOf(hours.slice(-3), 'requests', 'sends', 'errors'), [
    [1, 0, 1],
    [0, 0, 0],
    [3, 1, 1],
  ]);
  assert.deepEqual(
    columnsOf(failing, 'message', 'count'),
    [['content is required', 1]],
    'the poll failed longer ago',
  );
  assert.deepEqual([busiest.route, busiest.quota.used], ['/v1/messages', 2]);
  assert.ok(p50Ms <= p95Ms);
  const stranger = await world.person();
  assert.equal((await stranger.calls('GET', at)).status, 404);
});

test('audit trails are kept forever unless the operator limits the time', async () => {
  await using world = await createWorld();
  const { db, clock, config } = world;
  await world.bot();
  clock.advance({ days: 400 });
  await world.bot();
  const count = async () => (await db`select from audit_entries`).length;
  const all = await count();
  await removeExpiredMonitoring(world);
  assert.equal(await count(), all);
  config.auditRetentionDays = 365;
  await removeExpiredMonitoring(world);
  assert.equal(await count(), all / 2);
});
