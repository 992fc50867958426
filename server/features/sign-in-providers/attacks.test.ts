import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenIdProvider } from '#testing/openid-provider.ts';
import { providerScene } from '#testing/provider-scene.ts';

const ADA = { sub: 'ada', name: 'Ada', email: 'ada@company.example', email_verified: true };
const BOB = { sub: 'bob', name: 'Bob', email: 'bob@company.example', email_verified: true };

test('answers that a provider has not given for this sign-in let nobody in', async (t) => {
  const { provider, signsIn, browser, whoIs } = await providerScene(t);
  const lies = {
    'another nonce': { nonce: 'other' },
    'no nonce': { nonce: undefined },
    'another issuer': { iss: 'https://evil.example' },
    'a token of another client': { aud: 'other' },
    'a token of several clients': { aud: ['parley', 'other'], azp: 'other' },
    'an expired token': { exp: 1 },
    'no subject': { sub: undefined },
  };
  for (const [name, lie] of Object.entries(lies)) {
    provider.misbehaves = { claims: (claims) => ({ ...claims, ...lie }) };
    const visitor = browser();
    assert.equal((await signsIn(visitor, ADA)).status, 401, name);
    assert.equal(await whoIs(visitor), undefined, name);
  }
  provider.misbehaves = { hasOtherKey: true };
  assert.equal((await signsIn(browser(), ADA)).status, 401, 'a key that is not the provider’s');
  provider.misbehaves = {};
  assert.equal((await signsIn(browser(), ADA)).status, 303);
});

test('a way back works once, in the browser that went, for the provider to which it went', async (t) => {
  const { world, provider, providerId, browser, leaves, whoIs } = await providerScene(t);
  const mallory = browser();
  const victim = browser();
  const forMallory = provider.grants(await leaves(mallory), ADA);
  assert.equal((await victim.opens(forMallory)).status, 401, 'login CSRF: the victim never went');
  await leaves(victim);
  assert.equal((await victim.opens(forMallory)).status, 401, 'the state is another browser’s');
  assert.equal(await whoIs(victim), undefined);

  const ada = browser();
  const back = provider.grants(await leaves(ada), ADA);
  assert.equal((await ada.opens(back)).status, 303);
  assert.equal((await ada.opens(back)).status, 401, 'the same address again');
  await leaves(ada);
  assert.equal((await ada.opens(back)).status, 401, 'the code again, after another departure');

  await using other = await OpenIdProvider.start();
  const added = await world.signInProviders.addProvider({ ...other.settings, name: 'Other' }, async () => {});
  const mixed = browser();
  const url = await leaves(mixed);
  const fromOther = new URL(other.grants(url, ADA));
  assert.equal((await mixed.opens(fromOther)).status, 401, 'the answer names another issuer (RFC 9207)');
  await leaves(mixed);
  fromOther.pathname = fromOther.pathname.replace(providerId, added.providerId);
  assert.equal((await mixed.opens(fromOther)).status, 401, 'the path is another provider’s');
  const bare = provider.grants(await leaves(mixed), ADA);
  bare.searchParams.delete('iss');
  assert.equal(
    (await mixed.opens(bare)).status,
    401,
    'the answer names no issuer, though the provider always does',
  );
  assert.equal(other.exchanges, 0, 'no code was sent to another provider');

  const slow = browser();
  const late = provider.grants(await leaves(slow), ADA);
  world.clock.advance({ minutes: 10 });
  assert.equal((await slow.opens(late)).status, 401);
  assert.equal(
    (await browser().opens(`/sign-in/providers/${providerId}/callback?error=access_denied`)).status,
    401,
  );
});

test('the account of A is reached by nobody who is B at a provider', async (t) => {
  const { world, provider, signsIn, browser, whoIs } = await providerScene(t, { findsByEmail: true });
  const ada = browser();
  await signsIn(ada, ADA);
  const accountId = await whoIs(ada);
  const claims = {
    'an address that is not confirmed': { ...BOB, email: ADA.email, email_verified: false },
    'an address confirmed as a text': { ...BOB, email: ADA.email, email_verified: 'true' },
    'an address that says nothing about it': { sub: 'bob', email: ADA.email },
    'the subject in other letters': { ...ADA, sub: 'ADA', email: 'x@company.example' },
    'the subject with a blank': { ...ADA, sub: 'ada ', email: 'y@company.example' },
  };
  for (const [name, given] of Object.entries(claims)) {
    const bob = browser();
    await signsIn(bob, given);
    assert.notEqual(await whoIs(bob), accountId, name);
  }
  const confirmed = browser();
  const { to } = await signsIn(confirmed, { ...BOB, email: ADA.email });
  assert.match(to ?? '', /^\/sign-in\?again=/);
  assert.equal(await whoIs(confirmed), undefined, 'a confirmed address alone signs nobody in');

  await using other = await OpenIdProvider.start();
  const added = await world.signInProviders.addProvider({ ...other.settings, name: 'Other' }, async () => {});
  const elsewhere = browser();
  const { url } = await elsewhere.gets('POST', `/api/auth/providers/${added.providerId}`, {});
  await elsewhere.opens(other.grants(url, { ...ADA, email: 'z@company.example' }));
  assert.notEqual(await whoIs(elsewhere), accountId, 'the same subject of another issuer');
  assert.ok(provider.exchanges > 0);
});

test('nobody connects an identity with an account of somebody else', async (t) => {
  const { world, provider, providerId, browser, signsIn, whoIs } = await providerScene(t);
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const [inAda, inBob] = [browser(ada.cookie), browser(bob.cookie)];
  const path = `/api/auth/identities/${providerId}`;
  const { url } = await inBob.gets('POST', path, {});
  const back = provider.grants(url, BOB);
  assert.equal((await inAda.opens(back)).status, 401, 'the way back of Bob, in Ada’s browser');
  assert.equal(
    (
      await world.app.inject({
        method: 'POST',
        url: path,
        payload: {},
        headers: { cookie: ada.cookie, 'sec-fetch-site': 'cross-site' },
      })
    ).statusCode,
    403,
    'a page of another site sends her there',
  );
  const { url: again } = await inBob.gets('POST', path, {});
  const exchanged = provider.grants(again, BOB);
  const stolen = browser(inBob.cookie.replace(/parley_session=[^;]*/, ada.cookie));
  assert.equal((await stolen.opens(exchanged)).status, 401, 'the session changed on the way');
  const { url: third } = await inBob.gets('POST', path, {});
  assert.equal((await inBob.opens(provider.grants(third, BOB))).status, 303);
  const { url: fourth } = await inAda.gets('POST', path, {});
  assert.equal((await inAda.opens(provider.grants(fourth, BOB))).status, 409, 'it is Bob’s');
  const visitor = browser();
  await signsIn(visitor, BOB);
  assert.equal(await whoIs(visitor), bob.accountId);
});

test('the way back leads to this server alone, and a session is a new one', async (t) => {
  const { signsIn, browser } = await providerScene(t);
  for (const returnTo of ['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example']) {
    const { to } = await signsIn(browser(), ADA, returnTo);
    assert.equal(to, '/', returnTo);
  }
  const fixed = browser();
  await signsIn(fixed, ADA);
  const before = fixed.cookie;
  await signsIn(fixed, ADA);
  assert.notEqual(fixed.cookie, before);
  const stale = browser(/parley_session=[^;]*/.exec(before)?.[0]);
  assert.equal((await stale.calls('GET', '/api/auth/session')).status, 401, 'the session before has ended');
});

test('a provider that hangs refuses after 10 s, and meanwhile hinders nobody else', async (t) => {
  const { world, provider, providerId, browser, leaves, signsIn } = await providerScene(t);
  await using slow = await OpenIdProvider.start();
  const hanging = await world.signInProviders.addProvider({ ...slow.settings, name: 'Slow' }, async () => {});
  slow.misbehaves = { hangs: true };
  const visits = await Promise.all(
    Array.from({ length: 70 }, async () => {
      const visitor = browser();
      const { url } = await visitor.gets('POST', `/api/auth/providers/${hanging.providerId}`, {});
      return { visitor, back: slow.grants(url, ADA) };
    }),
  );
  const began = performance.now();
  const waiting = visits.map(async ({ visitor, back }) => {
    const { status } = await visitor.opens(back);
    return { status, after: performance.now() - began };
  });
  assert.equal((await signsIn(browser(), ADA)).status, 303, 'at the other provider');
  await leaves(browser());
  const answers = await Promise.all(waiting);
  assert.ok(answers.every(({ status }) => status === 503));
  assert.equal(answers.filter(({ after }) => after < 8_000).length, 6, 'the rest is refused at once');
  assert.ok(answers.every(({ after }) => after < 15_000));
  assert.ok(provider.exchanges > 0 && providerId);
});
