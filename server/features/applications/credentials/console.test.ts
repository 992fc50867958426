import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { KEY_SCOPES } from '#contract/scopes.ts';
import { success } from '#testing/answers.ts';
import { columnOf, columnsOf } from '#testing/columns.ts';
import { consoleScene } from '#testing/console-world.ts';
import { findApplicationsForDelivery } from '../service.ts';
import { ApiKeys } from './api-keys.ts';

/** What identifies an API key in URLs. */
const fingerprintOf = (key: string) => createHash('sha256').update(key).digest('hex');

test('regenerating the key revokes the old one at once and keeps the scopes', async (t) => {
  const { world, owner, appId, apiKey: old } = await consoleScene(t);
  const keys = new ApiKeys(world);
  await owner.call('PATCH', `/applications/${appId}/api-keys/${fingerprintOf(old)}`, { scopes: KEY_SCOPES });

  const { status, headers, body } = await owner.call('POST', `/applications/${appId}/api-key`);
  const { apiKey } = body.data;
  assert.equal(status, 200);
  assert.equal(headers['cache-control'], 'no-store');
  assert.deepEqual(
    body,
    success('new API key, shown this once; every other is revoked', { apiKey }, world.clock.now()),
  );
  assert.equal(await keys.authenticate(old), undefined);
  assert.deepEqual((await keys.authenticate(apiKey))?.scopes, KEY_SCOPES);
});

test('of 100 concurrent regenerations exactly one key stays valid', async (t) => {
  const { world, owner, appId, apiKey } = await consoleScene(t);
  const apiKeys = new ApiKeys(world);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => owner.call('POST', `/applications/${appId}/api-key`)),
  );
  const keys = [apiKey, ...answers.map(({ body }) => body.data.apiKey)];
  assert.equal(new Set(keys).size, 101);
  const credentials = await Promise.all(keys.map((key) => apiKeys.authenticate(key)));
  assert.equal(credentials.filter(Boolean).length, 1);
});

test('a key takes at least one scope, each once, and none that only people grant', async (t) => {
  const { owner, appId, apiKey } = await consoleScene(t);
  const path = `/applications/${appId}/api-keys`;
  for (const scopes of [
    [],
    ['polls:write', 'polls:write'],
    ['stories:read'],
    ['profile'],
    ['x'],
    [1],
    'polls:write',
  ]) {
    for (const [method, at] of [
      ['POST', path],
      ['PATCH', `${path}/${fingerprintOf(apiKey)}`],
    ] as const) {
      const { status, body } = await owner.call(method, at, { name: 'x', scopes });
      assert.deepEqual([status, body.code], [400, 'invalid-argument']);
      assert.match(body.message, /scopes/);
    }
  }
  const { apiKeys } = (await owner.call('GET', `/applications/${appId}`)).body.data;
  assert.deepEqual(columnOf(apiKeys, 'scopes'), [['messages:send', 'groups:manage']]);
});

test('a new client secret replaces the old one, and a new webhook secret signs from now on', async (t) => {
  const { world, owner, appId, ...old } = await consoleScene(t);
  const renew = async (name: 'clientSecret' | 'webhookSecret', path: string, form: RegExp) => {
    const { status, headers, body } = await owner.call('POST', `/applications/${appId}/${path}`);
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store']);
    assert.match(body.data[name], form);
    assert.notEqual(body.data[name], old[name]);
    return body.data[name];
  };
  const clientSecret = await renew('clientSecret', 'client-secret', /^xcs_[0-9a-f]{64}$/);
  const [row] = await world.db`select client_secret_hash from applications where app_id = ${appId}`;
  assert.deepEqual(row?.['clientSecretHash'], createHash('sha256').update(clientSecret).digest());
  const webhookSecret = await renew('webhookSecret', 'webhook-secret', /^whsec_[A-Za-z0-9+/]{43}=$/);
  const [forDelivery] = await findApplicationsForDelivery(world, [appId]);
  assert.equal(forDelivery?.webhookSecret, webhookSecret);
});

test('several keys: a new one is created, used, and takes over without downtime; the revoked one is refused at once', async (t) => {
  const { world, owner, appId, apiKey: old } = await consoleScene(t);
  const keys = new ApiKeys(world);
  const path = `/applications/${appId}/api-keys`;
  const made = await owner.call('POST', path, { name: 'worker 2', scopes: ['polls:write', 'messages:send'] });
  assert.equal(made.status, 201);
  const { apiKey, fingerprint, ...shown } = made.body.data;
  assert.deepEqual(shown, {
    name: 'worker 2',
    scopes: ['messages:send', 'polls:write'],
    createdAt: world.clock.now(),
  });
  const scopesOf = async (key: string) => (await keys.authenticate(key))?.scopes;
  assert.deepEqual(await scopesOf(apiKey), ['messages:send', 'polls:write']);
  assert.deepEqual(await scopesOf(old), ['messages:send', 'groups:manage']);

  const changed = await owner.call('PATCH', `${path}/${fingerprint}`, {
    name: 'worker',
    scopes: ['groups:manage'],
  });
  assert.deepEqual([changed.status, changed.body.data.name], [200, 'worker']);
  assert.deepEqual(await scopesOf(apiKey), ['groups:manage']);

  const revoked = await owner.call('DELETE', `${path}/${fingerprintOf(old)}`);
  assert.deepEqual([revoked.status, revoked.body.data], [200, { revoked: true }]);
  assert.equal(await keys.authenticate(old), undefined);
  assert.ok(await keys.authenticate(apiKey));
  const again = await owner.call('DELETE', `${path}/${fingerprintOf(old)}`);
  assert.deepEqual([again.status, again.body.message], [404, 'the application has no such API key']);
  const { apiKeys } = (await owner.call('GET', `/applications/${appId}`)).body.data;
  assert.deepEqual(columnOf(apiKeys, 'name'), ['worker']);
  const trail = (await owner.call('GET', `/applications/${appId}/audit`)).body.data.entries;
  assert.deepEqual(columnsOf(trail.slice(0, 3), 'action', 'details'), [
    ['api-key.revoked', { name: 'default' }],
    ['api-key.changed', { name: 'worker', scopes: ['groups:manage'] }],
    ['api-key.created', { name: 'worker 2', scopes: ['messages:send', 'polls:write'] }],
  ]);
});

test('an application has 10 keys at most, even if created concurrently; regenerating leaves one', async (t) => {
  const { world, owner, appId, apiKey: first } = await consoleScene(t);
  const keys = new ApiKeys(world);
  const answers = await Promise.all(
    Array.from({ length: 15 }, (_, i) =>
      owner.call('POST', `/applications/${appId}/api-keys`, { name: `key ${i}` }),
    ),
  );
  const made = answers.filter(({ status }) => status === 201);
  assert.equal(made.length, 9);
  const refused = answers.find(({ status }) => status === 429);
  assert.equal(refused?.body.message, 'an application can have at most 10 API keys; revoke one first');
  const all = [first, ...made.map(({ body }) => body.data.apiKey)];
  assert.equal((await Promise.all(all.map((key) => keys.authenticate(key)))).filter(Boolean).length, 10);
  await owner.call('POST', `/applications/${appId}/api-key`);
  assert.equal((await Promise.all(all.map((key) => keys.authenticate(key)))).filter(Boolean).length, 0);
  const stranger = await world.owner();
  assert.equal((await stranger.call('POST', `/applications/${appId}/api-keys`, { name: 'x' })).status, 404);
});
