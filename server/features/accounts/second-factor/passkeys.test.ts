import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountScene, type Browser, createAccountScene, PASSWORD } from '#testing/account-scene.ts';
import { denied, invalid, missing, plain, precondition, refusal, success } from '#testing/answers.ts';
import { Authenticator, type Deviations } from '#testing/authenticator.ts';
import { columnOf } from '#testing/columns.ts';

const NOT_ACCEPTED = refusal(401, 'unauthenticated', 'the passkey was not accepted; try again');
const NO_ANSWER = invalid('response is not a response to these options from a passkey for this site');

async function register(browser: Browser, authenticator: Authenticator, deviations: Deviations = {}) {
  const { ticket, options } = await browser.gets('POST', '/passkeys/options');
  const response = authenticator.create(options, deviations);
  return browser.calls('POST', '/passkeys', { ticket, name: 'Laptop', response });
}

async function signIn(browser: Browser, authenticator: Authenticator, deviations: Deviations = {}) {
  const { ticket, options } = await browser.gets('POST', '/sign-in/passkey/options');
  const body = { ticket, response: authenticator.get(options, deviations) };
  return { body, answer: await browser.calls('POST', '/sign-in/passkey', body) };
}

/** Ada, who has a passkey. */
async function createPasskeyScene(scene: AccountScene) {
  const ada = await scene.holder();
  const authenticator = new Authenticator();
  const added = await register(ada, authenticator);
  assert.equal(added.status, 201);
  return { ada, authenticator, passkey: added.body.data };
}

test('a passkey is created, named, used to sign in without a name, and removed', async () => {
  await using scene = await createAccountScene();
  const { clock } = scene.world;
  const { ada, authenticator, passkey } = await createPasskeyScene(scene);
  const { passkeyId } = passkey;
  assert.deepEqual(passkey, { passkeyId, name: 'Laptop', createdAt: clock.now(), isSynced: true });
  const renamed = await ada.gets('PATCH', `/passkeys/${passkeyId}`, { name: 'Old laptop' });
  assert.deepEqual(renamed, { ...passkey, name: 'Old laptop' });

  clock.advance({ minutes: 11 });
  const phone = scene.stranger();
  const { answer } = await signIn(phone, authenticator);
  const account = { accountId: ada.accountId, name: 'Ada', email: ada.email };
  assert.deepEqual([answer.status, answer.body], [200, success('signed in', { account }, clock.now())]);
  assert.deepEqual((await phone.gets('GET', '/session')).account, account);
  assert.deepEqual(await phone.gets('GET', '/passkeys'), [{ ...renamed, lastUsedAt: clock.now() }]);
  // The session from the password is too old for this; the one from the passkey is not.
  assert.equal((await ada.calls('DELETE', `/passkeys/${passkeyId}`)).status, 403);
  assert.equal((await phone.calls('DELETE', `/passkeys/${passkeyId}`)).status, 200);
  assert.deepEqual(await phone.gets('GET', '/passkeys'), []);
  assert.deepEqual(
    plain(await phone.calls('DELETE', `/passkeys/${passkeyId}`)),
    missing('you have no such passkey'),
  );
  assert.deepEqual(plain((await signIn(scene.stranger(), authenticator)).answer), NOT_ACCEPTED);
});

test('the options for the browser: this site, a discoverable passkey, user verification, no duplicate passkey', async () => {
  await using scene = await createAccountScene({ serviceName: 'Chatty' });
  const { ada, passkey } = await createPasskeyScene(scene);
  const { options, expiresAt } = await ada.gets('POST', '/passkeys/options');
  assert.equal(expiresAt, scene.world.clock.now() + 300_000);
  assert.deepEqual(options.rp, { name: 'Chatty', id: 'localhost' });
  assert.deepEqual(options.user, {
    id: Buffer.from(ada.accountId).toString('base64url'),
    name: ada.email,
    displayName: 'Ada',
  });
  assert.deepEqual(columnOf(options.excludeCredentials, 'id'), [passkey.passkeyId]);
  assert.equal(options.authenticatorSelection.residentKey, 'required');
  assert.equal(options.authenticatorSelection.userVerification, 'required');
  assert.equal(options.attestation, 'none');
  const asked = (await scene.stranger().gets('POST', '/sign-in/passkey/options')).options;
  assert.equal(asked.userVerification, 'required');
  assert.equal(asked.rpId, 'localhost');
  // A stranger cannot find out who has passkeys.
  assert.deepEqual(asked.allowCredentials, []);
});

test('a passkey is stored only from the right origin, for the right site, verified, and once per challenge', async () => {
  await using scene = await createAccountScene();
  const ada = await scene.holder();
  const authenticator = new Authenticator();
  const wrong: Deviations[] = [
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:8080' },
    { rpId: 'evil.example' },
    { challenge: Buffer.alloc(32).toString('base64url') },
    { type: 'webauthn.get' },
    { isVerified: false },
  ];
  for (const deviation of wrong) {
    assert.deepEqual(
      plain(await register(ada, authenticator, deviation)),
      NO_ANSWER,
      JSON.stringify(deviation),
    );
  }
  const { ticket, options } = await ada.gets('POST', '/passkeys/options');
  const body = { ticket, name: 'Laptop', response: authenticator.create(options) };
  const bob = await scene.holder('Bob');
  const foreign = invalid('ticket has expired or is for something else: request new options');
  assert.deepEqual(plain(await bob.calls('POST', '/passkeys', body)), foreign);
  assert.deepEqual(plain(await ada.calls('POST', '/passkeys', { ...body, ticket: 'x' })), foreign);
  const torn = {
    ...body,
    response: { ...body.response, response: { ...body.response.response, attestationObject: 'AA' } },
  };
  assert.deepEqual(plain(await ada.calls('POST', '/passkeys', torn)), NO_ANSWER);
  assert.equal((await ada.calls('POST', '/passkeys', body)).status, 201);
  assert.deepEqual(
    plain(await ada.calls('POST', '/passkeys', body)),
    invalid('ticket was already used: request new options'),
  );
  const late = await ada.gets('POST', '/passkeys/options');
  scene.world.clock.advance({ minutes: 5 });
  const response = authenticator.create(late.options);
  assert.deepEqual(
    plain(await ada.calls('POST', '/passkeys', { ticket: late.ticket, name: 'Late', response })),
    foreign,
  );
  scene.world.clock.advance({ minutes: 6 });
  assert.equal((await ada.calls('POST', '/passkeys/options')).status, 403);
  assert.equal((await ada.gets('GET', '/passkeys')).length, 1);
});

test('forged, replayed, late and cross-site responses do not sign in', async () => {
  await using scene = await createAccountScene();
  const { ada, authenticator } = await createPasskeyScene(scene);
  const bob = await scene.holder('Bob');
  const wrong: Deviations[] = [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { challenge: Buffer.alloc(32).toString('base64url') },
    { type: 'webauthn.create' },
    { isVerified: false },
    { userHandle: Buffer.from(bob.accountId).toString('base64url') },
    { userHandle: Buffer.from("' or 1=1").toString('base64url') },
    // The counter has been higher: this passkey was copied.
    { counter: 1 },
  ];
  for (const deviation of wrong) {
    const { answer } = await signIn(scene.stranger(), authenticator, deviation);
    assert.deepEqual(plain(answer), NOT_ACCEPTED, JSON.stringify(deviation));
    assert.equal(answer.headers['set-cookie'], undefined);
  }
  const { body, answer } = await signIn(scene.stranger(), authenticator);
  assert.equal(answer.status, 200);
  assert.deepEqual(plain(await scene.stranger().calls('POST', '/sign-in/passkey', body)), NOT_ACCEPTED);
  scene.world.clock.advance({ minutes: 15 });
  // A signature is valid for one challenge only.
  const other = await scene.stranger().gets('POST', '/sign-in/passkey/options');
  const crossed = { ...body, ticket: other.ticket };
  assert.deepEqual(plain(await scene.stranger().calls('POST', '/sign-in/passkey', crossed)), NOT_ACCEPTED);
  // A challenge for another purpose does not count either.
  const confirming = await ada.gets('POST', '/confirm/passkey/options');
  const misused = { ticket: confirming.ticket, response: authenticator.get(confirming.options) };
  assert.deepEqual(plain(await scene.stranger().calls('POST', '/sign-in/passkey', misused)), NOT_ACCEPTED);
  const late = await scene.stranger().gets('POST', '/sign-in/passkey/options');
  const response = authenticator.get(late.options);
  scene.world.clock.advance({ minutes: 5 });
  const tooLate = { ticket: late.ticket, response };
  assert.deepEqual(plain(await scene.stranger().calls('POST', '/sign-in/passkey', tooLate)), NOT_ACCEPTED);
});

test('of ten concurrent uses of one answer, one signs in', async () => {
  await using scene = await createAccountScene();
  const { authenticator } = await createPasskeyScene(scene);
  const { ticket, options } = await scene.stranger().gets('POST', '/sign-in/passkey/options');
  const body = { ticket, response: authenticator.get(options) };
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      scene.stranger(`192.0.2.${i + 10}`).calls('POST', '/sign-in/passkey', body),
    ),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test('a passkey confirms the identity only in the session that asked', async () => {
  await using scene = await createAccountScene();
  const { ada, authenticator } = await createPasskeyScene(scene);
  scene.world.clock.advance({ minutes: 11 });
  assert.equal((await ada.calls('POST', '/passkeys/options')).status, 403);
  const bob = await scene.holder('Bob');
  assert.deepEqual(
    plain(await bob.calls('POST', '/confirm/passkey/options')),
    precondition('you have no passkey'),
  );
  const { ticket, options } = await ada.gets('POST', '/confirm/passkey/options');
  const passkey = { ticket, response: authenticator.get(options) };
  const refused = denied('the passkey was not accepted; try again');
  assert.deepEqual(plain(await bob.calls('POST', '/confirm', { passkey })), refused);
  assert.equal((await ada.calls('POST', '/confirm', { passkey })).status, 200);
  assert.deepEqual(plain(await ada.calls('POST', '/confirm', { passkey })), refused);
  assert.equal((await ada.calls('POST', '/passkeys/options')).status, 200);
  assert.deepEqual(
    plain(await ada.calls('POST', '/confirm', { passkey, password: PASSWORD })),
    invalid('body needs one of password, code and passkey'),
  );
});

test('a person has at most 20 passkeys, and no access to those of others', async () => {
  await using scene = await createAccountScene();
  const { ada, authenticator, passkey } = await createPasskeyScene(scene);
  for (let i = 1; i < 20; i++) assert.equal((await register(ada, new Authenticator())).status, 201);
  assert.deepEqual(
    plain(await register(ada, authenticator)),
    refusal(429, 'resource-exhausted', 'a person can have at most 20 passkeys; remove one first'),
  );
  const bob = await scene.holder('Bob');
  const path = `/passkeys/${passkey.passkeyId}`;
  assert.equal((await bob.calls('PATCH', path, { name: 'Mine' })).status, 404);
  assert.equal((await bob.calls('DELETE', path)).status, 404);
  assert.equal((await scene.stranger().calls('GET', '/passkeys')).status, 401);
});

test('passkeys are for the site of PUBLIC_URL; where browsers do not support them, the answer says so', async () => {
  await using scene = await createAccountScene({ publicUrl: 'https://chat.example.com' });
  const asked = await scene.stranger().gets('POST', '/sign-in/passkey/options');
  assert.equal(asked.options.rpId, 'chat.example.com');
  const ada = await scene.holder();
  const authenticator = new Authenticator('https://chat.example.com');
  assert.equal((await register(ada, authenticator)).status, 201);
  assert.deepEqual(plain(await register(ada, authenticator, { origin: 'http://localhost' })), NO_ANSWER);
  await using bare = await createAccountScene({ publicUrl: 'http://chat.example.com' });
  assert.deepEqual(
    plain(await bare.stranger().calls('POST', '/sign-in/passkey/options')),
    precondition('passkeys work only at the address of this server: over https, or at http://localhost'),
  );
});
