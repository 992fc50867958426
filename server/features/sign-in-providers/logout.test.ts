import assert from 'node:assert/strict';
import { test } from 'node:test';
import { providerScene } from '#testing/provider-scene.ts';

const ADA = { sub: 'ada', name: 'Ada', email: 'ada@company.example', email_verified: true };
const BOB = { sub: 'bob', name: 'Bob', email: 'bob@company.example', email_verified: true };
const NOW = () => Math.floor(Date.now() / 1000);

async function scene(t: Parameters<typeof providerScene>[0]) {
  const base = await providerScene(t);
  const { world, providerId } = base;
  const posts = async (token: string, to = providerId) => {
    const answer = await world.app.inject({
      method: 'POST',
      url: `/sign-in/providers/${to}/logout`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: token }).toString(),
    });
    assert.equal(answer.headers['cache-control'], 'no-store');
    return answer.statusCode;
  };
  return { ...base, posts };
}

test('a logout token ends the session that it names, or all that began at the provider', async (t) => {
  const { world, provider, browser, signsIn, whoIs, posts } = await scene(t);
  const [phone, desk, other] = [browser(), browser(), browser()];
  await signsIn(phone, { ...ADA, sid: 'phone' });
  await signsIn(desk, { ...ADA, sid: 'desk' });
  await signsIn(other, { ...BOB, sid: 'bob' });
  const accountId = (await whoIs(phone)) ?? '';
  const ended: unknown[] = [];
  t.after(world.live.subscribe(accountId, (event) => void ended.push(event.type)));

  assert.equal(await posts(await provider.signsOut({ sid: 'phone' })), 200);
  assert.deepEqual([await whoIs(phone), await whoIs(desk)], [undefined, accountId]);
  assert.deepEqual(ended, ['session.ended'], 'open streams learn of it');
  assert.equal(await posts(await provider.signsOut({ sub: 'bob', sid: 'desk' })), 200);
  assert.equal(await whoIs(desk), accountId, 'the session is not Bob’s');
  assert.equal(await posts(await provider.signsOut({ sub: 'ada' })), 200);
  assert.equal(await whoIs(desk), undefined);
  assert.ok(await whoIs(other));
  assert.equal(await posts(await provider.signsOut({ sub: 'nobody' })), 200);
});

test('every other token is refused, and ends nothing', async (t) => {
  const { provider, browser, signsIn, whoIs, posts } = await scene(t);
  const ada = browser();
  await signsIn(ada, { ...ADA, sid: 's' });
  const logout = 'http://schemas.openid.net/event/backchannel-logout';
  const wrong = {
    'an ID token': { nonce: 'n' },
    'no event': { events: {} },
    'another event': { events: { 'https://example.com/event': {} } },
    'an event that is no object': { events: { [logout]: 'yes' } },
    'no token id': { jti: undefined },
    'nobody named': { sub: undefined },
    'another issuer': { iss: 'https://evil.example' },
    'another client': { aud: 'other' },
    'too old': { iat: NOW() - 3600, exp: NOW() + 3600 },
    'from the future': { iat: NOW() + 3600, exp: NOW() + 7200 },
    expired: { exp: NOW() - 300 },
    'no time': { iat: undefined },
  };
  for (const [name, change] of Object.entries(wrong))
    assert.equal(await posts(await provider.signsOut({ sub: 'ada' }, change)), 400, name);
  const events = { [logout]: {} };
  const claims = { sub: 'ada', jti: 'x', events };
  assert.equal(await posts(await provider.sign(claims, { key: 'other' })), 400, 'another key');
  assert.equal(await posts(await provider.sign(claims, { typ: 'at+jwt' })), 400, 'another kind of token');
  const [, body = ''] = (await provider.sign(claims)).split('.');
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  assert.equal(await posts(`${none}.${body}.`), 400, 'no signature');
  assert.equal(await posts('x'), 400);
  assert.equal(await posts(await provider.signsOut({ sub: 'ada' }), `idp_${'0'.repeat(24)}`), 404);
  assert.ok(await whoIs(ada));

  const once = await provider.signsOut({ sub: 'ada' });
  assert.equal(await posts(once), 200);
  await signsIn(ada, ADA);
  assert.equal(await posts(once), 400, 'each is accepted once');
  assert.ok(await whoIs(ada));
});
