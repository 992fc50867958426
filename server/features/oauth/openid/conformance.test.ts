import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { decodeProtectedHeader, type JWTPayload } from 'jose';
import { REDIRECT_URI } from '#testing/oauth-client.ts';
import { OpenIdScene } from '#testing/openid-scene.ts';

/**
 * The plan "oidcc-basic-certification-test-plan" of the OpenID Foundation's conformance suite, module by
 * module: response type `code`, a static client authenticated by HTTP Basic. Each row states the module's
 * requirement; the last ones state the result where something is deliberately not offered
 * (docs/guide/openid.md).
 */
const PLAN: readonly [module: string, demands: string, check: () => Promise<void>][] = [
  ['oidcc-server', 'code, tokens, ID token and userinfo fit together', server],
  ['oidcc-response-type-missing', 'a page says that response_type is missing', responseTypeMissing],
  ['oidcc-userinfo-get', 'GET tells sub', () => userinfo('GET')],
  ['oidcc-userinfo-post-header', 'POST with the token in the header tells the same', () => userinfo('POST')],
  ['oidcc-ensure-request-without-nonce-succeeds-for-code-flow', 'no nonce is demanded', withoutNonce],
  ['oidcc-scope-profile', 'userinfo tells name and picture', () => scope('profile', ['name', 'picture'])],
  [
    'oidcc-scope-email',
    'userinfo tells a confirmed address',
    () => scope('email', ['email', 'email_verified']),
  ],
  ['oidcc-alternate-happy-flow', 'the order of scopes and parameters does not matter', alternateOrder],
  ['oidcc-display-page', 'display=page changes nothing', () => accepts({ display: 'page' })],
  ['oidcc-display-popup', 'display=popup changes nothing', () => accepts({ display: 'popup' })],
  ['oidcc-prompt-login', 'a second sign-in, later than the first', () => signsInTwice({ prompt: 'login' })],
  ['oidcc-prompt-none-not-logged-in', 'an error that a page would be needed', promptNoneSignedOut],
  ['oidcc-prompt-none-logged-in', 'the same sign-in again, without a page', () => silently({})],
  ['oidcc-max-age-1', 'a second sign-in after more than a second', () => signsInTwice({ max_age: '1' })],
  ['oidcc-max-age-10000', 'the same sign-in again; auth_time tells when', maxAge10000],
  [
    'oidcc-ensure-request-with-unknown-parameter-succeeds',
    'unknown parameters are ignored',
    () => accepts({ extra: 'foobar' }),
  ],
  ['oidcc-id-token-hint', 'the same sign-in again, for whom the hint names', idTokenHint],
  ['oidcc-login-hint', 'login_hint is accepted', () => accepts({ login_hint: 'buffy@example.com' })],
  ['oidcc-ui-locales', 'ui_locales is accepted', () => accepts({ ui_locales: 'se' })],
  ['oidcc-claims-locales', 'claims_locales is accepted', () => accepts({ claims_locales: 'se' })],
  ['oidcc-ensure-request-with-acr-values-succeeds', 'acr is one of those asked for', acrValues],
  ['oidcc-codereuse', 'a code works once', () => codeReuse({ seconds: 0 })],
  ['oidcc-codereuse-30seconds', 'used again, it takes the tokens along', () => codeReuse({ seconds: 30 })],
  ['oidcc-ensure-registered-redirect-uri', 'a page, and nobody is sent on', unknownRedirectUri],
  ['oidcc-ensure-post-request-succeeds', 'the request may be posted', postedRequest],
  ['oidcc-server-client-secret-post', 'client_secret_post proves the client', clientSecretPost],
  ['oidcc-refresh-token', 'new tokens of the same sign-in, for this client alone', refreshToken],
  ['oidcc-ensure-request-with-valid-pkce-succeeds', 'PKCE with S256', validPkce],
  // Passed by refusing.
  [
    'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported',
    'request_uri_not_supported',
    () => rejects({ request_uri: 'https://app.example.com/request.jwt' }, 'request_uri_not_supported'),
  ],
  [
    'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
    'request_not_supported',
    () => rejects({ request: UNSIGNED }, 'request_not_supported'),
  ],
  ['oidcc-ensure-request-object-with-redirect-uri', 'no way around the redirect URI', requestObjectRedirect],
  // Ends with a warning.
  ['oidcc-userinfo-post-body', 'a token in the body is refused', userinfoPostBody],
  ['oidcc-claims-essential', 'the claims parameter is accepted, and nothing more told', claimsEssential],
  // Skipped by the suite: modules for dynamically registered clients, for which it requires RS256; and
  // according to the discovery document.
  ['oidcc-idtoken-signature', 'the header names a published key, for ES256', idTokenSignature],
  [
    'oidcc-idtoken-unsigned',
    'none is no algorithm',
    () => discoveryLacks('id_token_signing_alg_values_supported', 'none'),
  ],
  ['oidcc-scope-address', 'no such scope', () => discoveryLacks('scopes_supported', 'address')],
  ['oidcc-scope-phone', 'no such scope', () => discoveryLacks('scopes_supported', 'phone')],
  ['oidcc-scope-all', 'no such scopes', () => discoveryLacks('scopes_supported', 'address')],
];

const ISSUER = 'http://localhost:3000';
const JSON_TYPE = 'application/json; charset=utf-8';
const UNSIGNED = 'eyJhbGciOiJub25lIn0.e30.';
let scene: OpenIdScene;

before(async () => {
  scene = await OpenIdScene.create();
  await scene.world.db`update accounts set email_confirmed_at = ${scene.world.clock.now()}`;
});
after(() => scene[Symbol.asyncDispose]());

for (const [module, demands, check] of PLAN) test(`${module}: ${demands}`, check);

test('oidcc-discovery-endpoint-verification: what the profile requires, except for RS256', async () => {
  const { statusCode, headers, ...answer } = await scene.world.app.inject(
    '/.well-known/openid-configuration',
  );
  assert.deepEqual([statusCode, headers['content-type']], [200, JSON_TYPE]);
  const found = answer.json();
  assert.equal(found.issuer, ISSUER);
  assert.deepEqual(found.response_types_supported, ['code']);
  assert.deepEqual(found.grant_types_supported, ['authorization_code', 'refresh_token']);
  assert.deepEqual(found.subject_types_supported, ['public']);
  assert.deepEqual(found.id_token_signing_alg_values_supported, ['ES256']);
  assert.deepEqual(found.code_challenge_methods_supported, ['S256']);
  assert.equal(found.scopes_supported.includes('openid'), true);
  assert.equal(found.claims_supported.includes('sub'), true);
  for (const name of ['claims_parameter', 'request_parameter', 'request_uri_parameter'])
    assert.equal(found[`${name}_supported`], false, name);
  for (const [name, value] of Object.entries(found))
    if (name.endsWith('_endpoint') || name === 'jwks_uri')
      assert.ok(String(value).startsWith(`${ISSUER}/oauth/`), name);
  const { keys } = (await scene.world.app.inject(new URL(found.jwks_uri).pathname)).json();
  for (const { d, kid, use, alg } of keys)
    assert.deepEqual([d, !!kid, use, alg], [undefined, true, 'sig', 'ES256']);
});

type Change = Record<string, string | undefined>;
type Tokens = { access_token: string; refresh_token: string; id_token: string };

/** Opens the page, approves, and returns the parameters of the redirect. */
async function approves(change: Change = {}): Promise<{ code: string; nonce: string }> {
  const state = randomBytes(16).toString('base64url');
  const nonce = randomBytes(16).toString('base64url');
  const { status, page } = await scene.visits(scene.url({ state, nonce, ...change }));
  assert.equal(status, 200, page);
  const { code = '', iss, ...rest } = Object.fromEntries(await scene.sentBack(page));
  assert.deepEqual([iss, rest], [ISSUER, { state }]);
  return { code, nonce };
}

async function exchanges(code: string, more: object = {}): Promise<Tokens> {
  const { client } = scene;
  const given = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...more };
  const { status, headers, body } = await client.posts('/oauth/token', given, {
    authorization: client.basic,
  });
  assert.deepEqual([status, headers['content-type']], [200, JSON_TYPE], JSON.stringify(body));
  assert.deepEqual([body.token_type, body.expires_in], ['Bearer', 3600]);
  return body;
}

/** Verifies an ID token as the suite does after every exchange. */
async function verified({ id_token, access_token }: Tokens, nonce?: string): Promise<JWTPayload> {
  const claims = await scene.claims(id_token);
  const now = Math.floor(scene.world.clock.now() / 1000);
  assert.deepEqual(
    [claims.iss, claims.sub, claims.aud, claims.iat, (claims.exp ?? 0) > now],
    [ISSUER, scene.person.accountId, scene.client.appId, now, true],
  );
  assert.equal(claims['nonce'], nonce);
  const half = hash('sha256', access_token, 'buffer').subarray(0, 16);
  assert.equal(claims['at_hash'], half.toString('base64url'));
  return claims;
}

async function tells({ access_token }: Tokens, method: 'GET' | 'POST' = 'GET') {
  const { status, headers, body } = await scene.client.calls(access_token, method, '/oauth/userinfo');
  assert.deepEqual([status, headers['content-type']], [200, JSON_TYPE]);
  assert.equal(body.sub, scene.person.accountId);
  return body;
}

/** The flow of most modules. */
async function signsIn(change: Change = {}): Promise<{ tokens: Tokens; claims: JWTPayload }> {
  const { code, nonce } = await approves(change);
  const tokens = await exchanges(code);
  const claims = await verified(tokens, 'nonce' in change ? change['nonce'] : nonce);
  await tells(tokens);
  return { tokens, claims };
}

async function accepts(change: Change): Promise<void> {
  await signsIn(change);
}

async function rejects(change: Change, error: string): Promise<void> {
  const params = await scene.redirectParams({ ...change, state: 's' });
  assert.deepEqual([params['error'], params['state'], params['iss']], [error, 's', ISSUER]);
}

async function server(): Promise<void> {
  const { code } = await approves();
  assert.ok(new Set(code).size > 8 && code.length >= 43, 'at least 128 bits that nobody guesses');
  const { claims } = await signsIn();
  for (const name of ['name', 'email', 'c_hash']) assert.equal(claims[name], undefined, name);
}

async function responseTypeMissing(): Promise<void> {
  const { status, page, to } = await scene.visits(scene.url({ response_type: undefined }));
  assert.deepEqual([status, to], [400, undefined]);
  assert.match(page, /response_type is missing/);
}

async function idTokenSignature(): Promise<void> {
  const { tokens } = await signsIn();
  const { alg, kid } = decodeProtectedHeader(tokens.id_token);
  const { keys } = (await scene.world.app.inject('/oauth/jwks')).json();
  assert.deepEqual([alg, keys.map((key: { kid: string }) => key.kid)], ['ES256', [kid]]);
}

async function userinfo(method: 'GET' | 'POST'): Promise<void> {
  const { tokens } = await signsIn({ scope: 'openid profile' });
  assert.deepEqual(Object.keys(await tells(tokens, method)), ['sub', 'name', 'picture']);
}

async function withoutNonce(): Promise<void> {
  await signsIn({ nonce: undefined });
}

async function scope(name: string, claims: readonly string[]): Promise<void> {
  const { tokens } = await signsIn({ scope: `openid ${name}` });
  assert.deepEqual(Object.keys(await tells(tokens)), ['sub', ...claims]);
}

async function alternateOrder(): Promise<void> {
  const url = new URL(scene.url({ scope: 'email openid' }), ISSUER);
  const reversed = new URLSearchParams([...url.searchParams].reverse());
  const { status, page } = await scene.visits(`${url.pathname}?${reversed}`);
  assert.equal(status, 200);
  const tokens = await exchanges(await scene.decides(page));
  assert.deepEqual(Object.keys(await tells(tokens)), ['sub', 'email', 'email_verified']);
}

/** Signs in, and again by a request for which the earlier sign-in is not sufficient. */
async function signsInTwice(change: Change): Promise<void> {
  const { claims: first } = await signsIn();
  scene.world.clock.advance({ seconds: 2 });
  const { status, to } = await scene.visits(scene.url(change));
  assert.deepEqual([status, to?.pathname], [303, '/sign-in']);
  await scene.signsInAgain();
  const { page } = await scene.visits(to?.searchParams.get('returnTo') ?? '');
  const second = await verified(await exchanges(await scene.decides(page)));
  assert.equal(second['auth_time'], Math.floor(scene.world.clock.now() / 1000));
  assert.ok(Number(second['auth_time']) > Number(first['auth_time']));
}

async function promptNoneSignedOut(): Promise<void> {
  const state = 'x'.repeat(128);
  const params = await scene.redirectParams({ prompt: 'none', state }, null);
  assert.deepEqual([params['error'], params['state'], params['iss']], ['login_required', state, ISSUER]);
}

/** Signs in, and again without a page: both ID tokens are of the same sign-in. */
async function silently(change: Change, hintFrom: (first: Tokens) => Change = () => ({})): Promise<void> {
  const { tokens, claims: first } = await signsIn(change);
  scene.world.clock.advance({ seconds: 1 });
  const { code = '', error } = await scene.redirectParams({
    prompt: 'none',
    nonce: 'second',
    ...hintFrom(tokens),
  });
  assert.equal(error, undefined);
  const second = await verified(await exchanges(code), 'second');
  assert.deepEqual([second.sub, second['auth_time']], [first.sub, first['auth_time']]);
}

function idTokenHint(): Promise<void> {
  return silently({}, ({ id_token }) => ({ id_token_hint: id_token }));
}

/** With a page, since Parley asks for consent every time, but without a sign-in. */
async function maxAge10000(): Promise<void> {
  const { claims: first } = await signsIn({ max_age: '15000' });
  scene.world.clock.advance({ seconds: 1 });
  const { claims: second } = await signsIn({ max_age: '10000' });
  assert.equal(typeof first['auth_time'], 'number');
  assert.equal(second['auth_time'], first['auth_time']);
}

async function acrValues(): Promise<void> {
  const { acr_values_supported: values } = (
    await scene.world.app.inject('/.well-known/openid-configuration')
  ).json();
  const { claims } = await signsIn({ acr_values: values.join(' ') });
  assert.ok(values.includes(claims['acr']));
}

async function codeReuse(wait: { seconds: number }): Promise<void> {
  const { code } = await approves();
  const tokens = await exchanges(code);
  scene.world.clock.advance(wait);
  const { status, body } = await scene.client.exchanges(code);
  assert.deepEqual([status, body.error], [400, 'invalid_grant']);
  assert.equal((await scene.client.calls(tokens.access_token, 'GET', '/oauth/userinfo')).status, 401);
}

async function unknownRedirectUri(): Promise<void> {
  const { status, to, page } = await scene.visits(scene.url({ redirect_uri: `${REDIRECT_URI}/x` }));
  assert.deepEqual([status, to], [400, undefined]);
  assert.match(page, /redirect_uri is not registered/);
}

/** Browsers do not send the cookie with a form of another site, so a GET with the same parameters follows. */
async function postedRequest(): Promise<void> {
  const [path, payload = ''] = scene.url({ state: 's' }).split('?');
  const answer = await scene.world.app.inject({
    method: 'POST',
    url: path ?? '',
    headers: { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
    payload,
  });
  assert.equal(answer.statusCode, 303);
  const { page } = await scene.visits(String(answer.headers.location));
  await verified(await exchanges(await scene.decides(page)));
}

async function clientSecretPost(): Promise<void> {
  const { code, nonce } = await approves();
  const { status, body } = await scene.client.exchanges(code);
  assert.equal(status, 200);
  await verified(body, nonce);
  await tells(body);
}

async function refreshToken(): Promise<void> {
  const { tokens, claims: first } = await signsIn();
  assert.match(tokens.refresh_token, /^[\x20-\x7e]+$/);
  const { status, body } = await scene.client.refreshes(tokens.refresh_token);
  assert.equal(status, 200);
  const second = await verified(body);
  for (const name of ['iss', 'sub', 'aud', 'auth_time']) assert.deepEqual(second[name], first[name], name);
  await tells(body);
  const other = await scene.world.client();
  const refused = await other.refreshes(body.refresh_token);
  assert.deepEqual([refused.status, refused.body.error], [401, 'invalid_grant']);
  await tells(body);
}

async function validPkce(): Promise<void> {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = hash('sha256', verifier, 'base64url');
  const { code, nonce } = await approves({ code_challenge: challenge, code_challenge_method: 'S256' });
  await verified(await exchanges(code, { code_verifier: verifier }), nonce);
}

async function requestObjectRedirect(): Promise<void> {
  const { status, to } = await scene.visits(
    scene.url({ request: UNSIGNED, redirect_uri: 'https://evil.example/' }),
  );
  assert.deepEqual([status, to], [400, undefined]);
}

async function userinfoPostBody(): Promise<void> {
  const { tokens } = await signsIn();
  const { statusCode, headers } = await scene.world.app.inject({
    method: 'POST',
    url: '/oauth/userinfo',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ access_token: tokens.access_token }).toString(),
  });
  assert.deepEqual([statusCode, headers['www-authenticate']], [401, 'Bearer realm="parley"']);
}

async function claimsEssential(): Promise<void> {
  const { tokens } = await signsIn({ claims: '{"userinfo":{"name":{"essential":true}}}' });
  assert.deepEqual(await tells(tokens), { sub: scene.person.accountId });
}

async function discoveryLacks(list: string, value: string): Promise<void> {
  const found = (await scene.world.app.inject('/.well-known/openid-configuration')).json();
  assert.equal(found[list].includes(value), false);
}
