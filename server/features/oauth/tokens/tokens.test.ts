import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REDIRECT_URI } from '#testing/oauth-client.ts';
import { createWorld } from '#testing/world.ts';
import { readOAuthBody, readTokenRequest } from '../tokens.ts';

test('a code is exchanged, its token used and refreshed', async () => {
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
  assert.deepEqual([me.status, me.body.data.userId], [200, person.accountId]);
  const second = await client.refreshes(first.body.refresh_token);
  assert.notEqual(second.body.access_token, first.body.access_token);
  assert.equal((await client.calls(first.body.access_token)).status, 401, 'the old access token is revoked');
  assert.equal((await client.calls(second.body.access_token)).status, 200);
});

test('of a body, the known texts are read; what has no value is absent, and the rest is 400', () => {
  const absent = { scope: '', token: null, client_id: undefined };
  assert.deepEqual(readOAuthBody({ code: 'x', ...absent, unknown: 'y' }), { code: 'x' });
  assert.deepEqual(readOAuthBody(Object.create({ code: 'x' })), {});
  assert.throws(() => readOAuthBody({ scope: 7 }), { error: 'invalid_request', message: /^scope / });
  for (const body of [undefined, null, 'code', 7, [], ['code']])
    assert.throws(() => readOAuthBody(body), { error: 'invalid_request', status: 400 });
});

test('a token request needs the fields of its grant, and a verifier has 43 to 128 plain characters', () => {
  const exchange = { grant_type: 'authorization_code', code: 'c', redirect_uri: 'r' };
  const read = { grantType: 'authorization_code', code: 'c', redirectUri: 'r', verifier: undefined };
  assert.deepEqual(readTokenRequest(exchange), read);
  for (const verifier of ['A9._~-'.padEnd(43, 'x'), 'x'.repeat(128)])
    assert.deepEqual(readTokenRequest({ ...exchange, code_verifier: verifier }), { ...read, verifier });
  for (const verifier of ['x'.repeat(42), 'x'.repeat(129), `+${'x'.repeat(43)}`, `${'x'.repeat(43)}+`])
    assert.throws(() => readTokenRequest({ ...exchange, code_verifier: verifier }), {
      error: 'invalid_request',
      message: 'code_verifier must be 43 to 128 letters, digits, and - . _ ~',
    });
  const refresh = { grant_type: 'refresh_token', refresh_token: 't', scope: 's' };
  assert.deepEqual(readTokenRequest(refresh), { grantType: 'refresh_token', refreshToken: 't', scope: 's' });
  for (const [whole, names] of [
    [exchange, ['grant_type', 'code', 'redirect_uri']],
    [refresh, ['refresh_token']],
  ] as const)
    for (const name of names)
      assert.throws(() => readTokenRequest({ ...whole, [name]: undefined }), {
        error: 'invalid_request',
        message: new RegExp(`^${name} `),
      });
  assert.throws(() => readTokenRequest({ grant_type: 'password' }), { error: 'unsupported_grant_type' });
});
