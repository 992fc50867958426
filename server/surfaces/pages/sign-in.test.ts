import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postForm, textOf } from '#testing/html-page.ts';
import { cookieOf } from '#testing/people.ts';
import { createWorld } from '#testing/world.ts';

test('sign-in and sign-up are not cached, cannot be framed, and keep the window that opened them', async () => {
  await using world = await createWorld();
  for (const path of ['/sign-in?returnTo=/c/x', '/sign-up']) {
    const { statusCode, headers, body } = await world.app.inject(path);
    assert.equal(statusCode, 200);
    assert.match(body, /<div id="root">/);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cross-origin-opener-policy'], 'unsafe-none');
    assert.equal(headers['x-frame-options'], 'DENY');
    assert.match(
      String(headers['content-security-policy']),
      /script-src 'self'; style-src 'self' 'nonce-[^;]*;.*frame-ancestors 'none'/,
    );
  }
});

test('a signed-in person is redirected at once, unless they are to sign in again', async () => {
  await using world = await createWorld();
  const { cookie } = await world.person();
  for (const path of ['/sign-in', '/sign-up']) {
    const answer = await world.app.inject({ url: `${path}?returnTo=%2Fchat%3Fx=1`, headers: { cookie } });
    assert.equal(answer.statusCode, 303);
    assert.equal(answer.headers.location, '/chat?x=1');
  }
  const again = await world.app.inject({ url: '/sign-in?returnTo=/c/x&again=yes', headers: { cookie } });
  assert.equal(again.statusCode, 200);
});

test('a person signs out and gets the sign-in page, which leads back', async () => {
  await using world = await createWorld();
  const { cookie } = await world.person();
  const signedOut = await postForm(world, '/sign-out', { returnTo: '/chat' }, { cookie });
  assert.equal(signedOut.statusCode, 303);
  assert.equal(signedOut.headers.location, '/sign-in?returnTo=%2Fchat');
  assert.match(cookieOf(signedOut), /^parley_session=$/);
  const session = await world.app.inject({ url: '/api/auth/session', headers: { cookie } });
  assert.equal(session.statusCode, 401);
});

test('the return path never leads to another origin', async () => {
  await using world = await createWorld();
  const { cookie } = await world.person();
  for (const returnTo of [
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    'javascript:alert(1)',
  ]) {
    const url = `/sign-in?returnTo=${encodeURIComponent(returnTo)}`;
    assert.equal((await world.app.inject({ url, headers: { cookie } })).headers.location, '/');
    assert.equal((await postForm(world, '/sign-out', { returnTo })).headers.location, '/sign-in');
  }
  const twice = await world.app.inject('/sign-in?returnTo=/a&returnTo=/b');
  assert.equal(twice.statusCode, 400);
  assert.match(textOf(twice.body), /returnTo is given more than once$/);
});

test('a page of another site signs nobody out', async () => {
  await using world = await createWorld();
  const { cookie } = await world.person();
  const answer = await postForm(
    world,
    '/sign-out',
    { returnTo: '/' },
    { 'sec-fetch-site': 'cross-site', cookie },
  );
  assert.equal(answer.statusCode, 403);
  assert.equal(answer.headers['set-cookie'], undefined);
  assert.equal(
    textOf(answer.body),
    'Request refused This form was sent by a page of another site, so nothing was changed. Go back and use our own page. ' +
      'Details for support: this request comes from a page of another site',
  );
  const session = await world.app.inject({ url: '/api/auth/session', headers: { cookie } });
  assert.equal(session.statusCode, 200);
});

test('bodies other than forms also get an error page', async () => {
  await using world = await createWorld();
  const broken = await world.app.inject({
    method: 'POST',
    url: '/language',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'language=de&language=en',
  });
  assert.equal(broken.statusCode, 400);
  assert.equal(
    textOf(broken.body),
    'Invalid request Nothing was changed. Go back and try again. ' +
      'Details for support: language is given more than once',
  );
  assert.equal((await world.app.inject({ method: 'POST', url: '/language' })).statusCode, 400);
  const json = await world.app.inject({ method: 'POST', url: '/language', payload: { language: 'de' } });
  assert.equal(json.statusCode, 415);
  assert.equal(json.headers['content-type'], 'text/html; charset=utf-8');
});
