import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Browser, createAccountScene, PASSWORD } from '#testing/account-scene.ts';
import { type Answer, denied, invalid, plain, precondition, refusal, success } from '#testing/answers.ts';
import { damage } from '#testing/damage.ts';
import { disableTwoFactor } from './two-factor.ts';

const WRONG_CODE = refusal(401, 'unauthenticated', 'the code is wrong');
const WRONG_CREDENTIALS = refusal(401, 'unauthenticated', 'email or password is wrong');
const ENDED = refusal(401, 'unauthenticated', 'the sign-in took too long or has ended: start over');

/** The first step, which must lead to the second one. */
async function begins(browser: Browser, email: string): Promise<string> {
  const { account, secondFactor } = await browser.gets('POST', '/sign-in', { email, password: PASSWORD });
  assert.equal(account, undefined);
  assert.equal(browser.cookie, undefined);
  return secondFactor.ticket;
}

/** The second step. */
function enters(browser: Browser, ticket: string, code: string | undefined): Promise<Answer> {
  return browser.calls('POST', '/sign-in/code', { ticket, code });
}

const signsIn = (browser: Browser, { email }: { email: string }) =>
  browser.calls('POST', '/sign-in', { email, password: PASSWORD });

test('two-factor sign-in is turned on, asks for a code after the password, and is turned off', async () => {
  await using scene = await createAccountScene({ serviceName: 'Chatty' });
  const { clock } = scene.world;
  const ada = await scene.holder();
  assert.deepEqual(await ada.gets('GET', '/two-factor'), { isOn: false, recoveryCodesLeft: 0 });
  const { secret, uri } = await ada.gets('POST', '/two-factor/enrol');
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.equal(
    uri,
    `otpauth://totp/Chatty:${encodeURIComponent(ada.email)}?issuer=Chatty&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  );
  // Until a code has been entered, none is required.
  const laptop = scene.stranger();
  assert.equal((await signsIn(laptop, ada)).status, 200);
  assert.deepEqual(await ada.gets('GET', '/two-factor'), { isOn: false, recoveryCodesLeft: 0 });
  assert.deepEqual(
    plain(await ada.calls('POST', '/two-factor/confirm', { code: '000000' })),
    denied('the code is wrong'),
  );
  const { recoveryCodes } = await ada.gets('POST', '/two-factor/confirm', { code: scene.digits(secret) });
  assert.equal(new Set(recoveryCodes).size, 10);
  for (const code of recoveryCodes) assert.match(code, /^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
  const enabledAt = clock.now();
  assert.deepEqual(await ada.gets('GET', '/two-factor'), { isOn: true, enabledAt, recoveryCodesLeft: 10 });
  assert.equal((await ada.calls('POST', '/two-factor/enrol')).status, 409);
  assert.equal((await laptop.calls('GET', '/session')).status, 401, 'it has not passed both factors');

  clock.advance({ seconds: 30 });
  const phone = scene.stranger();
  const ticket = await begins(phone, ada.email);
  const digits = scene.digits(secret);
  const answer = await enters(phone, ticket, ` ${digits.slice(0, 3)} ${digits.slice(3)}`);
  const account = { accountId: ada.accountId, name: 'Ada', email: ada.email };
  assert.deepEqual([answer.status, answer.body], [200, success('signed in', { account }, clock.now())]);
  assert.equal((await phone.calls('GET', '/session')).status, 200);

  assert.equal((await phone.calls('DELETE', '/two-factor')).status, 200);
  assert.deepEqual(await phone.gets('GET', '/two-factor'), { isOn: false, recoveryCodesLeft: 0 });
  assert.equal((await phone.calls('DELETE', '/two-factor')).status, 400);
  assert.equal((await signsIn(scene.stranger(), ada)).status, 200);
});

test('the secret is sealed, and recovery codes are kept as fingerprints', async () => {
  await using scene = await createAccountScene();
  const ada = await scene.holder();
  const { secret, recoveryCodes } = await scene.enrols(ada);
  const rows = await scene.world.db`
    select secret::text || (select string_agg(code_hash::text, '') from recovery_codes) as kept from two_factor_secrets`;
  const kept = String(rows[0]?.['kept']);
  const { Secret } = await import('otpauth');
  assert.ok(!kept.includes(Buffer.from(Secret.fromBase32(secret).bytes).toString('hex')));
  for (const code of recoveryCodes) assert.ok(!kept.includes(Buffer.from(code).toString('hex')));
});

test('a code is accepted once, within its time, and no earlier code after it', async () => {
  await using scene = await createAccountScene();
  const { clock } = scene.world;
  const ada = await scene.holder();
  const { secret } = await scene.enrols(ada);
  const phone = scene.stranger();
  const ticket = await begins(phone, ada.email);
  const tries = (code: string) => enters(phone, ticket, code);
  // The code that turned two-factor sign-in on is used up.
  assert.deepEqual(plain(await tries(scene.digits(secret))), WRONG_CODE);
  assert.deepEqual(plain(await tries(scene.digits(secret, -30))), WRONG_CODE);
  assert.deepEqual(plain(await tries(scene.digits(secret, 60))), WRONG_CODE);
  assert.deepEqual(plain(await tries('٠١٢٣٤٥')), WRONG_CODE);
  clock.advance({ minutes: 1 });
  const code = scene.digits(secret);
  const answers = await Promise.all(Array.from({ length: 5 }, () => tries(code)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  const next = scene.stranger();
  const nextTicket = await begins(next, ada.email);
  assert.deepEqual(plain(await enters(next, nextTicket, code)), WRONG_CODE);
  const earlier = scene.digits(secret, -30);
  assert.deepEqual(plain(await enters(next, nextTicket, earlier)), WRONG_CODE);
});

test('a recovery code signs in once; new ones replace the old', async () => {
  await using scene = await createAccountScene();
  const ada = await scene.holder();
  const { recoveryCodes } = await scene.enrols(ada);
  const [first, second] = recoveryCodes as [string, string];
  const phone = scene.stranger();
  const code = first.toUpperCase().replaceAll('-', ' ');
  assert.equal((await enters(phone, await begins(phone, ada.email), code)).status, 200);
  assert.equal((await ada.gets('GET', '/two-factor')).recoveryCodesLeft, 9);
  const other = scene.stranger();
  const ticket = await begins(other, ada.email);
  assert.deepEqual(plain(await enters(other, ticket, first)), WRONG_CODE);
  const renewed = (await ada.gets('POST', '/two-factor/recovery-codes')).recoveryCodes;
  assert.equal(renewed.length, 10);
  assert.deepEqual(plain(await enters(other, ticket, second)), WRONG_CODE);
  assert.equal((await enters(other, ticket, renewed[0])).status, 200);
  // Somebody else's codes are of no use.
  const bob = await scene.holder('Bob');
  await scene.enrols(bob);
  const forBob = scene.stranger();
  const bobsTicket = await begins(forBob, bob.email);
  assert.deepEqual(plain(await enters(forBob, bobsTicket, renewed[1])), WRONG_CODE);
});

test('without the right password nobody learns whether two-factor sign-in is on', async () => {
  await using scene = await createAccountScene();
  const ada = await scene.holder();
  const bob = await scene.holder('Bob');
  await scene.enrols(ada);
  for (const email of [ada.email, bob.email, 'nobody@example.com']) {
    const answer = await scene.stranger().calls('POST', '/sign-in', { email, password: 'wrong password' });
    assert.deepEqual(plain(answer), WRONG_CREDENTIALS);
  }
});

test('the second step expires after 10 minutes, once used, and when the password changes', async () => {
  await using scene = await createAccountScene();
  const { clock } = scene.world;
  const ada = await scene.holder();
  const { secret, recoveryCodes } = await scene.enrols(ada);
  const phone = scene.stranger();
  const tries = (ticket: string, code = scene.digits(secret)) => enters(scene.stranger(), ticket, code);
  const late = await begins(phone, ada.email);
  clock.advance({ minutes: 10 });
  assert.deepEqual(plain(await tries(late)), ENDED);
  const used = await begins(phone, ada.email);
  assert.equal((await tries(used)).status, 200);
  assert.deepEqual(plain(await tries(used, recoveryCodes[0])), ENDED);
  // This failure does not use up the code.
  assert.equal((await ada.gets('GET', '/two-factor')).recoveryCodesLeft, 10);
  const before = await begins(phone, ada.email);
  const change = { currentPassword: PASSWORD, newPassword: 'another password' };
  assert.equal((await ada.calls('POST', '/password', change)).status, 200);
  clock.advance({ seconds: 30 });
  assert.deepEqual(plain(await tries(before)), ENDED);
  for (const ticket of ['', 'x', '1.AAAA', `${used}x`]) assert.deepEqual(plain(await tries(ticket)), ENDED);
  // A challenge for a passkey does not count as a first step.
  const question = await scene.stranger().gets('POST', '/sign-in/passkey/options');
  assert.deepEqual(plain(await tries(question.ticket)), ENDED);
});

test('ten wrong codes block only their network from the second step, until 15 minutes after the first one', async () => {
  await using scene = await createAccountScene();
  const { clock } = scene.world;
  const ada = await scene.holder();
  const { secret } = await scene.enrols(ada);
  clock.advance({ seconds: 30 });
  const right = scene.digits(secret);
  const wrong = right === '123456' ? '123457' : '123456';
  for (let i = 0; i < 10; i++) {
    const phone = scene.stranger(`192.0.2.${i + 10}`);
    const ticket = await begins(phone, ada.email);
    assert.deepEqual(plain(await enters(phone, ticket, wrong)), WRONG_CODE);
  }
  const phone = scene.stranger('192.0.2.99');
  const ticket = await begins(phone, ada.email);
  const closed = await enters(phone, ticket, right);
  assert.deepEqual(plain(closed), refusal(429, 'RATE_LIMIT_EXCEEDED', 'too many wrong attempts'));
  assert.equal(closed.headers['retry-after'], '900');
  const elsewhere = scene.stranger('198.51.100.1');
  assert.equal((await enters(elsewhere, await begins(elsewhere, ada.email), right)).status, 200);
  clock.advance({ minutes: 15 });
  const later = scene.stranger('192.0.2.99');
  const again = await begins(later, ada.email);
  assert.equal((await enters(later, again, scene.digits(secret))).status, 200);
});

test('the operator turns off two-factor sign-in for a person who lost every factor', async () => {
  await using scene = await createAccountScene();
  const ada = await scene.holder();
  await scene.enrols(ada);
  const told: string[] = [];
  const disable = () =>
    disableTwoFactor(scene.world, ada.accountId, async () => void told.push('written with it'));
  await disable();
  const signIn = { email: ada.email, password: PASSWORD };
  assert.equal((await scene.stranger().gets('POST', '/sign-in', signIn)).account.accountId, ada.accountId);
  await assert.rejects(disable(), { message: 'two-factor sign-in is off' });
  assert.equal(told.length, 1);
});

test('turning two-factor sign-in on or off and new recovery codes require a recent sign-in; a code confirms it', async () => {
  await using scene = await createAccountScene();
  const { clock } = scene.world;
  const ada = await scene.holder();
  const bob = await scene.holder('Bob');
  const { secret } = await scene.enrols(ada);
  clock.advance({ minutes: 11 });
  const asking = [
    ['POST', '/two-factor/enrol', undefined],
    ['POST', '/two-factor/confirm', { code: '123456' }],
    ['POST', '/two-factor/recovery-codes', undefined],
    ['DELETE', '/two-factor', undefined],
  ] as const;
  for (const [method, path, body] of asking) {
    const answer = await ada.calls(method, path, body);
    assert.equal(answer.status, 403, path);
    assert.equal(answer.headers['x-confirm'], 'sign-in', path);
  }
  const wrong = denied('the code is wrong');
  assert.deepEqual(plain(await ada.calls('POST', '/confirm', { code: 'abc' })), wrong);
  assert.deepEqual(plain(await bob.calls('POST', '/confirm', { code: scene.digits(secret) })), wrong);
  const code = scene.digits(secret);
  assert.equal((await ada.calls('POST', '/confirm', { code })).status, 200);
  assert.deepEqual(plain(await ada.calls('POST', '/confirm', { code })), wrong);
  assert.equal((await ada.calls('POST', '/two-factor/recovery-codes')).status, 200);
  assert.deepEqual(
    plain(await ada.calls('POST', '/confirm', {})),
    invalid('body needs one of password, code and passkey'),
  );
  assert.deepEqual(plain(await bob.calls('POST', '/confirm', { password: PASSWORD })), {
    status: 200,
    body: success('sign-in confirmed', {}, clock.now()),
  });
  assert.deepEqual(
    plain(await bob.calls('POST', '/two-factor/recovery-codes')),
    precondition('two-factor sign-in is off'),
  );
  assert.deepEqual(
    plain(await bob.calls('POST', '/two-factor/confirm', { code: '123456' })),
    precondition('there is no two-factor sign-in to confirm: set it up first'),
  );
});

test('while the secret cannot be read, a recovery code still signs in, and a code is refused with the reason', async () => {
  await using scene = await createAccountScene();
  const ada = await scene.holder();
  const { secret, recoveryCodes } = await scene.enrols(ada);
  await damage(scene.world.db, { table: 'two_factor_secrets', column: 'secret' }, 'all');
  scene.world.clock.advance({ seconds: 30 });
  const phone = scene.stranger();
  const code = scene.digits(secret);
  assert.deepEqual(
    plain(await enters(phone, await begins(phone, ada.email), code)),
    precondition(
      'your codes can no longer be checked: use a recovery code, then set up two-factor sign-in again',
    ),
  );
  const ticket = await begins(phone, ada.email);
  assert.equal((await enters(phone, ticket, recoveryCodes[0])).status, 200);
  assert.equal((await phone.calls('DELETE', '/two-factor')).status, 200);
  await scene.enrols(phone);
});
