import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ALL_SCOPES,
  assertErrorPage,
  CALLBACK,
  consentOf,
  consentScene,
  createConsentScene,
  FORM,
} from '#testing/consent-scene.ts';
import { textOf } from '#testing/html-page.ts';
import { createWorld } from '#testing/world.ts';

/** The issuer (RFC 9207). */
const ISS = 'iss=http%3A%2F%2Flocalhost%3A3000';

test('denied: the application is notified, and nothing is granted', async (t) => {
  const scene = await consentScene(t);
  const consent = await consentOf(scene, { state: 'xyz' });
  const answer = await scene.post({ consent, decision: 'deny' });
  assert.equal(answer.statusCode, 303);
  assert.equal(answer.headers.location, `${CALLBACK}?error=access_denied&state=xyz&${ISS}`);
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.equal(answer.headers['pragma'], 'no-cache');
  assert.equal(answer.headers['referrer-policy'], 'no-referrer');
  assert.equal(answer.body, '');
  assert.equal(await scene.grants(), 0);
  const stateless = await scene.post({ consent: await consentOf(scene), decision: 'deny' });
  assert.equal(stateless.headers.location, `${CALLBACK}?error=access_denied&${ISS}`);
});

test('approved: the application gets a code, after the query that its redirect URI has', async () => {
  await using world = await createWorld();
  const scene = await createConsentScene(world, { redirectUri: `${CALLBACK}?tenant=a%20b&x` });
  const consent = await consentOf(scene, { state: 'xyz' });
  const answer = await scene.post({ consent, decision: 'approve' });
  assert.equal(answer.statusCode, 303);
  const [, code = ''] =
    /^https:\/\/diary\.example\.com\/callback\?tenant=a%20b&x&code=(\w+)&state=xyz&iss=http%3A%2F%2Flocalhost%3A3000$/.exec(
      String(answer.headers.location),
    ) ?? [];
  assert.ok(code.length >= 40);
  const rows = await world.db`select app_id, account_id, scopes from grants`;
  assert.deepEqual(
    { ...rows[0] },
    {
      appId: scene.appId,
      accountId: scene.person.accountId,
      scopes: ['profile'],
    },
  );
});

test('a state of 2 kB comes back unchanged, whatever its content', async (t) => {
  const scene = await consentScene(t);
  for (const part of ['&#"<%00é', '🦊+ %20\r\n', "';--</script>"]) {
    const state = part.repeat(Math.ceil(2048 / part.length));
    for (const decision of ['approve', 'deny']) {
      const { headers } = await scene.post({ consent: await consentOf(scene, { state }), decision });
      assert.equal(new URL(String(headers.location)).searchParams.get('state'), state);
    }
  }
  const empty = await scene.post({ consent: await consentOf(scene, { state: '' }), decision: 'deny' });
  assert.equal(empty.headers.location, `${CALLBACK}?error=access_denied&state=&${ISS}`);
});

test('tampered fields change nothing, and nobody can decide for another person', async () => {
  await using world = await createWorld();
  const scene = await createConsentScene(world);
  const consent = await consentOf(scene, { state: 'xyz' });
  const changed = 'this consent form is for somebody else, or was altered';
  for (const tampered of ['', `${consent}A`, consent.slice(0, -4)])
    assertErrorPage(await scene.post({ consent: tampered, decision: 'approve' }), 400, changed, tampered);
  const stranger = await world.person('Mallory');
  assertErrorPage(await scene.post({ consent, decision: 'approve' }, stranger), 400, changed);
  for (const decision of ['yes', '', 'Approve']) {
    const fault = 'decision must be one of: approve, deny';
    assertErrorPage(await scene.post({ consent, decision }), 400, fault);
  }
  assertErrorPage(await scene.post({ consent }), 400, 'decision is required');
  assertErrorPage(await scene.post({ decision: 'approve' }), 400, 'consent is required');
  assert.equal(await scene.grants(), 0);
  const extra = {
    redirect_uri: 'https://evil.example.com/',
    client_id: 'x',
    scope: ALL_SCOPES,
    state: 'other',
    returnTo: 'https://evil.example.com/',
  };
  const answer = await scene.post({ consent, decision: 'approve', ...extra });
  assert.match(
    String(answer.headers.location),
    /^https:\/\/diary\.example\.com\/callback\?code=\w+&state=xyz&iss=http%3A%2F%2Flocalhost%3A3000$/,
  );
  const [grant] = await world.db`select scopes from grants`;
  assert.deepEqual(grant?.['scopes'], ['profile']);
});

test('a page of another site cannot decide', async (t) => {
  const scene = await consentScene(t);
  const consent = await consentOf(scene);
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example.com' },
    { origin: 'null' },
  ]) {
    const answer = await scene.post({ consent, decision: 'approve' }, scene.person, headers);
    assertErrorPage(answer, 403, 'this request comes from a page of another site');
  }
  assert.equal(await scene.grants(), 0);
  assert.equal((await scene.post({ consent, decision: 'approve' })).statusCode, 303);
});

test('no decision after a sign-out, or after the consent page has expired', async () => {
  await using world = await createWorld();
  const scene = await createConsentScene(world);
  const consent = await consentOf(scene);
  world.clock.advance({ hours: 1 });
  assertErrorPage(await scene.post({ consent, decision: 'approve' }), 400, 'this consent form has expired');
  const fresh = await consentOf(scene);
  await scene.person.calls('POST', '/api/auth/sign-out', {});
  const answer = await scene.post({ consent: fresh, decision: 'approve' });
  assert.equal(answer.statusCode, 401);
  assert.equal(
    textOf(answer.body),
    'You are no longer signed in Nothing was granted. Go back to the application and start over.',
  );
  assert.equal(await scene.grants(), 0);
});

test('only forms are accepted', async () => {
  await using world = await createWorld();
  const { person } = await createConsentScene(world);
  for (const type of [
    'application/json',
    'multipart/form-data; boundary=x',
    'text/plain',
    `${FORM}; charset=latin1`,
  ]) {
    const answer = await world.app.inject({
      method: 'POST',
      url: '/oauth/consent',
      headers: { cookie: person.cookie, 'content-type': type },
      payload: '{}',
    });
    assert.equal(answer.statusCode, 415, type);
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  }
});
