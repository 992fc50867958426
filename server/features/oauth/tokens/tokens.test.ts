import assert from 'node:assert/strict';
import { test } from 'node:test';
import { success } from '#testing/answers.ts';
import { REDIRECT_URI } from '#testing/oauth-client.ts';
import { createWorld } from '#testing/world.ts';

test('a code is exchanged, its token used, refreshed and revoked', async () => {
  await using world = await createWorld();
  const client = await world.client();
  const person = await world.person('Ada');
  const url = await client.asks({ person, scopes: ['profile', 'stories:read'], state: 'a b&c' });
  assert.equal(url.origin + url.pathname, REDIRECT_URI);
  assert.deepEqual([...url.searchParams.keys()], ['code', 'state', 'iss']);
  assert.equal(url.searchParams.get('iss'), 'http://localhost:3000');
  assert.equal(url.searchParams.get('state'), 'a b&c');
  const first = await client.exchanges(url.searchParams.get('code') as string);
  assert.equal(first.status, 200);
  assert.deepEqual(first.body, {
    access_token: first.body.access_token,
    refresh_token: first.body.refresh_token,
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'profile stories:read',
  });
  assert.match(first.body.access_token, /^xat_[0-9a-f]{78}$/);
  assert.match(first.body.refresh_token, /^xrt_[0-9a-f]{110}$/);
  assert.equal(first.headers['cache-control'], 'no-store');
  assert.equal(first.headers['pragma'], 'no-cache');

  const me = await client.calls(first.body.access_token);
  assert.equal(me.status, 200);
  assert.equal(me.body.data.userId, person.accountId);

  const second = await client.refreshes(first.body.refresh_token);
  assert.equal(second.status, 200);
  assert.notEqual(second.body.access_token, first.body.access_token);
  assert.equal((await client.calls(first.body.access_token)).status, 401, 'the old access token is revoked');
  assert.equal((await client.calls(second.body.access_token)).status, 200);

  const revoked = await client.revokes(second.body.access_token);
  assert.deepEqual(
    [revoked.status, revoked.body],
    [200, success('the token is revoked', { revoked: true }, world.clock.now())],
  );
  assert.equal((await client.calls(second.body.access_token)).status, 401);
  assert.equal((await client.refreshes(second.body.refresh_token)).status, 401);
});
