import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import {
  ALL_SCOPES,
  assertErrorPage,
  CALLBACK,
  consentOf,
  consentScene,
  createConsentScene,
} from '#testing/consent-scene.ts';
import { fieldsOf, textOf } from '#testing/html-page.ts';
import { signUpPerson } from '#testing/people.ts';
import { createWorld } from '#testing/world.ts';
import { STYLE_SOURCE } from '../pages/style.ts';

test('the consent page shows the application, the scopes, and the redirect target', async (t) => {
  const scene = await consentScene(t);
  const url = scene.url({ scope: ALL_SCOPES, state: 'xyz' });
  const page = await scene.get(url, scene.person);
  assert.equal(page.statusCode, 200);
  assert.equal(
    textOf(page.body),
    'Let Weather Diary act for you? ' +
      `Signed in as Ada ${scene.person.accountId}@example.com Use another account ` +
      'If you approve, it can: ' +
      'See who you are Your user id, your name and your photo. Not your e-mail address. ' +
      'See your stories Only your own, not those of other people. ' +
      'Publish and delete your stories What it publishes appears under your name. ' +
      'Create polls and vote in them Under your name, in your groups and private chats. It can close the polls that you created. ' +
      'Manage your groups and write in them Under your name: create groups and broadcast lists, write in them and leave them; where you are administrator, also change or delete them, and add or remove people. ' +
      'Whether you approve or deny, your browser will go to diary.example.com . ' +
      'Approve only if you know this address and trust the application: nobody has checked its name. You can end its access at any time in the chat’s settings, under “Connected applications”. ' +
      'Deny Approve',
  );
  assert.deepEqual(fieldsOf(page.body, '/sign-out'), { returnTo: url });
  assert.deepEqual(
    [...page.body.matchAll(/<button[^>]*name="decision" value="(\w+)">(\w+)</g)].map(([, ...found]) => found),
    [
      ['deny', 'Deny'],
      ['approve', 'Approve'],
    ],
  );
});

test('pages are not cached, cannot be framed, run no scripts, and send no referrer', async () => {
  await using world = await createWorld();
  const scene = await createConsentScene(world);
  const policy = (targets: string) =>
    `default-src 'none'; style-src ${STYLE_SOURCE}; form-action 'self'${targets}; base-uri 'none'; frame-ancestors 'none'`;
  const pages: [LightMyRequestResponse, string][] = [
    [await scene.get(scene.url(), scene.person), policy(' https:')],
    [await scene.get(scene.url({ scope: '' }), scene.person), policy('')],
    [await scene.get(scene.url({ client_id: 'x' })), policy('')],
    [await scene.post({ consent: 'x', decision: 'deny' }), policy('')],
  ];
  for (const [{ headers, body }, wanted] of pages) {
    assert.equal(headers['content-security-policy'], wanted);
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.equal(headers['cross-origin-opener-policy'], 'unsafe-none');
    assert.match(String(headers['permissions-policy']), /\bcamera=\(\)/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['pragma'], 'no-cache');
    assert.equal(headers['access-control-allow-origin'], undefined);
    assert.doesNotMatch(body, /<script|javascript:|\son\w+=|\sstyle=/i);
  }
  const local = await createConsentScene(world, { redirectUri: 'http://localhost:4000/cb' });
  const page = await local.get(local.url(), local.person);
  assert.equal(page.headers['content-security-policy'], policy(' http://localhost:* https:'));
  assert.match(textOf(page.body), /your browser will go to localhost:4000 \./);
});

test('the application is checked first, then the redirect URI, then the rest; each error is a page, and none redirects', async (t) => {
  const scene = await consentScene(t);
  const wrong = { redirect_uri: 'https://evil.example.com/', response_type: 'token', scope: 'nonsense' };
  const unknown = 'there is no such application, or it is not active';
  const rows: [changes: Record<string, string | undefined>, status: number, fault: string][] = [
    [{ ...wrong, client_id: 'nonsense' }, 404, unknown],
    [{ ...wrong, client_id: '<script>' }, 404, unknown],
    [{ ...wrong, client_id: undefined }, 400, 'client_id is missing'],
    [wrong, 400, 'redirect_uri is not registered for this application'],
    [
      { ...wrong, redirect_uri: `${CALLBACK}"><script>alert(1)</script>` },
      400,
      'redirect_uri is not registered for this application',
    ],
    [{ ...wrong, redirect_uri: undefined }, 400, 'redirect_uri is missing'],
    [{ response_type: 'token' }, 400, 'response_type must be code'],
    [{ scope: '' }, 400, 'scope is missing'],
    [{ code_challenge: 'A'.repeat(43) }, 400, 'code_challenge_method must be S256'],
  ];
  for (const [changes, status, fault] of rows)
    for (const visitor of [undefined, scene.person]) {
      const answer = await scene.get(scene.url({ state: 'xyz', ...changes }), visitor);
      assertErrorPage(answer, status, fault, JSON.stringify(changes));
    }
});

test('a repeated parameter, or one that is not percent-encoded UTF-8, is 400', async (t) => {
  const scene = await consentScene(t);
  const url = scene.url({ state: 'a', code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' });
  assert.equal((await scene.get(url, scene.person)).statusCode, 200);
  for (const [name, value] of new URL(url, 'https://here.test').searchParams) {
    for (const again of [value, 'other', '']) {
      const answer = await scene.get(`${url}&${name}=${encodeURIComponent(again)}`, scene.person);
      assertErrorPage(answer, 400, `${name} is given more than once`);
    }
  }
  const broken = await scene.get(`${scene.url()}&state=%ff`, scene.person);
  assertErrorPage(broken, 400, 'state is not percent-encoded UTF-8');
  const nul = await scene.get(`${scene.url()}&state=a%00`, scene.person);
  assertErrorPage(nul, 400, 'state contains a NUL character');
});

test('a new person signs up on the way, and returns to the same request, byte for byte', async () => {
  await using world = await createWorld();
  const scene = await createConsentScene(world);
  const url = `${scene.url()}&state=a%2fb%2Fc+d%20%26%23%3C%22%2500`;
  const sentOn = await scene.get(url);
  assert.equal(sentOn.statusCode, 303);
  assert.equal(sentOn.headers['cache-control'], 'no-store');
  assert.equal(sentOn.headers['referrer-policy'], 'no-referrer');
  const signIn = new URL(String(sentOn.headers.location), 'https://here.test');
  assert.equal(signIn.pathname, '/sign-in');
  assert.equal(signIn.searchParams.get('returnTo'), url);
  const { cookie } = await signUpPerson(world.app, { name: 'Grace', email: 'grace@example.com' });
  const back = await world.app.inject({ url: signIn.pathname + signIn.search, headers: { cookie } });
  assert.equal(back.headers.location, url);
  const page = await world.app.inject({ url, headers: { cookie } });
  assert.match(textOf(page.body), /^Let Weather Diary act for you\? Signed in as Grace grace@example\.com/);
});

test('the page shows the scopes that were granted before', async () => {
  await using world = await createWorld();
  const scene = await createConsentScene(world);
  const first = await consentOf(scene, { scope: 'stories:read polls:write' });
  await scene.post({ consent: first, decision: 'approve' });
  const page = await scene.get(scene.url({ scope: 'stories:read profile profile' }), scene.person);
  assert.match(
    textOf(page.body),
    new RegExp(
      'If you approve, it can: See who you are Your user id.*?' +
        'See your stories Already granted Only your own, not those of other people\\. ' +
        'You granted this earlier, and it still applies: Create polls and vote in them Under your name',
    ),
  );
  const stranger = await world.person('Grace');
  const other = await scene.get(scene.url({ scope: 'stories:read' }), stranger);
  assert.doesNotMatch(textOf(other.body), /Already granted|earlier/);
});

test('deceptive names are made visible', async () => {
  await using world = await createWorld();
  const hostile = '\u202eknaB\u2066<img src=x onerror=alert(1)>"';
  const scene = await createConsentScene(world, { name: hostile });
  const { body } = await scene.get(scene.url(), scene.person);
  assert.match(
    body,
    /<h1>Let <bdi>knaB&lt;img src=x onerror=alert\(1\)&gt;&quot;<\/bdi> act for you\?<\/h1>/,
  );
  assert.match(
    body,
    /<title>Let knaB&lt;img src=x onerror=alert\(1\)&gt;&quot; act for you\? – Parley<\/title>/,
  );
  assert.doesNotMatch(body, /[\u202a-\u202e\u2066-\u2069]|<img/);
  const empty = await createConsentScene(world, { name: '\u202e\u3164\u200d' });
  assert.match(
    textOf((await empty.get(empty.url(), empty.person)).body),
    /^Let An unnamed application act for you\?/,
  );
});

test('the operator names the service', async () => {
  await using world = await createWorld({ serviceName: 'Chatterbox' });
  const scene = await createConsentScene(world);
  const { body } = await scene.get(scene.url({ scope: '' }));
  assert.match(body, /<title>Invalid request – Chatterbox<\/title>/);
});
