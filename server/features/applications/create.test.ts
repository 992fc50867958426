import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { failure, success } from '#testing/answers.ts';
import { columnsOf } from '#testing/columns.ts';
import { createConsoleWorld } from '#testing/console-world.ts';
import { ApiKeys } from './credentials/api-keys.ts';
import { findApplicationsForDelivery } from './service.ts';

test('a new application shows its credentials once, and only hashes and sealed values are stored', async () => {
  await using world = await createConsoleWorld();
  const owner = await world.owner();
  const { status, headers, body } = await owner.call('POST', '/applications', { name: 'Weather' });
  assert.equal(status, 201);
  assert.equal(headers['cache-control'], 'no-store');
  const { appId, clientId, clientSecret, apiKey, webhookSecret } = body.data;
  assert.deepEqual(
    body,
    success(
      'application created; its secrets are shown this once',
      { appId, clientId, clientSecret, apiKey, webhookSecret },
      world.clock.now(),
    ),
  );
  assert.match(appId, /^app_[0-9a-hjkmnp-tv-z]{24}$/);
  assert.equal(clientId, appId);
  assert.match(apiKey, /^xk_live_[0-9a-f]{64}$/);
  assert.match(clientSecret, /^xcs_[0-9a-f]{64}$/);
  assert.match(webhookSecret, /^whsec_[A-Za-z0-9+/]{43}=$/);

  const shown = await owner.call('GET', `/applications/${appId}`);
  assert.deepEqual(shown.body, {
    status: 'success',
    message: 'application',
    data: {
      appId,
      name: 'Weather',
      state: 'active',
      createdAt: world.clock.now(),
      role: 'owner',
      apiKeys: [
        {
          fingerprint: createHash('sha256').update(apiKey).digest('hex'),
          name: 'default',
          scopes: ['messages:send', 'groups:manage'],
          createdAt: world.clock.now(),
        },
      ],
      clientSecretCreatedAt: world.clock.now(),
      webhookSecret: { createdAt: world.clock.now() },
      redirectUris: [],
      extensions: [],
      requestsPerMinute: 60,
    },
    timestamp: world.clock.now(),
  });

  const [dump] = await world.db`
    select (select json_agg(to_json(a)) from applications a)::text || (select json_agg(to_json(k)) from api_keys k)::text
      as text`;
  for (const secret of [apiKey, clientSecret, webhookSecret]) {
    for (const form of [secret, Buffer.from(secret).toString('hex')])
      assert.equal(dump?.['text'].includes(form), false);
  }
  assert.match(dump?.['text'], new RegExp(createHash('sha256').update(clientSecret).digest('hex')));

  assert.deepEqual(await new ApiKeys(world).authenticate(apiKey), {
    kind: 'bot',
    fingerprint: createHash('sha256').update(apiKey).digest('hex'),
    appId,
    applicationState: 'active',
    scopes: ['messages:send', 'groups:manage'],
    requestsPerMinute: 60,
    accountId: undefined,
  });
  assert.deepEqual(await findApplicationsForDelivery(world, [appId]), [
    { appId, state: 'active', hasWebhookUrl: false, webhookUrl: undefined, webhookSecret },
  ]);
});

test('a name has 1 to 64 characters, counted in code points, some of which can be seen', async () => {
  await using world = await createConsoleWorld();
  const owner = await world.owner();
  for (const name of ['x', '🦜'.repeat(64), ' spaces stay ']) {
    const { appId } = await owner.application(name);
    assert.equal((await owner.call('GET', `/applications/${appId}`)).body.data.name, name);
  }
  const refused: [unknown, string][] = [
    ['🦜'.repeat(65), 'name must have at most 64 characters'],
    ['', 'name must have at least 1 character'],
    [' \t ', 'name must not be blank'],
    ['\u3164\u200b\u2800', 'name must not be blank'],
    [null, 'name must be of type string'],
    [12, 'name must be of type string'],
    [undefined, 'name is required'],
  ];
  for (const [name, message] of refused) {
    const { status, body } = await owner.call('POST', '/applications', { name });
    assert.deepEqual([status, body], [400, failure('invalid-argument', message)]);
  }
});

const TOO_MANY = failure(
  'resource-exhausted',
  'an account can have at most 20 applications; delete one first',
);

test('an account has at most 20 applications; deleted ones and those of others do not count', async () => {
  await using world = await createConsoleWorld();
  const [owner, other] = [await world.owner(), await world.owner()];
  const { appId } = await owner.application();
  for (let i = 2; i <= 20; i++) await owner.application();
  const refused = await owner.call('POST', '/applications', { name: 'The 21st' });
  assert.deepEqual([refused.status, refused.body], [429, TOO_MANY]);
  await other.application();

  assert.equal((await owner.call('DELETE', `/applications/${appId}`)).status, 200);
  await owner.application('Again the 20th');
  const again = await owner.call('POST', '/applications', { name: 'The 21st' });
  assert.deepEqual([again.status, again.body], [429, TOO_MANY]);
  assert.equal((await owner.call('GET', '/home')).body.data.applications.length, 20);
});

test('of 100 concurrent creations with 19 existing applications exactly one succeeds', async () => {
  await using world = await createConsoleWorld();
  const owner = await world.owner();
  // Concurrently, so that the pool has opened all its connections when the race begins.
  await Promise.all(Array.from({ length: 19 }, () => owner.application()));
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => owner.call('POST', '/applications', { name: 'Race' })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [201, ...Array(99).fill(429)]);
  for (const { status, body } of answers) if (status === 429) assert.deepEqual(body, TOO_MANY);
  assert.equal((await owner.call('GET', '/home')).body.data.applications.length, 20);
});

test('the list has one’s own applications, oldest first', async () => {
  await using world = await createConsoleWorld();
  const [owner, other] = [await world.owner(), await world.owner()];
  await other.application('Not shown');
  const first = await owner.application('First');
  world.clock.advance({ seconds: 1 });
  const second = await owner.application('Second');
  const now = world.clock.now();
  const { applications } = (await owner.call('GET', '/home')).body.data;
  assert.deepEqual(columnsOf(applications, 'appId', 'name', 'state', 'createdAt'), [
    [first.appId, 'First', 'active', now - 1000],
    [second.appId, 'Second', 'active', now],
  ]);
});
