import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure, success } from '#testing/answers.ts';
import { consoleScene, createConsoleWorld } from '#testing/console-world.ts';

test('a webhook URL is set, changed and removed', async (t) => {
  const { world, owner, appId } = await consoleScene(t);
  const path = `/applications/${appId}/webhook-url`;
  for (const webhookUrl of ['https://hooks.example.com/a', 'https://hooks.example.com:8443/b?x=1']) {
    const { status, body } = await owner.call('PUT', path, { webhookUrl });
    const timestamp = world.clock.now();
    assert.equal(status, 200);
    assert.deepEqual(body, success('webhook URL set', { webhookUrl }, timestamp));
    assert.equal((await owner.call('GET', `/applications/${appId}`)).body.data.webhookUrl, webhookUrl);
  }
  const removed = await owner.call('DELETE', path);
  assert.deepEqual([removed.status, removed.body.data], [200, { removed: true }]);
  assert.equal('webhookUrl' in (await owner.call('GET', `/applications/${appId}`)).body.data, false);
});

test('a webhook URL must be https and public, by its text and by DNS', async () => {
  await using world = await createConsoleWorld();
  world.names.set('inside.example.com', [
    { address: '93.184.215.14', family: 4 },
    { address: '10.0.0.8', family: 4 },
  ]);
  const owner = await world.owner();
  const { appId } = await owner.application();
  const longest = `https://hooks.example.com/${'a'.repeat(2048 - 26)}`;
  const refused = [
    ['http://hooks.example.com/', /^webhookUrl must begin with https:\/\/.* `parley listen`/],
    ['https://127.0.0.1/', /^webhookUrl must resolve to public addresses only/],
    ['https://[::1]/', /^webhookUrl must resolve to public addresses only/],
    ['https://inside.example.com/', /^webhookUrl must resolve to public addresses only/],
    ['https://localhost/', /^webhookUrl must be reachable from the internet/],
    ['https://user@hooks.example.com/', /^webhookUrl must not contain a user name/],
    ['https://hooks.example.com/#x', /^webhookUrl must not contain a fragment/],
    [`${longest}a`, /^webhookUrl must have at most 2048 characters$/],
    ['', /^webhookUrl must begin with https:\/\//],
    [null, /^webhookUrl must be of type string$/],
  ] as const;
  for (const [webhookUrl, message] of refused) {
    const { status, body } = await owner.call('PUT', `/applications/${appId}/webhook-url`, { webhookUrl });
    assert.deepEqual([status, body.code], [400, 'invalid-argument'], String(webhookUrl));
    assert.match(body.message, message);
  }
  assert.equal('webhookUrl' in (await owner.call('GET', `/applications/${appId}`)).body.data, false);
  const { status } = await owner.call('PUT', `/applications/${appId}/webhook-url`, { webhookUrl: longest });
  assert.equal(status, 200);
});

test('redirect URIs are kept byte for byte, in the order added, without duplicates', async (t) => {
  const { world, owner, appId } = await consoleScene(t);
  const path = `/applications/${appId}/redirect-uris`;
  const uris = [
    'https://B.example.com/%7Ecb/?a=1',
    'http://localhost:3000',
    'https://b.example.com/~cb/?a=1',
  ];
  for (const redirectUri of uris) {
    assert.equal((await owner.call('POST', path, { redirectUri })).status, 200);
    world.clock.advance({ milliseconds: 1 });
  }
  const again = await owner.call('POST', path, { redirectUri: uris[0] });
  assert.deepEqual([again.status, again.body.data], [200, { redirectUris: uris }]);
  const shown = await owner.call('GET', `/applications/${appId}`);
  assert.deepEqual(shown.body.data.redirectUris, uris);

  const removed = await owner.call('DELETE', path, { redirectUri: uris[1] });
  assert.deepEqual([removed.status, removed.body.data], [200, { redirectUris: [uris[0], uris[2]] }]);
  const unknown = await owner.call('DELETE', path, { redirectUri: uris[1] });
  const missing = failure('not-found', 'redirectUri is not registered');
  assert.deepEqual([unknown.status, unknown.body], [404, missing]);
});

test('a redirect URI that breaks the rules is 400 with the reason', async (t) => {
  const { owner, appId } = await consoleScene(t);
  const { status, body } = await owner.call('POST', `/applications/${appId}/redirect-uris`, {
    redirectUri: 'https://app.example.com/#token',
  });
  const message = 'redirectUri must not contain a fragment (#…)';
  assert.deepEqual([status, body], [400, failure('invalid-argument', message)]);
});

test('an application has at most 20 redirect URIs, even if added concurrently', async (t) => {
  const { owner, appId } = await consoleScene(t);
  const path = `/applications/${appId}/redirect-uris`;
  const add = (i: number) => owner.call('POST', path, { redirectUri: `https://app.example.com/${i}` });
  const first = await Promise.all(Array.from({ length: 19 }, (_, i) => add(i + 1)));
  for (const { status } of first) assert.equal(status, 200);
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => add(100 + i)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(29).fill(429)]);
  assert.deepEqual(
    answers.find(({ status }) => status === 429)?.body,
    failure('resource-exhausted', 'an application can have at most 20 redirect URIs; remove one first'),
  );
  assert.equal((await add(1)).status, 200);
  assert.equal((await owner.call('GET', `/applications/${appId}`)).body.data.redirectUris.length, 20);
});
