import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { OpenIdScene, switchOpenId } from '#testing/openid-scene.ts';
import { createWorld } from '#testing/world.ts';

const PROFILE = { name: 'Ada', picture: 'http://localhost:3000/initials/41' };

test('an ID token states who signed in where, when and how, and is bound to its access token', async () => {
  await using scene = await OpenIdScene.create();
  const { world, client, person } = scene;
  const signedInAt = Math.floor(world.clock.now() / 1000);
  world.clock.advance({ minutes: 5 });
  const body = await scene.signsIn({ scope: 'openid profile', nonce: 'n-0S6_WzA2Mj', state: 's' });
  const now = Math.floor(world.clock.now() / 1000);
  const { sid, ...claims } = await scene.claims(body.id_token);
  assert.deepEqual(claims, {
    iss: 'http://localhost:3000',
    sub: person.accountId,
    aud: client.appId,
    iat: now,
    exp: now + 3600,
    auth_time: signedInAt,
    nonce: 'n-0S6_WzA2Mj',
    acr: 'urn:parley:acr:1fa',
    amr: ['pwd'],
    at_hash: hash('sha256', body.access_token, 'buffer').subarray(0, 16).toString('base64url'),
    ...PROFILE,
  });
  assert.match(String(sid), /^[A-Za-z0-9_-]{22}$/);
  const { id_token: _, ...rest } = body;
  assert.deepEqual(Object.keys(rest), ['access_token', 'refresh_token', 'token_type', 'expires_in', 'scope']);
});

test('a refresh returns an ID token of the same sign-in, without the nonce; fewer scopes return fewer claims', async () => {
  await using scene = await OpenIdScene.create();
  const { world, client } = scene;
  const first = await scene.signsIn({ scope: 'openid profile', nonce: 'n' });
  const before = await scene.claims(first.id_token);
  world.clock.advance({ minutes: 50 });
  const { body } = await client.refreshes(first.refresh_token);
  const after = await scene.claims(body.id_token);
  for (const name of ['iss', 'sub', 'aud', 'auth_time', 'acr', 'sid', 'name'])
    assert.deepEqual(after[name], before[name], name);
  assert.equal(after['nonce'], undefined);
  assert.notEqual(after.iat, before.iat);
  assert.notEqual(after['at_hash'], before['at_hash']);
  const { body: less } = await client.refreshes(body.refresh_token, { scope: 'openid' });
  assert.equal((await scene.claims(less.id_token))['name'], undefined);
  const { body: without } = await client.refreshes(less.refresh_token, { scope: 'profile' });
  assert.equal(without.id_token, undefined);
});

test('acr and amr distinguish one factor from two', async () => {
  await using scene = await OpenIdScene.create();
  const rows = [
    [['pwd'], 'urn:parley:acr:1fa', ['pwd']],
    [['pwd', 'otp'], 'urn:parley:acr:2fa', ['pwd', 'otp', 'mfa']],
    [['pop'], 'urn:parley:acr:2fa', ['pop', 'user', 'mfa']],
  ] as const;
  for (const [methods, acr, amr] of rows) {
    await scene.signsInAgain([...methods]);
    const claims = await scene.claims((await scene.signsIn()).id_token);
    assert.deepEqual([claims['acr'], claims['amr']], [acr, amr]);
  }
  await scene.world.db`update sessions set methods = null, sign_in_id = null`;
  const claims = await scene.claims((await scene.signsIn()).id_token);
  assert.deepEqual([claims['acr'], claims['amr']], ['urn:parley:acr:1fa', undefined], 'an older session');
  assert.match(String(claims['sid']), /^.{22}$/);
});

test('userinfo returns what the scopes of the token allow', async () => {
  await using scene = await OpenIdScene.create();
  const { client, person } = scene;
  const ask = async (scope: string) => {
    const { access_token: token } = await scene.signsIn({ scope });
    return client.calls(token, 'GET', '/oauth/userinfo');
  };
  assert.deepEqual((await ask('openid')).body, { sub: person.accountId });
  assert.deepEqual((await ask('openid profile')).body, { sub: person.accountId, ...PROFILE });
  assert.deepEqual((await ask('openid email')).body, { sub: person.accountId }, 'nobody confirmed it');
  await scene.world.db`update accounts set email_confirmed_at = ${scene.world.clock.now()}`;
  const address = { email: `${person.accountId}@example.com`, email_verified: true };
  assert.deepEqual((await ask('openid email')).body, { sub: person.accountId, ...address });
  assert.deepEqual((await ask('profile')).body, { sub: person.accountId, ...PROFILE });
  assert.equal((await ask('stories:read')).status, 403);
});

test('with OpenID Connect off, an application is served as if the extension did not exist', async () => {
  await using world = await createWorld();
  const [client, person] = [await world.client(), await world.person()];
  const fault = {
    page: 400,
    fault: {
      reason: 'field.some-of',
      values: { field: 'scope', values: 'profile stories:read stories:write polls:write groups:manage' },
      message: 'scope may contain only: profile stories:read stories:write polls:write groups:manage',
    },
  };
  for (const scopes of [['openid'], ['openid', 'profile'], ['email']] as const)
    assert.deepEqual(await client.reads({ person, scopes }), fault);
  const { body } = await client.exchanges(await client.code({ person }));
  assert.deepEqual(Object.keys(body), ['access_token', 'refresh_token', 'token_type', 'expires_in', 'scope']);
  const url = `/oauth/authorize?response_type=code&client_id=${client.appId}&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcallback&scope=profile`;
  for (const more of ['prompt=none', 'prompt=x', 'max_age=0', 'request=x', 'id_token_hint=x', 'nonce=x']) {
    const { cookie } = person;
    const { statusCode } = await world.app.inject({ url: `${url}&${more}`, headers: { cookie } });
    assert.equal(statusCode, 200, `${more} is ignored`);
  }
  assert.equal((await world.db`select from openid_grants`).length, 0);
  const narrowed = await client.refreshes(body.refresh_token, { scope: 'openid' });
  assert.deepEqual([narrowed.status, narrowed.body.error], [400, 'invalid_scope']);
});

test('once OpenID Connect is switched off, tokens lose its scopes', async () => {
  await using scene = await OpenIdScene.create();
  const { client, person } = scene;
  const [alone, both] = [await scene.signsIn(), await scene.signsIn({ scope: 'openid profile' })];
  await switchOpenId(client, false);
  const refused = await client.calls(alone.access_token, 'GET', '/oauth/userinfo');
  assert.deepEqual(
    [refused.status, refused.body.message],
    [
      403,
      'the scope profile is missing: request it at /oauth/authorize, so that the person can consent to it',
    ],
  );
  assert.match(String(refused.headers['www-authenticate']), /error="insufficient_scope", scope="profile"/);
  const { body } = await client.calls(both.access_token, 'GET', '/oauth/userinfo');
  assert.deepEqual(body, { sub: person.accountId, ...PROFILE });
  assert.equal((await client.refreshes(both.refresh_token)).body.id_token, undefined);
  assert.equal((await scene.visits(scene.url())).status, 400);
});
