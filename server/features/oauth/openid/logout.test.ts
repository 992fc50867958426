import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { OpenIdScene, switchOpenId } from '#testing/openid-scene.ts';
import { type Receiver, type Respond, startReceiver } from '#testing/receiver.ts';

const BYE = 'https://app.example.com/bye';

/** The application receives logout tokens. */
async function listening(
  t: TestContext,
  respond?: Respond,
): Promise<{ scene: OpenIdScene; receiver: Receiver }> {
  const receiver = await startReceiver({ tls: 'plain', host: 'localhost', ...(respond && { respond }) });
  const scene = await OpenIdScene.create({ webhookTrustedHosts: [receiver.trustedHost] });
  t.after(async () => {
    await receiver[Symbol.asyncDispose]();
    await scene[Symbol.asyncDispose]();
  });
  const path = `/api/console/applications/${scene.client.appId}/openid`;
  const { owner } = scene.client;
  const set = await owner.calls('PUT', `${path}/backchannel-logout-uri`, {
    backchannelLogoutUri: receiver.url,
  });
  assert.equal(set.status, 200, JSON.stringify(set.body));
  await owner.calls('POST', `${path}/post-logout-redirect-uris`, { postLogoutRedirectUri: BYE });
  return { scene, receiver };
}

async function claimsOf(scene: OpenIdScene, body: Buffer | undefined) {
  const token = new URLSearchParams(body?.toString()).get('logout_token') ?? '';
  const keys = createLocalJWKSet((await scene.world.app.inject('/oauth/jwks')).json());
  return jwtVerify(token, keys, {
    issuer: 'http://localhost:3000',
    audience: scene.client.appId,
    typ: 'logout+jwt',
    currentDate: new Date(scene.world.clock.now()),
  });
}

const logout = (query: Record<string, string> = {}) => `/oauth/logout?${new URLSearchParams(query)}`;

test('with a hint the browser is signed out at once, returns with its state, and every application is notified', async (t) => {
  const { scene, receiver } = await listening(t);
  const { id_token: hint, refresh_token: refresh } = await scene.signsIn();
  const { sid } = await scene.claims(hint);
  scene.world.clock.advance({ hours: 3 });
  const query = { id_token_hint: hint, post_logout_redirect_uri: BYE, state: 'a b&c' };
  const { status, to } = await scene.visits(logout(query));
  assert.deepEqual([status, to?.href], [303, `${BYE}?state=a%20b%26c`]);
  assert.equal((await scene.person.calls('GET', '/api/auth/sessions')).status, 401);
  assert.equal((await scene.client.refreshes(refresh)).status, 401, 'its grant is over');
  await scene.world.oauth.openId.sendLogouts();
  const [posted] = await receiver.waitFor(1);
  assert.equal(posted?.headers['content-type'], 'application/x-www-form-urlencoded');
  const { payload } = await claimsOf(scene, posted?.rawBody);
  const { iat = 0, exp = 0, jti, ...claims } = payload;
  assert.deepEqual(claims, {
    iss: 'http://localhost:3000',
    aud: scene.client.appId,
    sub: scene.person.accountId,
    sid,
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
  assert.deepEqual([exp - iat, typeof jti], [120, 'string']);
  await scene.world.oauth.openId.sendLogouts();
  assert.equal(receiver.requests.length, 1);
});

test('without proof the person is asked, and only that person can answer', async (t) => {
  const { scene } = await listening(t);
  const { client, person, world } = scene;
  const { page } = await scene.visits(
    logout({ client_id: client.appId, post_logout_redirect_uri: BYE, state: 's' }),
  );
  assert.match(page, /<h1>Sign out\?<\/h1>/);
  const fields = Object.fromEntries(
    [
      ...page.matchAll(/type="hidden" name="(client_id|post_logout_redirect_uri|state)" value="([^"]+)"/g),
    ].map(([, name, value]) => [name, value]),
  );
  assert.deepEqual(fields, { client_id: client.appId, post_logout_redirect_uri: BYE, state: 's' });
  const confirm = (site: string) =>
    world.app.inject({
      method: 'POST',
      url: '/oauth/logout/confirm',
      headers: {
        cookie: person.cookie,
        'sec-fetch-site': site,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams(fields as Record<string, string>).toString(),
    });
  assert.equal((await confirm('cross-site')).statusCode, 403);
  assert.equal((await person.calls('GET', '/api/auth/sessions')).status, 200);
  const done = await confirm('same-origin');
  assert.deepEqual([done.statusCode, done.headers.location], [303, `${BYE}?state=s`]);
  assert.equal((await person.calls('GET', '/api/auth/sessions')).status, 401);
  assert.match((await scene.visits(logout())).page, /You are signed out/);
});

test('a hint of another person, of another session, a forged one or one of an application with OpenID Connect off signs nobody out', async (t) => {
  const { scene } = await listening(t);
  const { id_token: hint } = await scene.signsIn();
  const other = await scene.world.person('Bob');
  const asked = await scene.visits(logout({ id_token_hint: hint }), other.cookie);
  assert.match(asked.page, /Sign out\?/);
  const [{ own }] = await scene.world.db<[{ own: string }]>`
    select sign_in_id as own from sessions where account_id = ${scene.person.accountId}`;
  await scene.world
    .db`update sessions set sign_in_id = 'another' where account_id = ${scene.person.accountId}`;
  assert.match((await scene.visits(logout({ id_token_hint: hint }))).page, /Sign out\?/);
  assert.match((await scene.visits(logout({ id_token_hint: `${hint}x` }))).page, /Sign out\?/);
  await scene.world.db`update sessions set sign_in_id = ${own} where account_id = ${scene.person.accountId}`;
  await switchOpenId(scene.client, false);
  await switchOpenId(await scene.world.client(), true);
  for (const query of [{}, { client_id: scene.client.appId }])
    assert.match((await scene.visits(logout({ id_token_hint: hint, ...query }))).page, /Sign out\?/);
  const bye = { id_token_hint: hint, post_logout_redirect_uri: BYE };
  assert.equal((await scene.visits(logout(bye))).status, 400, 'switched off, the application is unknown');
  await switchOpenId(scene.client, true);
  for (const one of [scene.person, other])
    assert.equal((await one.calls('GET', '/api/auth/sessions')).status, 200);
  assert.equal((await scene.visits(logout(bye))).status, 303);
});

test('a browser is redirected only to registered addresses of the application', async (t) => {
  const { scene } = await listening(t);
  const { id_token: hint } = await scene.signsIn();
  const stranger = await scene.world.client();
  const rows: Record<string, string>[] = [
    { id_token_hint: hint, post_logout_redirect_uri: `${BYE}/` },
    { id_token_hint: hint, post_logout_redirect_uri: `${BYE}?x=1` },
    { id_token_hint: hint, post_logout_redirect_uri: 'https://app.example.com/callback' },
    { id_token_hint: hint, post_logout_redirect_uri: '//evil.example' },
    { post_logout_redirect_uri: BYE },
    { client_id: stranger.appId, post_logout_redirect_uri: BYE },
    { client_id: stranger.appId, id_token_hint: hint, post_logout_redirect_uri: BYE },
  ];
  for (const row of rows) {
    const { status, to } = await scene.visits(logout(row));
    assert.deepEqual([status, to], [400, undefined], JSON.stringify(row));
  }
  assert.equal((await scene.person.calls('GET', '/api/auth/sessions')).status, 200);
  const posted = await scene.world.app.inject({
    method: 'POST',
    url: '/oauth/logout',
    headers: { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ id_token_hint: 'x y' }).toString(),
  });
  assert.deepEqual([posted.statusCode, posted.headers.location], [303, '/oauth/logout?id_token_hint=x+y']);
});

test('an application is notified of an ended grant, a suspension and a deleted account; others are not', async (t) => {
  const { scene, receiver } = await listening(t);
  const { world, client, person } = scene;
  const told = async () => {
    const before = receiver.requests.length;
    await world.oauth.openId.sendLogouts();
    return receiver.requests.length - before;
  };
  const silent = await world.client();
  await silent.tokens({ person });
  await scene.signsIn();
  await scene.signsIn();
  await person.calls('POST', '/api/chat/connected-applications/revoke', { appId: silent.appId });
  assert.equal(await told(), 0);
  await person.calls('POST', '/api/chat/connected-applications/revoke', { appId: client.appId });
  assert.equal(await told(), 1, 'one for both grants of the sign-in');
  await person.calls('POST', '/api/chat/connected-applications/revoke', { appId: client.appId });
  assert.equal(await told(), 0);
  await scene.signsIn();
  const { suspensionChanged, deleted } = world.hooks.oauth.account;
  const { accountId } = person;
  await world.db.begin(async (tx) => suspensionChanged?.(tx, { accountId, until: world.clock.now() + 1 }));
  assert.equal(await told(), 1);
  await world.db.begin(async (tx) => suspensionChanged?.(tx, { accountId, until: null }));
  assert.equal(await told(), 0);
  await world.db.begin(async (tx) => deleted?.(tx, { accountId, at: world.clock.now() }));
  assert.equal(await told(), 1);
});

test('a logout token that does not arrive is sent 5 times; the console shows that it was given up', async (t) => {
  let status = 503;
  const { scene, receiver } = await listening(t, () => ({ status }));
  const { world, client, person } = scene;
  const settings = async () => {
    const { body } = await client.owner.calls('GET', `/api/console/applications/${client.appId}/openid`);
    return body.data.lastLogoutFailure;
  };
  const end = async () => {
    await scene.signsIn();
    await person.calls('POST', '/api/chat/connected-applications/revoke', { appId: client.appId });
  };
  await end();
  for (const [i, minutes] of [0, 1, 2, 6, 31].entries()) {
    world.clock.advance({ minutes });
    await world.oauth.openId.sendLogouts();
    assert.equal(receiver.requests.length, i + 1);
  }
  world.clock.advance({ hours: 1 });
  await world.oauth.openId.sendLogouts();
  assert.equal(receiver.requests.length, 5);
  assert.equal((await settings()).fault, 'the back-channel logout URI answered 503');
  const ids = new Set(receiver.requests.map(({ rawBody }) => rawBody.toString()));
  assert.equal(ids.size, 5, 'each token is made afresh');
  status = 204;
  await end();
  await world.oauth.openId.sendLogouts();
  assert.equal(await settings(), undefined);
});
