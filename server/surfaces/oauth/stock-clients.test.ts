import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as openid from 'openid-client';
import { REDIRECT_URI } from '#testing/oauth-client.ts';
import { switchOpenId } from '#testing/openid-scene.ts';
import { approve, stockClientScene } from '#testing/stock-client-scene.ts';

for (const prove of [openid.ClientSecretPost, openid.ClientSecretBasic]) {
  test(`openid-client with ${prove.name}: discovery, PKCE, exchange, userinfo, refresh, revoke`, async (t) => {
    const { issuer, client, person } = await stockClientScene(t);
    const config = await openid.discovery(issuer, client.appId, undefined, prove(client.secret), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const authorization = openid.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT_URI,
      scope: 'profile stories:read',
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const back = await approve(authorization, person);
    const tokens = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState });
    assert.ok(Math.abs((tokens.expiresIn() ?? 0) - 3600) <= 5, 'an hour, less what the way took');
    assert.equal(tokens.scope, 'profile stories:read');
    const info = await openid.fetchUserInfo(config, tokens.access_token, person.accountId);
    assert.deepEqual([info.sub, info.name], [person.accountId, 'Ada']);
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    const stories = await openid.fetchProtectedResource(
      config,
      refreshed.access_token,
      new URL('/v1/stories/mine', issuer),
      'GET',
    );
    assert.equal(stories.status, 200);
    await openid.tokenRevocation(config, refreshed.refresh_token ?? '');
    await assert.rejects(openid.refreshTokenGrant(config, refreshed.refresh_token ?? ''), {
      name: 'ResponseBodyError',
      error: 'invalid_grant',
      status: 401,
    });
    await assert.rejects(openid.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState }), {
      name: 'ResponseBodyError',
      error: 'invalid_grant',
      status: 400,
    });
  });
}

test('a stock client reads a denial', async (t) => {
  const { issuer, client, person } = await stockClientScene(t);
  const denied = await client.asks({ person, state: 's' }, false);
  const config = new openid.Configuration({ issuer: issuer.origin }, client.appId);
  await assert.rejects(openid.authorizationCodeGrant(config, denied, { expectedState: 's' }), {
    name: 'AuthorizationResponseError',
    error: 'access_denied',
  });
});

test('openid-client by OpenID Connect: discovery, nonce, max_age, ID tokens, userinfo, refresh, silence, logout', async (t) => {
  // The client checks tokens against the machine's clock.
  const { issuer, client, person } = await stockClientScene(t, { at: Date.now() });
  await switchOpenId(client, true);
  const bye = 'https://app.example.com/bye';
  const settings = `/api/console/applications/${client.appId}/openid`;
  await client.owner.calls('POST', `${settings}/post-logout-redirect-uris`, { postLogoutRedirectUri: bye });
  const config = await openid.discovery(issuer, client.appId, client.secret, undefined, {
    execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
  });
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
  const asked = {
    redirect_uri: REDIRECT_URI,
    scope: 'openid email profile',
    state: expectedState,
    nonce: expectedNonce,
    max_age: '3600',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  };
  const back = await approve(openid.buildAuthorizationUrl(config, asked), person);
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 3600, idTokenExpected: true };
  const tokens = await openid.authorizationCodeGrant(config, back, checks);
  assert.equal(tokens.claims()?.sub, person.accountId);
  const info = await openid.fetchUserInfo(config, tokens.access_token, person.accountId);
  assert.deepEqual([info.sub, info.name], [person.accountId, 'Ada']);
  const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
  assert.equal(refreshed.claims()?.sub, person.accountId);

  const silent = openid.buildAuthorizationUrl(config, { ...asked, prompt: 'none' });
  const browser = { headers: { cookie: person.cookie }, redirect: 'manual' } as const;
  const again = new URL((await fetch(silent, browser)).headers.get('location') ?? '');
  const second = await openid.authorizationCodeGrant(config, again, checks);
  assert.equal(second.claims()?.auth_time, tokens.claims()?.auth_time);

  const out = openid.buildEndSessionUrl(config, {
    id_token_hint: refreshed.id_token ?? '',
    post_logout_redirect_uri: bye,
    state: 'out',
  });
  const left = await fetch(out, browser);
  assert.deepEqual([left.status, left.headers.get('location')], [303, `${bye}?state=out`]);
  for (const { refresh_token } of [refreshed, second])
    await assert.rejects(openid.refreshTokenGrant(config, refresh_token ?? ''), { error: 'invalid_grant' });
});
