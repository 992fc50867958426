import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createConsoleWorld } from '#testing/console-world.ts';
import { ApiKeys } from './api-keys.ts';
import { findApplicationForDelivery } from './service.ts';

test('regenerating the key kills the old one at once and keeps the scopes', async () => {
  await using world = await createConsoleWorld();
  const keys = new ApiKeys(world.platform);
  const owner = await world.owner();
  const { appId, apiKey: old } = await owner.application();
  await owner.call('POST', `/applications/${appId}/api-key/scopes`, { scope: 'polls:write' });

  const { status, headers, body } = await owner.call('POST', `/applications/${appId}/api-key`);
  const { apiKey } = body.data;
  assert.equal(status, 200);
  assert.equal(headers['cache-control'], 'no-store');
  assert.deepEqual(body, {
    status: 'success',
    message: 'new API key, shown this once; the old one is revoked',
    data: { apiKey },
    timestamp: world.platform.clock.now(),
  });
  assert.equal(await keys.authenticate(old), undefined);
  assert.deepEqual((await keys.authenticate(apiKey))?.scopes, [
    'messages:send',
    'groups:manage',
    'polls:write',
  ]);
});

test('of 100 regenerations at once exactly one key stays alive', async () => {
  await using world = await createConsoleWorld();
  const apiKeys = new ApiKeys(world.platform);
  const owner = await world.owner();
  const { appId, apiKey } = await owner.application();
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => owner.call('POST', `/applications/${appId}/api-key`)),
  );
  const keys = [apiKey, ...answers.map(({ body }) => body.data.apiKey)];
  assert.equal(new Set(keys).size, 101);
  const credentials = await Promise.all(keys.map((key) => apiKeys.authenticate(key)));
  assert.equal(credentials.filter(Boolean).length, 1);
});

test('polls:write is granted and removed, twice if need be, and takes effect at once', async () => {
  await using world = await createConsoleWorld();
  const keys = new ApiKeys(world.platform);
  const owner = await world.owner();
  const { appId, apiKey } = await owner.application();
  const path = `/applications/${appId}/api-key/scopes`;
  const granted = ['messages:send', 'groups:manage', 'polls:write'];
  for (let i = 0; i < 2; i++) {
    const { status, body } = await owner.call('POST', path, { scope: 'polls:write' });
    const timestamp = world.platform.clock.now();
    assert.equal(status, 200);
    assert.deepEqual(body, {
      status: 'success',
      message: 'scope granted',
      data: { scopes: granted },
      timestamp,
    });
    assert.deepEqual((await keys.authenticate(apiKey))?.scopes, granted);
  }
  const defaults = ['messages:send', 'groups:manage'];
  for (let i = 0; i < 2; i++) {
    const { status, body } = await owner.call('DELETE', path, { scope: 'polls:write' });
    assert.deepEqual([status, body.message, body.data], [200, 'scope removed', { scopes: defaults }]);
    assert.deepEqual((await keys.authenticate(apiKey))?.scopes, defaults);
  }
});

test('no other scope can be granted or removed', async () => {
  await using world = await createConsoleWorld();
  const owner = await world.owner();
  const { appId } = await owner.application();
  const others = ['messages:send', 'groups:manage', 'stories:read', 'stories:write', 'profile', 'x', '', 1];
  for (const scope of others) {
    for (const method of ['POST', 'DELETE'] as const) {
      const { status, body } = await owner.call(method, `/applications/${appId}/api-key/scopes`, { scope });
      const message = 'scope is not one of the allowed values';
      assert.deepEqual([status, body.code], [400, 'invalid-argument']);
      if (typeof scope === 'string') assert.equal(body.message, message);
    }
  }
});

test('a new client secret replaces the old one', async () => {
  await using world = await createConsoleWorld();
  const owner = await world.owner();
  const { appId, clientSecret: old } = await owner.application();
  const { status, headers, body } = await owner.call('POST', `/applications/${appId}/client-secret`);
  const { clientSecret } = body.data;
  assert.equal(status, 200);
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(clientSecret, /^xcs_[0-9a-f]{64}$/);
  assert.notEqual(clientSecret, old);
  const [row] = await world.platform.db`select client_secret_hash from applications where app_id = ${appId}`;
  assert.deepEqual(row?.['clientSecretHash'], createHash('sha256').update(clientSecret).digest());
});

test('a new webhook secret signs from now on', async () => {
  await using world = await createConsoleWorld();
  const owner = await world.owner();
  const { appId, webhookSecret: old } = await owner.application();
  const { status, headers, body } = await owner.call('POST', `/applications/${appId}/webhook-secret`);
  const { webhookSecret } = body.data;
  assert.equal(status, 200);
  assert.equal(headers['cache-control'], 'no-store');
  assert.match(webhookSecret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(webhookSecret, old);
  const forDelivery = await findApplicationForDelivery(world.platform, appId);
  assert.equal(forDelivery?.webhookSecret, webhookSecret);
});
