import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Scope } from '#contract/scopes.ts';
import { denied, plain, refusal } from '#testing/answers.ts';
import { rawRequest } from '#testing/raw-request.ts';
import { createWorldFor } from '#testing/world.ts';

const INVALID = refusal(401, 'unauthenticated', 'the token is invalid, revoked or expired');

async function scene(t: TestContext, config = {}) {
  const world = await createWorldFor(t, config);
  return { world, client: await world.client(), person: await world.person('Ada') };
}

test('only an access token is accepted: refresh token, code, secret and near misses are 401', async (t) => {
  const { client, person } = await scene(t);
  const { access, refresh } = await client.tokens({ person });
  const code = await client.code({ person });
  const rotatedBody = access.slice(4);
  for (const token of [
    refresh,
    code,
    client.secret,
    `${access}0`,
    access.slice(0, -1),
    access.toUpperCase(),
    `xac_${rotatedBody}`,
    `xat_${code.slice(4)}`,
    `xat_${refresh.slice(4)}`,
    `xat_${refresh.slice(4, 82)}`,
  ]) {
    const answer = await client.calls(token);
    const { status, body } = plain(answer);
    assert.deepEqual([status, body.code], [401, 'unauthenticated'], token);
    assert.equal(answer.headers['www-authenticate'], 'Bearer realm="parley", error="invalid_token"');
  }
  assert.equal((await client.calls(access)).status, 200);
});

test('a token is accepted in the Authorization header only', async (t) => {
  const { world, client, person } = await scene(t);
  const { access } = await client.tokens({ person });
  const inQuery = await world.app.inject({ url: `/oauth/userinfo?access_token=${access}` });
  assert.equal(inQuery.statusCode, 401);
  const inBody = await world.app.inject({
    method: 'POST',
    url: '/v1/groups',
    payload: { name: 'x', access_token: access },
  });
  assert.equal(inBody.statusCode, 401);
  for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
    const headers = { authorization: `${scheme} ${access}` };
    assert.equal((await world.app.inject({ url: '/oauth/userinfo', headers })).statusCode, 200);
  }
  await world.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = world.app.server.address() as AddressInfo;
  const twice = await rawRequest(`http://127.0.0.1:${port}`, [
    'GET /oauth/userinfo HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${access}`,
    `Authorization: Bearer ${access}`,
    'Connection: close',
  ]);
  assert.match(twice, /^HTTP\/1\.1 401 /);
  assert.match(twice, /there is more than one Authorization header/);
});

test('userinfo returns the consenting person, without an envelope; an API key is 403', async (t) => {
  const { world, client, person } = await scene(t);
  const token = await world.token({ client, person, scopes: ['profile'] });
  const drawn = await client.calls(token, 'GET', '/oauth/userinfo');
  assert.deepEqual(plain(drawn), {
    status: 200,
    body: { sub: person.accountId, name: 'Ada', picture: drawn.body.picture },
  });
  assert.equal(drawn.body.picture, 'http://localhost:3000/initials/41');
  assert.equal(drawn.headers['cache-control'], 'no-store');
  await world.db`
    update accounts set name = '<b>', picture_url = null where account_id = ${person.accountId}`;
  const odd = (await client.calls(token, 'GET', '/oauth/userinfo')).body.picture;
  assert.equal(odd, 'http://localhost:3000/initials/3c');
  const picture = 'https://cdn.example.com/ada.png';
  await world.db`update accounts set picture_url = ${picture} where account_id = ${person.accountId}`;
  assert.equal((await client.calls(token, 'GET', '/oauth/userinfo')).body.picture, picture);
  const bot = await world.bot();
  assert.deepEqual(
    plain(await bot.calls('GET', '/oauth/userinfo')),
    denied('this endpoint takes an OAuth access token, not an API key'),
  );
});

test('GET /v1/me returns the name of a person only with the scope profile, and never the username', async (t) => {
  const { world, client, person } = await scene(t);
  const named = await person.calls('PATCH', '/api/auth/profile', { username: 'ada_lovelace' });
  assert.equal(named.status, 200);
  const me = async (scope: Scope) =>
    (await client.calls(await world.token({ client, person, scopes: [scope] }))).body.data;
  const common = { userId: person.accountId, isBot: false, appId: client.appId };
  assert.deepEqual(await me('profile'), { ...common, name: 'Ada', scopes: ['profile'] });
  assert.deepEqual(await me('stories:read'), { ...common, scopes: ['stories:read'] });
});

test('the quota is counted per application for all people together, separately from its API key', async (t) => {
  const { world, client, person } = await scene(t);
  const [mine, theirs] = [
    await world.token({ client, person, scopes: ['profile'] }),
    await world.token({ client, scopes: ['profile'] }),
  ];
  for (let n = 0; n < 60; n++) assert.equal((await client.calls(n % 2 ? mine : theirs)).status, 200);
  assert.equal((await client.calls(mine)).body.code, 'RATE_LIMIT_EXCEEDED');
  assert.equal((await client.calls(theirs)).status, 429);
  assert.equal((await client.calls(theirs, 'GET', '/oauth/userinfo')).status, 200, 'another endpoint');
  const other = await world.client();
  assert.equal(
    (await other.calls(await world.token({ client: other, person, scopes: ['profile'] }))).status,
    200,
  );
  world.clock.advance({ seconds: 60 });
  assert.equal((await client.calls(mine)).status, 200);
});

test('an expired token of a disabled application is 401, a valid one 403', async (t) => {
  const { world, client, person } = await scene(t);
  const { access } = await client.tokens({ person });
  await client.owner.disables(client);
  assert.equal((await client.calls(access)).status, 403);
  world.clock.advance({ hours: 1 });
  assert.deepEqual(plain(await client.calls(access)), INVALID);
});

test('under load, a token is never accepted after the response to its revocation', async (t) => {
  const { client, person } = await scene(t, { requestsPerMinute: 1_000_000 });
  for (let round = 0; round < 20; round++) {
    const { access, refresh } = await client.tokens({ person });
    const before = Array.from({ length: 20 }, () => client.calls(access));
    await (round % 2 ? client.revokes(refresh) : client.refreshes(refresh));
    const after = await Promise.all(Array.from({ length: 50 }, () => client.calls(access)));
    assert.deepEqual(new Set(after.map(({ status }) => status)), new Set([401]));
    await Promise.all(before);
  }
});

test('the generated initial is a picture that may be cached publicly and identifies no one', async (t) => {
  const { world } = await scene(t);
  const letters = { 41: 'A', '3c': '&#60;', '416': 'Ж', '1f98a': '🦊' };
  for (const [codePoint, drawn] of Object.entries(letters)) {
    const { statusCode, headers, body } = await world.app.inject(`/initials/${codePoint}`);
    assert.equal(statusCode, 200);
    assert.ok(body.includes(`>${drawn}</text></svg>`), body);
    assert.equal(headers['content-type'], 'image/svg+xml; charset=utf-8');
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; sandbox/);
  }
  for (const codePoint of ['0', '20', 'd800', '202e', 'fffff']) {
    assert.equal((await world.app.inject(`/initials/${codePoint}`)).statusCode, 404, codePoint);
  }
  for (const codePoint of ['110000', '-1', 'A', 'x']) {
    assert.equal((await world.app.inject(`/initials/${codePoint}`)).statusCode, 400, codePoint);
  }
});

test('a client that nobody registered has a quota for each person, and none of its tokens outlives it', async (t) => {
  const { world, client, person } = await scene(t, { takesPublishedClients: true });
  const [{ access: first }, { access: second }] = [
    await client.tokens({ person }),
    await client.tokens({ person: await world.person('Bob') }),
  ];
  const statusOf = async (token: string) => (await client.calls(token)).status;
  await world.db`
    update applications set client_url = 'https://app.example.com/client', requests_per_minute = 1
    where app_id = ${client.appId}`;
  assert.deepEqual([await statusOf(first), await statusOf(first), await statusOf(second)], [200, 429, 200]);
  await world.db`update applications set state = 'deleted' where app_id = ${client.appId}`;
  assert.equal(await statusOf(second), 401);
});
