import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEY_SCOPES } from '#contract/scopes.ts';
import { createWorld } from '#testing/world.ts';

const URL = 'https://hooks.example.com/bot';

test('a key that may set up its bot changes profile, webhook and events, which the audit trail records', async () => {
  await using world = await createWorld();
  const bot = await world.bot({ username: 'weather_bot' });
  await bot.mayOnly(['bot:manage']);
  const changed = await bot.calls('PATCH', '/v1/me', {
    description: 'The weather',
    commands: [{ command: 'today', description: 'Today' }],
  });
  assert.equal(changed.status, 200);
  assert.deepEqual(
    [changed.body.data.description, changed.body.data.username],
    ['The weather', 'weather_bot'],
  );
  assert.deepEqual((await bot.calls('GET', '/v1/webhook')).body.data, { events: [] });
  const set = await bot.calls('PUT', '/v1/webhook', {
    webhookUrl: URL,
    events: ['poll.voted', 'group.joined'],
  });
  assert.deepEqual(
    [set.status, set.body.data],
    [200, { webhookUrl: URL, events: ['group.joined', 'poll.voted'] }],
  );
  const events = await bot.calls('PUT', '/v1/webhook', { events: ['poll.voted'] });
  assert.deepEqual(events.body.data, { webhookUrl: URL, events: ['poll.voted'] });
  const removed = await bot.calls('PUT', '/v1/webhook', { webhookUrl: null });
  assert.deepEqual(removed.body.data, { events: ['poll.voted'] });
  const trail = await bot.owner.calls('GET', `/api/console/applications/${bot.appId}/audit`);
  const byKey = trail.body.data.entries.filter(({ channel }: { channel: string }) => channel === 'api');
  assert.deepEqual(byKey.map(({ action }: { action: string }) => action).reverse(), [
    'bot.changed',
    'webhook-url.set',
    'extension.switched-on',
    'extension.switched-on',
    'extension.switched-off',
    'webhook-url.removed',
  ]);
});

test('what is wrong is 400 and changes nothing', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  await bot.mayOnly(['bot:manage']);
  for (const [body, message] of [
    [{}, /^body needs at least one of webhookUrl, events$/],
    [
      { webhookUrl: 'http://hooks.example.com/', events: ['poll.voted'] },
      /^webhookUrl must begin with https/,
    ],
    [
      { webhookUrl: 'https://127.0.0.1/', events: ['poll.voted'] },
      /^webhookUrl must resolve to public addresses/,
    ],
    [{ webhookUrl: URL, events: ['message.received'] }, /^events\.0 /],
    [{ events: ['poll.voted', 'group.left', 'poll.voted'] }, /^events must not contain "poll\.voted" twice$/],
  ] as const) {
    const { status, body: answer } = await bot.calls('PUT', '/v1/webhook', body);
    assert.equal(status, 400);
    assert.match(answer.message, message);
  }
  assert.deepEqual((await bot.calls('GET', '/v1/webhook')).body.data, { events: [] });
});

test('null leaves a field out', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  await bot.mayOnly(['bot:manage']);
  await bot.calls('PUT', '/v1/webhook', { events: ['poll.voted'] });
  for (const [method, path, body] of [
    ['PUT', '/v1/webhook', { webhookUrl: URL, events: null }],
    ['PATCH', '/v1/me', { description: 'The weather', plainText: null }],
    [
      'POST',
      '/v1/events/simulate',
      { event: 'message.received', type: 'image', isMentioned: null, text: null },
    ],
    ['POST', '/v1/events/acknowledge', { upTo: null, failed: null }],
  ] as const)
    assert.equal((await bot.calls(method, path, body)).status, 200, path);
  const { events } = (await bot.calls('GET', '/v1/webhook')).body.data;
  assert.deepEqual(events, ['poll.voted']);
});

test('no key may do so unless its owner granted that', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  await bot.mayOnly(KEY_SCOPES.filter((scope) => scope !== 'bot:manage'));
  for (const [method, path] of [
    ['PATCH', '/v1/me'],
    ['GET', '/v1/webhook'],
    ['PUT', '/v1/webhook'],
  ] as const) {
    const { status, body } = await bot.calls(
      method,
      path,
      method === 'GET' ? undefined : { webhookUrl: URL },
    );
    assert.equal(status, 403, path);
    assert.match(body.message, /^the scope bot:manage is missing/);
  }
});
