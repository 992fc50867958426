import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { OpenIdScene } from '#testing/openid-scene.ts';

const ISS = 'http://localhost:3000';

test('prompt=none: a code without a page, or the reason why not', async () => {
  await using scene = await OpenIdScene.create();
  const silent = { prompt: 'none', state: 's' };
  const refused = (error: string, error_description: string) => ({
    error,
    error_description,
    state: 's',
    iss: ISS,
  });
  const signIn = refused('login_required', 'the person has to sign in');
  const consent = refused('consent_required', 'the person has not granted all of this');
  assert.deepEqual(await scene.redirectParams(silent, null), signIn);
  assert.deepEqual(await scene.redirectParams(silent), consent);
  const first = await scene.signsIn({ scope: 'openid' });
  const { code, ...rest } = await scene.redirectParams({ ...silent, nonce: 'n' });
  assert.deepEqual(rest, { state: 's', iss: ISS });
  const { body } = await scene.client.exchanges(code ?? '');
  const claims = await scene.claims(body.id_token);
  assert.deepEqual([claims.sub, claims['nonce']], [scene.person.accountId, 'n']);
  assert.deepEqual(await scene.redirectParams({ ...silent, scope: 'openid profile' }), consent);
  assert.ok((await scene.redirectParams({ ...silent, id_token_hint: first.id_token }))['code']);
  scene.world.clock.advance({ seconds: 11 });
  assert.deepEqual(await scene.redirectParams({ ...silent, max_age: '10' }), signIn);
  assert.ok((await scene.redirectParams({ ...silent, max_age: '11' }))['code']);
  const path = '/api/chat/connected-applications/revoke';
  await scene.person.calls('POST', path, { appId: scene.client.appId });
  assert.deepEqual(await scene.redirectParams(silent), consent, 'what was granted is over');
});

test('terms of the server are accepted before a consent, also one without a page', async () => {
  await using scene = await OpenIdScene.create();
  await scene.signsIn();
  const termsUrl = 'https://example.com/terms';
  scene.world.config.termsUrl = termsUrl;
  const url = scene.url();
  for (const asked of [url, `${url}&prompt=consent`]) {
    const { status, to } = await scene.visits(asked);
    assert.deepEqual(
      [status, to?.pathname, to?.searchParams.get('returnTo')],
      [303, '/sign-in/terms', asked],
    );
  }
  const { error } = await scene.redirectParams({ prompt: 'none' });
  assert.equal(error, 'interaction_required');
  await scene.person.calls('POST', '/api/auth/terms', { termsUrl });
  assert.equal((await scene.visits(url)).status, 200);
  assert.ok((await scene.redirectParams({ prompt: 'none' }))['code']);
});

test('prompt=login and max_age demand a sign-in once, and nothing in the address skips it', async () => {
  await using scene = await OpenIdScene.create();
  for (const change of [
    { prompt: 'login' },
    { max_age: '0' },
    { prompt: 'login consent', login_hint: 'a@b.c' },
  ]) {
    scene.world.clock.advance({ seconds: 1 });
    const { status, to } = await scene.visits(scene.url(change));
    assert.deepEqual([status, to?.pathname, to?.searchParams.get('again')], [303, '/sign-in', 'yes']);
    const form = await scene.visits(`${to?.pathname}${to?.search}`);
    assert.equal(form.status, 200, 'although somebody is signed in');
    assert.equal(to?.searchParams.get('email'), 'login_hint' in change ? 'a@b.c' : null);
    const back = to?.searchParams.get('returnTo') ?? '';
    assert.equal((await scene.visits(back)).to?.pathname, '/sign-in', 'not signed in since');
    scene.world.clock.advance({ seconds: 1 });
    await scene.signsInAgain();
    scene.world.clock.advance({ seconds: 1 });
    assert.equal((await scene.visits(back)).status, 200);
    assert.equal((await scene.visits(back.slice(0, -4))).to?.pathname, '/sign-in', 'changed');
    const [, demand] = /sign_in_demanded=(.*)$/.exec(back) ?? [];
    const moved = `${scene.url({ ...change, state: 'other' })}&sign_in_demanded=${demand}`;
    assert.equal((await scene.visits(moved)).to?.pathname, '/sign-in', 'of another request');
    scene.world.clock.advance({ hours: 1 });
    assert.equal((await scene.visits(back)).to?.pathname, '/sign-in', 'an hour later');
  }
  assert.equal((await scene.visits(scene.url({ max_age: '86400' }))).status, 200);
  assert.equal((await scene.visits(scene.url({ prompt: 'consent select_account' }))).status, 200);
});

test('unsupported or invalid parameters are reported to the application', async () => {
  await using scene = await OpenIdScene.create();
  const rows = [
    [{ request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    [{ request_uri: 'https://a.example/x' }, 'request_uri_not_supported'],
    [{ registration: '{}' }, 'registration_not_supported'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ prompt: 'sometimes' }, 'invalid_request'],
    [{ max_age: '-1' }, 'invalid_request'],
    [{ max_age: 'x' }, 'invalid_request'],
    [{ response_mode: 'form_post' }, 'invalid_request'],
    [{ nonce: 'x'.repeat(1025) }, 'invalid_request'],
    [{ id_token_hint: 'x' }, 'invalid_request'],
  ] as const;
  for (const [change, error] of rows) {
    const params = await scene.redirectParams({ ...change, state: 's' });
    assert.deepEqual(
      [params['error'], params['state'], params['iss']],
      [error, 's', ISS],
      JSON.stringify(change),
    );
    assert.match(params['error_description'] ?? '', /^[\x20-\x7e]+$/);
  }
  for (const change of [{ scope: 'openid phone' }, { response_type: 'id_token' }])
    assert.equal((await scene.visits(scene.url(change))).status, 400, JSON.stringify(change));
});

test('a hint is accepted only from this server and for this application, however old it is', async () => {
  await using scene = await OpenIdScene.create();
  const { world, client, person } = scene;
  const { id_token: own } = await scene.signsIn();
  const other = await world.person('Bob');
  const { body } = await client.exchanges(
    await scene.decides((await scene.visits(scene.url(), other.cookie)).page, other.cookie),
  );
  world.clock.advance({ hours: 2 });
  assert.equal((await scene.visits(scene.url({ id_token_hint: own }))).status, 200);
  const mismatch = await scene.redirectParams({ id_token_hint: body.id_token, prompt: 'none' });
  assert.equal(mismatch['error'], 'login_required');
  const { to } = await scene.visits(scene.url({ id_token_hint: body.id_token }));
  assert.equal(to?.pathname, '/sign-in', 'somebody else is meant');
  const back = await scene.visits(to?.searchParams.get('returnTo') ?? '');
  assert.equal(back.to?.searchParams.get('error'), 'login_required', 'and did not come');
  const claims = { sub: person.accountId, sid: 'x' };
  const sign = async (issuer: string) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(client.appId)
      .sign((await generateKeyPair('ES256')).privateKey);
  const forged = [
    new UnsecuredJWT(claims).setIssuer(ISS).setAudience(client.appId).encode(),
    await sign(ISS),
    await sign('https://evil.example'),
    `${own.split('.').slice(0, 2).join('.')}.`,
  ];
  for (const hint of forged) {
    assert.equal((await scene.redirectParams({ id_token_hint: hint }))['error'], 'invalid_request', hint);
  }
});

test('a page may post the request; with OpenID Connect switched off there is no such route', async () => {
  await using scene = await OpenIdScene.create();
  const { world } = scene;
  const post = (payload: string) =>
    world.app.inject({
      method: 'POST',
      url: '/oauth/authorize',
      headers: { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
      payload,
    });
  const [, query = ''] = scene.url({ nonce: 'a b' }).split('?');
  const { statusCode, headers } = await post(query);
  assert.deepEqual([statusCode, headers.location], [303, `/oauth/authorize?${query}`]);
  const stranger = await world.client();
  for (const clientId of [stranger.appId, 'x', '']) {
    const unknown = await post(`client_id=${clientId}`);
    assert.deepEqual([unknown.statusCode, unknown.json().code], [404, 'not-found']);
  }
});
