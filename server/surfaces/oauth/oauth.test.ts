import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { denied, plain, success } from '#testing/answers.ts';
import { REDIRECT_URI } from '#testing/oauth-client.ts';
import { rawRequest } from '#testing/raw-request.ts';
import { createWorldFor } from '#testing/world.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };

function refused(status: number, error: string, code: string, message: string) {
  return { status, body: { error, error_description: message, status: 'error', code, message } };
}
const badRequest = (message: string) => refused(400, 'invalid_request', 'invalid-argument', message);
const badClient = (message = 'client_id or client_secret is wrong') =>
  refused(401, 'invalid_client', 'unauthenticated', message);

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const client = await world.client();
  const person = await world.person();
  return { world, client, person };
}

test('a client authenticates in the body or with Basic, in a form or in JSON', async (t) => {
  const { client, person } = await scene(t);
  const grant = async () => ({
    grant_type: 'authorization_code',
    code: await client.code({ person }),
    redirect_uri: REDIRECT_URI,
  });
  const form = (fields: object) => new URLSearchParams(fields as Record<string, string>).toString();
  const basic = { authorization: client.basic };
  const ways = [
    await client.posts('/oauth/token', { ...(await grant()), ...client.credentials }),
    await client.posts('/oauth/token', form({ ...(await grant()), ...client.credentials }), FORM),
    await client.posts('/oauth/token', await grant(), basic),
    await client.posts('/oauth/token', form(await grant()), { ...FORM, ...basic }),
    await client.posts('/oauth/token', await grant(), {
      authorization: client.basic.replace('Basic', 'bASIC  '),
    }),
    await client.posts('/oauth/token', { ...(await grant()), client_id: client.appId }, basic),
  ];
  assert.deepEqual(
    ways.map(({ status }) => status),
    ways.map(() => 200),
  );
});

test('Basic credentials are form-encoded first, as RFC 6749 requires', async (t) => {
  const { client } = await scene(t);
  const encode = (text: string) => text.replaceAll('_', '%5F');
  const encoded = Buffer.from(`${encode(client.appId)}:${encode(client.secret)}`).toString('base64');
  const answer = await client.posts('/oauth/revoke', { token: 'x' }, { authorization: `Basic ${encoded}` });
  assert.equal(answer.status, 200);
});

test('two authentication methods at once are 400, and nothing is consumed', async (t) => {
  const { client, person } = await scene(t);
  const basic = { authorization: client.basic };
  const { refresh } = await client.tokens({ person });
  const body = { grant_type: 'refresh_token', refresh_token: refresh };
  assert.deepEqual(
    plain(await client.posts('/oauth/token', { ...body, ...client.credentials }, basic)),
    badRequest('client_secret must not be sent together with an Authorization header'),
  );
  assert.deepEqual(
    plain(await client.posts('/oauth/token', { ...body, client_id: 'app_other' }, basic)),
    badRequest('client_id differs from the one in the Authorization header'),
  );
  assert.equal((await client.refreshes(refresh)).status, 200);
});

test('failed client authentication is 401, and never consumes a code or a refresh token', async (t) => {
  const { world, client, person } = await scene(t);
  const other = await world.client();
  const code = await client.code({ person });
  const { refresh } = await client.tokens({ person });
  for (const wrong of [
    { client_secret: `${client.secret}0` },
    { client_secret: other.secret },
    { client_id: other.appId },
    { client_id: world.newId('app') },
    { client_id: 'x' },
    { client_id: '\u{1f600}' },
  ]) {
    assert.deepEqual(plain(await client.exchanges(code, wrong)), badClient());
    assert.deepEqual(plain(await client.refreshes(refresh, wrong)), badClient());
    assert.deepEqual(plain(await client.revokes(refresh, wrong)), badClient());
  }
  for (const prefix of ['xk_live_', 'whsec_', 'xat_'])
    assert.deepEqual(
      plain(await client.exchanges(code, { client_secret: `${prefix}1` })),
      badClient('client_secret is a secret of another kind: send the client secret, which begins with xcs_'),
    );
  assert.equal((await client.exchanges(code)).status, 200);
  assert.equal((await client.refreshes(refresh)).status, 200);
});

test('failed Basic authentication gets a challenge; a malformed header is 401', async (t) => {
  const { client } = await scene(t);
  const wrong = Buffer.from(`${client.appId}:wrong`).toString('base64');
  const answer = await client.posts('/oauth/revoke', { token: 'x' }, { authorization: `Basic ${wrong}` });
  assert.deepEqual(plain(answer), badClient());
  assert.equal(answer.headers['www-authenticate'], 'Basic realm="parley", charset="UTF-8"');
  assert.equal(
    (await client.revokes('x', { client_secret: 'wrong' })).headers['www-authenticate'],
    undefined,
  );
  const percent = Buffer.from('%zz:x').toString('base64');
  for (const authorization of [
    'Bearer x',
    'Basic',
    'Basic !',
    'Basic eA==',
    'Basic OmE=',
    `Basic ${percent}`,
  ]) {
    assert.deepEqual(
      plain(await client.posts('/oauth/revoke', { token: 'x' }, { authorization })),
      badClient('the Authorization header must be HTTP Basic'),
      authorization,
    );
  }
});

test('two Authorization headers are 400', async (t) => {
  const { world, client } = await scene(t);
  await world.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = world.app.server.address() as AddressInfo;
  const body = 'token=x';
  const answer = await rawRequest(`http://127.0.0.1:${port}`, [
    'POST /oauth/revoke HTTP/1.1',
    'Host: localhost',
    `Authorization: ${client.basic}`,
    `Authorization: ${client.basic}`,
    `Content-Type: ${FORM['content-type']}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
    '',
    body,
  ]);
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.match(
    answer,
    /"error":"invalid_request","error_description":"there is more than one Authorization header"/,
  );
});

test('missing fields are 400 naming them, before the client is authenticated', async (t) => {
  const { client } = await scene(t);
  const wrong = { client_id: 'x', client_secret: 'x' };
  const rows: [string, object, string][] = [
    ['/oauth/token', {}, 'grant_type is required'],
    ['/oauth/token', { ...wrong }, 'grant_type is required'],
    ['/oauth/token', { ...wrong, grant_type: '' }, 'grant_type is required'],
    ['/oauth/token', { ...wrong, grant_type: null }, 'grant_type is required'],
    ['/oauth/token', { ...wrong, grant_type: 'authorization_code', redirect_uri: 'x' }, 'code is required'],
    ['/oauth/token', { ...wrong, grant_type: 'authorization_code', code: 'x' }, 'redirect_uri is required'],
    ['/oauth/token', { ...wrong, grant_type: 'refresh_token' }, 'refresh_token is required'],
    ['/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x' }, 'client_id is required'],
    [
      '/oauth/token',
      { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'x' },
      'client_secret is required',
    ],
    ['/oauth/token', { ...wrong, grant_type: 1 }, 'grant_type must be of type string'],
    [
      '/oauth/token',
      { ...wrong, grant_type: 'refresh_token', refresh_token: ['x'] },
      'refresh_token must be of type string',
    ],
    ['/oauth/token', [], 'the body must be a form or a JSON object'],
    ['/oauth/revoke', { ...wrong }, 'token is required'],
    ['/oauth/revoke', { token: 'x', client_secret: 'x' }, 'client_id is required'],
    ['/oauth/revoke', { token: 'x', client_id: 'x' }, 'client_secret is required'],
  ];
  for (const [url, body, message] of rows) {
    assert.deepEqual(plain(await client.posts(url, body)), badRequest(message), message);
  }
  for (const grantType of ['password', 'client_credentials', 'REFRESH_TOKEN', 'toString']) {
    assert.deepEqual(
      plain(await client.posts('/oauth/token', { ...wrong, grant_type: grantType })),
      refused(
        400,
        'unsupported_grant_type',
        'invalid-argument',
        'grant_type must be authorization_code or refresh_token',
      ),
    );
  }
});

test('a disabled or suspended application is 400 unauthorized_client, and nothing is consumed; it may revoke', async (t) => {
  const { world, client, person } = await scene(t);
  const code = await client.code({ person });
  const { refresh, access } = await client.tokens({ person });
  const expectRefused = async (state: string) => {
    const expected = refused(
      400,
      'unauthorized_client',
      'failed-precondition',
      `the application is ${state}`,
    );
    assert.deepEqual(plain(await client.exchanges(code)), expected);
    assert.deepEqual(plain(await client.refreshes(refresh)), expected);
    assert.deepEqual(plain(await client.refreshes('x')), expected, 'the state comes before the grant');
    assert.deepEqual(plain(await client.calls(access)), denied(`the application is ${state}`));
  };
  await client.owner.disables(client);
  await expectRefused('disabled');
  await world.suspends(client);
  await expectRefused('suspended');
  await world.unsuspends(client);
  await client.owner.reactivates(client);
  assert.equal((await client.calls(access)).status, 200, 'kept');
  assert.equal((await client.exchanges(code)).status, 200);
  const { access_token: newest } = (await client.refreshes(refresh)).body;
  assert.equal((await client.calls(newest)).status, 200);
  await client.owner.disables(client);
  assert.equal((await client.revokes(newest)).status, 200);
  await client.owner.reactivates(client);
  assert.equal((await client.calls(newest)).status, 401);
});

test('repeated parameters, in a form and in JSON, are 400, under whatever encoding', async (t) => {
  const { client } = await scene(t);
  const repeated = (name: string) => badRequest(`${name} is given more than once`);
  for (const url of ['/oauth/token', '/oauth/revoke']) {
    assert.deepEqual(plain(await client.posts(url, 'x=1&%78=2', FORM)), repeated('x'));
    assert.deepEqual(plain(await client.posts(url, '{"x":"1","\\u0078":"1"}', JSON_TYPE)), repeated('x'));
  }
  // RFC 6749 allows only some characters in a description.
  const { body } = await client.posts('/oauth/token', '%22%5C%C3%A9=1&%22%5C%C3%A9=2', FORM);
  assert.equal(body.error_description, '??? is given more than once');
  assert.equal(body.message, '"\\é is given more than once');
});

test('bodies other than forms and JSON are refused with both error formats', async (t) => {
  const { client } = await scene(t);
  const rows: [string, Record<string, string>, number, string][] = [
    ['a=%zz', FORM, 400, 'a is not percent-encoded UTF-8'],
    ['a=%ff', FORM, 400, 'a is not percent-encoded UTF-8'],
    ['a=%00', FORM, 400, 'a contains a NUL character'],
    ['{', JSON_TYPE, 400, 'body is not valid JSON'],
    ['{"__proto__":1}', JSON_TYPE, 400, 'body is not valid JSON'],
    [
      'a=1',
      { 'content-type': `${FORM['content-type']}; charset=latin1` },
      415,
      `Content-Type must be ${FORM['content-type']} in UTF-8`,
    ],
    [
      'x',
      { 'content-type': 'multipart/form-data; boundary=x' },
      415,
      `Content-Type must be ${FORM['content-type']} or application/json in UTF-8`,
    ],
    [`a=${'x'.repeat(256 * 1024)}`, FORM, 413, 'body is too large'],
  ];
  for (const [payload, headers, status, message] of rows) {
    const answer = await client.posts('/oauth/token', payload, headers);
    assert.deepEqual(plain(answer), refused(status, 'invalid_request', 'invalid-argument', message));
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['pragma'], 'no-cache');
  }
});

test('no answer carries CORS headers, and a preflight is 404', async (t) => {
  const { world, client } = await scene(t);
  const origin = { origin: 'https://evil.example' };
  for (const url of ['/oauth/token', '/oauth/revoke']) {
    const answers = [
      await client.posts(url, {}, origin),
      await world.app.inject({
        method: 'OPTIONS',
        url,
        headers: { ...origin, 'access-control-request-method': 'POST' },
      }),
    ];
    for (const { headers } of answers) {
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith('access-control-')),
        [],
      );
    }
    assert.equal((await world.app.inject({ method: 'GET', url })).statusCode, 404);
  }
});

test('revoking is 200 for every token, and ends only families of the client itself', async (t) => {
  const { world, client, person } = await scene(t);
  const other = await world.client();
  const done = {
    status: 200,
    body: success('the token is revoked', { revoked: true }, world.clock.now()),
  };
  const { access, refresh } = await client.tokens({ person });
  const code = await client.code({ person });
  for (const token of ['x', code, `${access}0`, refresh.slice(0, -1), access.replace('xat_', 'xrt_')]) {
    assert.deepEqual(plain(await client.revokes(token)), done);
  }
  assert.deepEqual(plain(await other.revokes(access)), done);
  assert.deepEqual(plain(await other.revokes(refresh)), done);
  assert.equal((await client.calls(access)).status, 200);
  assert.deepEqual(plain(await client.revokes(refresh, { token_type_hint: 'access_token' })), done);
  assert.equal((await client.calls(access)).status, 401);
  assert.deepEqual(plain(await client.revokes(refresh)), done, 'again');
  assert.equal((await client.exchanges(code)).status, 200, 'another family');
});

test('an expired access token and an old refresh token end their family too', async (t) => {
  const { world, client, person } = await scene(t);
  const one = await client.tokens({ person });
  world.clock.advance({ hours: 2 });
  await client.revokes(one.access);
  assert.equal((await client.refreshes(one.refresh)).status, 401);
  const two = await client.tokens({ person });
  const rotated = await client.refreshes(two.refresh);
  await client.revokes(two.access);
  assert.equal((await client.calls(rotated.body.access_token)).status, 200, 'rotated away: nobody knows it');
  await client.revokes(two.refresh);
  assert.equal((await client.calls(rotated.body.access_token)).status, 401);
});

test('the metadata names the endpoints under the public address, whatever Host a request names', async (t) => {
  const world = await createWorldFor(t, { publicUrl: 'https://chat.example.com' });
  const answer = await world.app.inject({
    method: 'GET',
    url: '/.well-known/oauth-authorization-server',
    headers: { host: 'evil.example' },
  });
  const at = 'https://chat.example.com';
  assert.deepEqual(answer.json(), {
    issuer: at,
    authorization_endpoint: `${at}/oauth/authorize`,
    token_endpoint: `${at}/oauth/token`,
    userinfo_endpoint: `${at}/oauth/userinfo`,
    revocation_endpoint: `${at}/oauth/revoke`,
    scopes_supported: ['profile', 'stories:read', 'stories:write', 'polls:write', 'groups:manage'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
});
