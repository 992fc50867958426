import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { importPeople } from '#features/accounts/index.ts';
import { PASSWORD } from '#testing/account-scene.ts';
import { createConsentScene } from '#testing/consent-scene.ts';
import { textOf } from '#testing/html-page.ts';
import { providerScene } from '#testing/provider-scene.ts';

const ADA = { sub: 'ada', name: 'Ada Lovelace', email: 'ada@company.example', email_verified: true };

test('the first sign-in makes an account with the name, the second one finds it', async (t) => {
  const { world, signsIn, browser, whoIs } = await providerScene(t);
  const first = browser();
  const picture = 'https://company.example/ada.png';
  const arrived = await signsIn(first, { ...ADA, picture }, '/console?x=1');
  assert.deepEqual([arrived.status, arrived.to], [303, '/console?x=1']);
  const accountId = await whoIs(first);
  const profile = await first.gets('GET', '/api/auth/profile');
  assert.deepEqual(
    [profile.name, profile.email, profile.pictureUrl, typeof profile.emailConfirmedAt],
    [ADA.name, ADA.email, picture, 'number'],
  );

  const second = browser();
  await signsIn(second, { ...ADA, email: 'other@company.example', name: 'Somebody' });
  assert.equal(await whoIs(second), accountId, 'the issuer and the subject decide');
  assert.equal((await second.gets('GET', '/api/auth/profile')).name, ADA.name);
  const { identities, others, hasPassword } = await second.gets('GET', '/api/auth/identities');
  assert.deepEqual([identities.length, identities[0].isManaged, others, hasPassword], [1, true, [], false]);
  assert.equal((await world.db`select from accounts where not is_bot`).length, 1);
});

test('without accounts just in time, or for another domain, nobody new comes in', async (t) => {
  const closed = await providerScene(t, { createsAccounts: false });
  const refused = await closed.signsIn(closed.browser(), ADA);
  assert.deepEqual([refused.status, /nobody here is connected/.test(refused.text)], [403, true]);

  const { world, signsIn, browser } = await providerScene(t, { domains: ['company.example'] });
  const claims = {
    elsewhere: { ...ADA, email: 'ada@else.example' },
    unproven: { ...ADA, email_verified: false },
  };
  for (const [name, given] of Object.entries(claims)) {
    const { status, text } = await signsIn(browser(), given);
    assert.deepEqual(
      [status, /only people with a confirmed address of company.example/.test(text)],
      [403, true],
      name,
    );
  }
  assert.equal((await signsIn(browser(), ADA)).status, 303);
  assert.equal((await signsIn(browser(), { sub: 'nobody' })).status, 403, 'no address at all');
  assert.equal((await world.db`select from accounts where not is_bot`).length, 1);
});

test('if only providers make accounts, nobody signs up by themselves', async (t) => {
  const { world, signsIn, browser, whoIs } = await providerScene(t);
  world.config.signUps = { kind: 'provider' };
  const stranger = browser();
  assert.deepEqual(await stranger.gets('GET', '/api/auth/sign-up'), { policy: 'provider', sendsMail: false });
  const form = { email: ADA.email, password: PASSWORD, name: ADA.name };
  const { status, body } = await stranger.calls('POST', '/api/auth/sign-up', form);
  assert.deepEqual(
    [status, body.message],
    [403, 'accounts are made by signing in through your organisation'],
  );
  await signsIn(stranger, ADA);
  assert.notEqual(await whoIs(stranger), undefined);
});

test('whoever is asked for consent signs in through the provider, and is then asked', async (t) => {
  const { world, signsIn, browser } = await providerScene(t);
  const consent = await createConsentScene(world);
  const person = browser();
  const asked = consent.url({ state: 'a b&c' });
  const { to = '' } = await person.opens(asked);
  const { pathname, searchParams } = new URL(to, 'http://localhost');
  assert.equal(pathname, '/sign-in');
  const back = await signsIn(person, ADA, searchParams.get('returnTo') ?? '');
  assert.deepEqual([back.status, back.to], [303, asked]);
  const { status, text } = await person.opens(back.to ?? '');
  assert.deepEqual([status, /Weather Diary/.test(textOf(text))], [200, true]);
});

test('an existing account is connected in its settings, after another sign-in, and can be disconnected', async (t) => {
  const { world, provider, providerId, browser, whoIs, signsIn } = await providerScene(t);
  const person = await world.person('Ada');
  const ada = browser(person.cookie);
  const connect = async (claims: object) => {
    const { url } = await ada.gets('POST', `/api/auth/identities/${providerId}`, { returnTo: '/account' });
    assert.equal(new URL(url).searchParams.get('prompt'), 'login');
    return ada.opens(provider.grants(url, { ...claims }));
  };
  assert.deepEqual((await connect(ADA)).to, '/account');
  const elsewhere = browser();
  await signsIn(elsewhere, ADA);
  assert.equal(await whoIs(elsewhere), person.accountId);
  assert.equal((await connect({ sub: 'second' })).status, 409, 'one identity of a provider');

  const gone = await ada.calls('DELETE', `/api/auth/identities/${providerId}`);
  assert.equal(gone.reason, 'identity.last-means', 'the person of this test has no password');
  await world.db`update accounts set password_hash = 'x' where account_id = ${person.accountId}`;
  await ada.gets('DELETE', `/api/auth/identities/${providerId}`);
  assert.equal(await whoIs(elsewhere), undefined, 'sessions that began there end');
  assert.equal(await whoIs(ada), person.accountId);

  world.clock.advance({ minutes: 11 });
  const late = await ada.calls('POST', `/api/auth/identities/${providerId}`, {});
  assert.deepEqual([late.status, late.headers['x-confirm']], [403, 'sign-in']);
});

test('a passkey is not removed while it is the only way to sign in', async (t) => {
  const { world, provider, providerId, browser } = await providerScene(t);
  const person = await world.person('Ada');
  const ada = browser(person.cookie);
  const { url } = await ada.gets('POST', `/api/auth/identities/${providerId}`, { returnTo: '/account' });
  await ada.opens(provider.grants(url, { ...ADA }));
  await world.db`
    insert into passkeys (account_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
    values (${person.accountId}, 'key', '', 0, '{}', false, 'Laptop', 1)`;
  await ada.gets('DELETE', `/api/auth/identities/${providerId}`);
  const last = await ada.calls('DELETE', '/api/auth/passkeys/key');
  assert.deepEqual([last.status, last.reason], [400, 'identity.last-means']);
  assert.equal((await ada.gets('GET', '/api/auth/passkeys')).length, 1);
  await world.db`update accounts set password_hash = 'x' where account_id = ${person.accountId}`;
  await ada.gets('DELETE', '/api/auth/passkeys/key');
});

test('a confirmed address leads to the account that has it once its owner has signed in as before', async (t) => {
  const { provider, world, signsIn, browser, whoIs } = await providerScene(t, { findsByEmail: true });
  const owner = browser();
  const account = { email: ADA.email, password: PASSWORD, name: 'Ada' };
  const { account: made } = await owner.gets('POST', '/api/auth/sign-up', account);

  const unproven = await signsIn(browser(), { ...ADA, email_verified: false });
  assert.equal(unproven.status, 409, 'an address that is not confirmed leads nowhere');

  const later = browser();
  const { to = '' } = await signsIn(later, ADA, '/console');
  const asked = new URL(to, provider.issuer);
  assert.equal(asked.pathname, '/sign-in');
  assert.equal(asked.searchParams.get('email'), ADA.email);
  assert.equal(await whoIs(later), undefined, 'nobody is signed in yet');
  const connecting = asked.searchParams.get('returnTo') ?? '';
  assert.equal((await later.opens(connecting)).status, 401, 'not without the other sign-in');

  await signsIn(later, ADA, '/console');
  world.clock.advance({ seconds: 1 });
  await later.gets('POST', '/api/auth/sign-in', { email: ADA.email, password: PASSWORD });
  assert.equal((await later.opens(connecting)).to, '/console');
  const again = browser();
  await signsIn(again, ADA);
  assert.equal(await whoIs(again), made.accountId);
});

test('the second factor: the provider’s if it says so, this server’s otherwise', async (t) => {
  const { world, signsIn, browser, whoIs } = await providerScene(t, { needsSecondFactor: true });
  assert.match((await signsIn(browser(), ADA)).text, /requires a second factor/);
  assert.equal((await signsIn(browser(), { ...ADA, amr: ['pwd', 'otp'] })).status, 303);
  assert.equal((await signsIn(browser(), { ...ADA, acr: 'urn:parley:acr:2fa' })).status, 303);
  assert.equal((await signsIn(browser(), { ...ADA, amr: ['pwd', 'pin'] })).status, 403, 'both are known');
  const odd = { toString: 'no function' };
  assert.equal((await signsIn(browser(), { ...ADA, amr: ['pwd', odd] })).status, 403);

  const ada = browser();
  await signsIn(ada, { ...ADA, amr: ['mfa'] });
  const { secret } = await ada.gets('POST', '/api/auth/two-factor/enrol');
  const digits = () => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: world.clock.now() });
  await ada.gets('POST', '/api/auth/two-factor/confirm', { code: digits() });
  world.clock.advance({ seconds: 30 });

  const other = browser();
  const { to = '' } = await signsIn(other, ADA, '/console');
  assert.match(to, /^\/sign-in\?returnTo=%2Fconsole#code=/);
  assert.equal(await whoIs(other), undefined);
  const ticket = to.split('#code=')[1];
  assert.equal((await other.calls('POST', '/api/auth/sign-in/code', { ticket, code: '000000' })).status, 401);
  await other.gets('POST', '/api/auth/sign-in/code', { ticket, code: digits() });
  assert.equal(await whoIs(other), await whoIs(ada));
});

test('a recent sign-in is confirmed at the provider, which must have asked again', async (t) => {
  const { world, provider, providerId, signsIn, browser } = await providerScene(t);
  const seconds = () => Math.floor(world.clock.now() / 1000);
  const ada = browser();
  await signsIn(ada, { ...ADA, auth_time: seconds() - 3600 });
  const isRecent = async () =>
    (await ada.calls('POST', `/api/auth/identities/${providerId}`, {})).status === 200;
  assert.equal(await isRecent(), false, 'the person signed in there an hour ago');
  const confirm = async (claims: object) => {
    const { url } = await ada.gets('POST', `/api/auth/confirm/providers/${providerId}`, { returnTo: '/x' });
    const { max_age, prompt } = Object.fromEntries(new URL(url).searchParams);
    assert.deepEqual([max_age, prompt], ['0', 'login']);
    return ada.opens(provider.grants(url, { ...claims }));
  };
  assert.equal((await confirm({ ...ADA, auth_time: seconds() - 3600 })).status, 403, 'it did not ask again');
  assert.equal((await confirm(ADA)).status, 403, 'it does not say when');
  assert.equal((await confirm({ ...ADA, sub: 'bob', auth_time: seconds() })).status, 403, 'somebody else');
  assert.equal(await isRecent(), false);
  assert.equal((await confirm({ ...ADA, auth_time: seconds() })).to, '/x');
  assert.equal(await isRecent(), true);
  await signsIn(ada, { ...ADA, auth_time: seconds() + 3600 });
  world.clock.advance({ minutes: 11 });
  assert.equal(await isRecent(), false, 'its clock is ahead');
});

test('passwords off: no sign-in, sign-up or reset by password, for anybody', async (t) => {
  const { world, providerId, signsIn, browser } = await providerScene(t);
  const ada = browser();
  const account = { email: 'old@company.example', password: PASSWORD, name: 'Old' };
  await ada.gets('POST', '/api/auth/sign-up', account);
  await world.signInProviders.changeProvider(providerId, { passwordsOff: true }, async () => {});
  for (const [path, body] of [
    ['sign-in', { email: account.email, password: PASSWORD }],
    ['sign-up', { ...account, email: 'new@company.example' }],
    ['password/forgotten', { email: account.email, language: 'en' }],
  ] as const) {
    const { status, reason } = await ada.calls('POST', `/api/auth/${path}`, body);
    assert.deepEqual([status, reason], [403, 'sign-in.passwords-off'], path);
  }
  assert.equal((await ada.gets('GET', '/api/auth/providers')).takesPasswords, false);
  assert.equal((await signsIn(browser(), ADA)).status, 303);
});

test('what operators switch off ends a sign-in that has begun: passwords, a provider', async (t) => {
  const { world, providerId, signsIn, browser, whoIs } = await providerScene(t, { findsByEmail: true });
  const change = (settings: object) =>
    world.signInProviders.changeProvider(providerId, settings, async () => {});
  const ada = browser();
  const account = { email: 'old@company.example', password: PASSWORD, name: 'Old' };
  const { account: made } = await ada.gets('POST', '/api/auth/sign-up', account);
  const { secret } = await ada.gets('POST', '/api/auth/two-factor/enrol');
  const digits = () => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: world.clock.now() });
  await ada.gets('POST', '/api/auth/two-factor/confirm', { code: digits() });
  world.clock.advance({ seconds: 30 });

  const other = browser();
  const { secondFactor } = await other.gets('POST', '/api/auth/sign-in', account);
  const byCode = { ticket: secondFactor.ticket, code: digits() };
  const { link } = await world.accounts.operator.makeResetLink(made.accountId);
  const reset = { ticket: link.split('#')[1], newPassword: `${PASSWORD} 2` };
  await change({ passwordsOff: true });
  for (const [path, body] of [
    ['sign-in/code', byCode],
    ['password/reset', reset],
  ] as const) {
    const { status, reason } = await other.calls('POST', `/api/auth/${path}`, body);
    assert.deepEqual([status, reason], [403, 'sign-in.passwords-off'], path);
  }
  await change({ passwordsOff: false });
  await other.gets('POST', '/api/auth/sign-in/code', byCode);
  assert.equal(await whoIs(other), made.accountId);

  const claims = { ...ADA, email: account.email };
  const connecting = '/sign-in/providers/connect';
  await signsIn(other, claims);
  world.clock.advance({ seconds: 30 });
  const again = await other.gets('POST', '/api/auth/sign-in', account);
  await other.gets('POST', '/api/auth/sign-in/code', { ticket: again.secondFactor.ticket, code: digits() });
  assert.equal((await other.opens(connecting)).status, 303);
  world.clock.advance({ seconds: 30 });
  const last = browser();
  const { to = '' } = await signsIn(last, claims);
  const late = browser();
  await signsIn(late, { ...claims, sub: 'other' });
  await world.operators.perform('provider.removed', { providerId }, { reason: 'no longer used' });
  const ended = await last.calls('POST', '/api/auth/sign-in/code', {
    ticket: to.split('#code=')[1],
    code: digits(),
  });
  assert.deepEqual([ended.status, ended.reason], [401, 'sign-in.too-late']);
  const unproven = await late.gets('POST', '/api/auth/sign-in', account);
  await late.gets('POST', '/api/auth/sign-in/code', {
    ticket: unproven.secondFactor.ticket,
    code: digits(),
  });
  assert.equal((await late.opens(connecting)).status, 404);
});

test('a deleted account frees the identity, and a removed provider ends its sessions', async (t) => {
  const { world, providerId, signsIn, browser, whoIs } = await providerScene(t);
  const ada = browser();
  await signsIn(ada, ADA);
  const first = await whoIs(ada);
  await ada.gets('POST', '/api/auth/account/delete', { email: ADA.email });
  await signsIn(ada, ADA);
  assert.ok((await whoIs(ada)) && (await whoIs(ada)) !== first);
  await world.operators.perform('provider.removed', { providerId }, { reason: 'no longer used' });
  assert.equal(await whoIs(ada), undefined);
  assert.equal((await ada.calls('POST', `/api/auth/providers/${providerId}`, {})).status, 404);
});

test('an account that an import made, without any means of signing in, opens to whom the provider confirms', async (t) => {
  const { world, signsIn, browser, whoIs, providerId } = await providerScene(t);
  const accountId = world.newId('usr');
  const imported = { key: 'mattermost:ada', accountId, name: 'Ada', email: ADA.email };
  const left = {
    key: 'mattermost:bob',
    accountId: world.newId('usr'),
    name: 'Bob',
    email: 'bob@example.com',
  };
  const created = [
    { ...imported, suspensionReason: undefined },
    { ...left, suspensionReason: 'had left Mattermost' },
  ];
  await world.db.begin((tx) => importPeople(tx, { created, matched: [], at: world.clock.now() }));
  assert.equal((await signsIn(browser(), ADA)).status, 409, 'only if the operator says that addresses count');

  await world.signInProviders.changeProvider(providerId, { findsByEmail: true }, async () => {});
  assert.equal((await signsIn(browser(), { ...ADA, email_verified: false })).status, 409);
  const ada = browser();
  await signsIn(ada, ADA);
  assert.equal(await whoIs(ada), accountId);
  assert.equal(typeof (await ada.gets('GET', '/api/auth/profile')).emailConfirmedAt, 'number');
  const again = browser();
  await signsIn(again, { ...ADA, email: undefined });
  assert.equal(await whoIs(again), accountId, 'the subject is connected');

  const other = browser();
  const { to } = await signsIn(other, { ...ADA, sub: 'somebody else' });
  assert.match(to ?? '', /^\/sign-in\?/, 'there is a means now: its owner is asked');
  assert.equal(await whoIs(other), undefined);
  const gone = browser();
  await signsIn(gone, { sub: 'bob', email: left.email, email_verified: true });
  assert.equal(await whoIs(gone), undefined, 'who had left stays out');
});
