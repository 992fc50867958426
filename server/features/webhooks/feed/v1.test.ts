import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { CHOSEN_EVENT_TYPES } from '#contract/webhooks/event-types.ts';
import { deliverDue } from '#features/webhooks/delivery/deliver-due.ts';
import { createGuard } from '#platform/safe-fetch/guard.ts';
import { failure, success } from '#testing/answers.ts';
import { type EventSource, listen } from '#testing/event-source.ts';
import { startReceiver } from '#testing/receiver.ts';
import { eventually } from '#testing/waits.ts';
import { type Bot, createWorld, type World } from '#testing/world.ts';
import { createSender } from '../delivery/sender.ts';

async function urlOf({ app }: World): Promise<string> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1/events`;
}

async function stream(world: World, bot: Bot, headers: Record<string, string> = {}): Promise<EventSource> {
  return listen(await urlOf(world), { authorization: `Bearer ${bot.key}`, ...headers });
}

async function texts(source: EventSource, count: number): Promise<[id: string, text: string][]> {
  const got: [string, string][] = [];
  while (got.length < count) {
    const event = await source.next();
    if (!event) break;
    got.push([event.id, JSON.parse(event.data).data.textMsg]);
  }
  return got;
}

test('a bot without a webhook fetches messages to it page by page', async () => {
  await using world = await createWorld();
  const [bot, ada] = [await world.bot(), await world.person()];
  const first = await ada.writes(bot, 'one');
  const second = await ada.writes(bot, 'two');
  const rows = await world.db<{ deliveryId: string; state: string }[]>`
    select delivery_id, coalesce(state, 'unsent') as state from events left join event_queue using (bucket, delivery_id)
    order by delivery_id`;
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['unsent', 'unsent'],
  );
  const shown = ({ msgId, sentAt }: typeof first, i: number, textMsg: string) => ({
    cursor: String(i + 1),
    eventId: rows[i]?.deliveryId,
    createdAt: sentAt,
    event: {
      type: 'message.received',
      data: { msgId, type: 'text', textMsg, from: ada.accountId, chatId: ada.accountId, sentAt },
    },
  });
  const page = (data: object) => success('events, oldest first', data, world.clock.now());
  const answers = [
    await bot.calls('GET', '/v1/events?limit=1'),
    await bot.calls('GET', '/v1/events?limit=1&after=1'),
    await bot.calls('GET', '/v1/events?after=2'),
  ];
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    [
      [200, page({ events: [shown(first, 0, 'one')], nextAfter: '1', hasMore: true })],
      [200, page({ events: [shown(second, 1, 'two')], nextAfter: '2', hasMore: true })],
      [200, page({ events: [], nextAfter: '2', hasMore: false })],
    ],
  );
});

test('pages and streams contain exactly the bytes that a webhook gets', async (t) => {
  const receiver = await startReceiver({ host: '127.0.0.1' });
  t.after(() => receiver[Symbol.asyncDispose]());
  await using world = await createWorld();
  const bot = await world.bot({ webhookUrl: receiver.url });
  const ada = await world.person();
  await ada.writes(bot, '$& "quoted" \u2028 \\ é 😀 </script>');
  const guard = createGuard({ trustedHosts: ['127.0.0.1'], extraAuthorities: [receiver.ca] });
  using sender = createSender({ ...world, guard });
  await (await deliverDue(sender, { limit: 9 })).finished;
  const sent = receiver.requests[0]?.rawBody.toString();
  assert.ok(sent?.startsWith('{"type":"message.received"'));
  await using source = await stream(world, bot, { 'last-event-id': '0' });
  assert.deepEqual(await source.next(), { id: '1', type: 'message.received', data: sent });
  const { body } = await world.app.inject({
    url: '/v1/events',
    headers: { authorization: `Bearer ${bot.key}` },
  });
  assert.ok(body.includes(`"event":${sent}}`));
});

test('a stream sends new events, and resumes after Last-Event-ID', async () => {
  await using world = await createWorld();
  const [bot, ada] = [await world.bot(), await world.person()];
  await ada.writes(bot, 'before');
  {
    await using source = await stream(world, bot);
    assert.equal(source.headers['content-type'], 'text/event-stream');
    assert.equal(source.headers['ratelimit-remaining'], '59');
    await ada.writes(bot, 'one');
    assert.deepEqual(await texts(source, 1), [['2', 'one']]);
    await ada.writes(bot, 'two');
    assert.deepEqual(await texts(source, 1), [['3', 'two']]);
  }
  await ada.writes(bot, 'three');
  await using resumed = await stream(world, bot, { 'last-event-id': '2' });
  assert.deepEqual(await texts(resumed, 2), [
    ['3', 'two'],
    ['4', 'three'],
  ]);
});

test('a long backlog arrives completely and in order', async () => {
  await using world = await createWorld();
  const [bot, ada] = [await world.bot(), await world.person()];
  for (let i = 0; i < 250; i += 50) {
    await Promise.all(Array.from({ length: 50 }, () => ada.writes(bot, 'x'.repeat(4000))));
  }
  await using source = await stream(world, bot, { 'last-event-id': '0' });
  const ids = (await texts(source, 250)).map(([id]) => Number(id));
  assert.deepEqual(
    ids,
    Array.from({ length: 250 }, (_, i) => i + 1),
  );
});

for (const [what, end] of [
  ['key is regenerated', (bot: Bot) => bot.regeneratesKey()],
  ['application is disabled', (bot: Bot) => bot.owner.disables(bot)],
  ['application is deleted', (bot: Bot) => bot.deleted()],
] as const) {
  test(`a stream ends when the ${what}, and sends nothing more`, async () => {
    await using world = await createWorld();
    const [bot, ada] = [await world.bot(), await world.person()];
    await using source = await stream(world, bot);
    await ada.writes(bot, 'heard');
    assert.deepEqual(await texts(source, 1), [['1', 'heard']]);
    await end(bot);
    assert.equal(await source.next(), undefined);
  });
}

test('a suspension by another process is noticed before the next event is sent', async () => {
  await using world = await createWorld();
  const [bot, ada] = [await world.bot(), await world.person()];
  await using source = await stream(world, bot);
  await ada.writes(bot, 'heard');
  assert.deepEqual(await texts(source, 1), [['1', 'heard']]);
  await world.db.begin(async (tx) => {
    await tx`update applications set state = 'suspended' where app_id = ${bot.appId}`;
  });
  world.live.publish(bot.appId, { type: 'event.recorded', data: {} });
  assert.equal(await source.next(), undefined);
});

test('streams per application are limited, and a closed one frees its slot', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const url = await urlOf(world);
  const headers = { authorization: `Bearer ${bot.key}` };
  const sources = await Promise.all(Array.from({ length: 10 }, () => listen(url, headers)));
  assert.deepEqual([...new Set(sources.map(({ status }) => status))], [200]);
  const refused = await bot.calls('GET', '/v1/events', undefined, { accept: 'text/event-stream' });
  assert.deepEqual(
    [refused.status, refused.body],
    [429, failure('resource-exhausted', 'there are 10 open event streams already')],
  );
  for (const source of sources) await source[Symbol.asyncDispose]();
  await eventually(async () => {
    await using source = await listen(url, headers);
    return source.status === 200;
  });
});

test('an open stream does not keep the server from closing', async () => {
  const world = await createWorld();
  const bot = await world.bot();
  const source = await stream(world, bot);
  await world[Symbol.asyncDispose]();
  assert.equal(await source.next(), undefined);
});

test('clients know the type of a ping, and that a limit is a number', async () => {
  await using world = await createWorld();
  await world.app.ready();
  const { paths, components } = world.app.swagger() as unknown as {
    paths: Record<string, { get: { parameters: { name: string; schema: object }[] } }>;
    components: { schemas: Record<string, { discriminator: { mapping: object } }> };
  };
  const mapping = components.schemas['ReceivedEvent']?.discriminator.mapping ?? {};
  assert.deepEqual(Object.keys(mapping), [
    'message.received',
    'group_message.received',
    'ping',
    ...CHOSEN_EVENT_TYPES,
  ]);
  for (const path of ['/v1/events', '/v1/events/dead-letters']) {
    const limit = paths[path]?.get.parameters.find(({ name }) => name === 'limit');
    assert.deepEqual(limit?.schema, { type: 'integer', minimum: 1, maximum: 500, default: 100 }, path);
  }
});

test('an invalid cursor or limit is 400', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const cases: [query: string, headers: Record<string, string>, message: string][] = [
    ['?after=x', {}, 'after must be a cursor from an earlier answer, or acknowledged'],
    ['?after=-1', {}, 'after must be a cursor from an earlier answer, or acknowledged'],
    ['?after=7', {}, 'after is not a cursor of this application'],
    ['?limit=0', {}, 'limit must be from 1 to 500'],
    ['?limit=501', {}, 'limit must be from 1 to 500'],
    ['?limit=ten', {}, 'limit must be a whole number'],
    ['', { accept: 'text/event-stream', 'last-event-id': 'abc' }, 'Last-Event-ID is not a cursor'],
    ['', { accept: 'text/event-stream', 'last-event-id': '7' }, 'after is not a cursor of this application'],
  ];
  for (const [query, headers, message] of cases) {
    const { status, body } = await bot.calls('GET', `/v1/events${query}`, undefined, headers);
    assert.deepEqual([status, body], [400, failure('invalid-argument', message)], query + message);
  }
});

test('fetching needs a bot and quota, but no scope', async () => {
  await using world = await createWorld();
  const bot = await world.bot({ requestsPerMinute: 2 });
  await bot.mayOnly([]);
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await bot.calls('GET', '/v1/events')).status);
  assert.deepEqual(statuses, [200, 200, 429]);
});
