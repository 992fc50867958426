import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ACCOUNT } from '#contract/api/auth.ts';
import { CHAT } from '#contract/api/chat.ts';
import { APPLICATION, CONSOLE } from '#contract/api/console.ts';
import { OPERATE } from '#contract/api/operate.ts';
import { SIMULATOR } from '#contract/api/simulator.ts';
import type { Config } from '#platform/config.ts';
import { createApp } from '#platform/http/app.ts';
import { failure, readAnswer } from '#testing/answers.ts';
import { signUpPerson } from '#testing/people.ts';
import { createTestPlatform } from '#testing/platform.ts';
import { createWorld } from '#testing/world.ts';
import { composeFeatures } from '../../app.ts';
import { personOf, requirePerson } from './person.ts';
import { auth } from './surfaces.ts';

async function createTestApp(t: TestContext, config?: Partial<Config>) {
  const platform = await createTestPlatform(config);
  const app = createApp(platform);
  const deps = { ...platform, ...composeFeatures(platform) };
  app.register((routes) => auth(routes, deps), { prefix: '/api/auth' });
  app.register(async (routes) => {
    requirePerson(routes, deps);
    routes.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/whoami',
      handler: async (request) => ({ accountId: personOf(request).accountId }),
    });
  });
  t.after(async () => {
    await app.close();
    await platform[Symbol.asyncDispose]();
  });
  return { app, platform };
}

const FOREIGN = failure('permission-denied', 'this request comes from a page of another site');

test('without a session the answer is 401, without a challenge, before the body is read', async (t) => {
  const { app, platform } = await createTestApp(t);
  for (const cookie of [
    '',
    'parley_session=nonsense',
    `parley_session=${platform.newId('usr')}.${'A'.repeat(43)}`,
  ]) {
    const answer = await app.inject({
      method: 'POST',
      url: '/whoami',
      headers: { cookie, 'content-type': 'application/json' },
      payload: '{broken',
    });
    assert.equal(answer.statusCode, 401);
    assert.deepEqual(
      readAnswer(answer).body,
      failure('unauthenticated', 'there is no session, or it has ended: sign in'),
    );
    assert.equal(answer.headers['www-authenticate'], undefined);
    assert.equal(answer.headers['cache-control'], 'no-store');
  }
});

test('every endpoint for people requires a session, before the body is read, and no answer may be cached', async () => {
  await using world = await createWorld();
  for (const { prefix, endpoints } of [ACCOUNT, CHAT, CONSOLE, APPLICATION, OPERATE, SIMULATOR])
    for (const key of Object.keys(endpoints)) {
      const [method, path] = key.split(' ') as ['GET', string];
      const answer = await world.app.inject({ method, url: prefix + path, payload: '{malformed' });
      assert.deepEqual([answer.statusCode, answer.headers['cache-control']], [401, 'no-store'], prefix + key);
    }
});

test('mutations of foreign pages are refused, with a session or without', async (t) => {
  const { app } = await createTestApp(t, { publicUrl: 'http://chat.example.com' });
  const { cookie } = await signUpPerson(app);
  const cases: [allowed: boolean, headers: Record<string, string>][] = [
    [true, {}],
    [true, { 'sec-fetch-site': 'same-origin' }],
    [true, { 'sec-fetch-site': 'same-origin', origin: 'https://behind-a-proxy.example' }],
    [true, { 'sec-fetch-site': 'none' }],
    [true, { origin: 'http://chat.example.com' }],
    [true, { origin: 'http://localhost' }],
    [true, { origin: 'http://lan:3000', host: 'lan:3000' }],
    [false, { 'sec-fetch-site': 'same-site' }],
    [false, { 'sec-fetch-site': 'cross-site' }],
    [false, { 'sec-fetch-site': '' }],
    [false, { 'sec-fetch-site': 'cross-site', origin: 'http://chat.example.com' }],
    [false, { origin: 'null' }],
    [false, { origin: '' }],
    [false, { origin: 'https://chat.example.com' }],
    [false, { origin: 'http://chat.example.com.evil.example' }],
    [false, { origin: 'http://evil.example', 'x-forwarded-host': 'evil.example' }],
    [false, { origin: 'http://lan:3001', host: 'lan:3000' }],
    [false, { origin: 'https://lan:3000', host: 'lan:3000' }],
    [false, { origin: 'https://localhost' }],
  ];
  for (const [allowed, headers] of cases) {
    for (const method of ['POST', 'DELETE'] as const) {
      const answer = await app.inject({ method, url: '/whoami', headers: { cookie, ...headers } });
      assert.equal(answer.statusCode, allowed ? 200 : 403, JSON.stringify(headers));
      if (!allowed) assert.deepEqual(readAnswer(answer).body, FOREIGN);
    }
    const read = await app.inject({ url: '/whoami', headers: { cookie, ...headers } });
    assert.equal(read.statusCode, 200, JSON.stringify(headers));
  }
  for (const url of ['/api/auth/sign-up', '/api/auth/sign-in', '/api/auth/sign-out']) {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const answer = await app.inject({ method: 'POST', url, headers, payload: {} });
    assert.equal(answer.statusCode, 403);
    assert.deepEqual(readAnswer(answer).body, FOREIGN);
    assert.equal(answer.headers['cache-control'], 'no-store');
  }
});
