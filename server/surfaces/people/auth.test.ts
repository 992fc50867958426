import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { replaceEmail } from '#features/accounts/email.ts';
import { addPerson } from '#features/accounts/joining.ts';
import { resetPassword } from '#features/accounts/sign-in/passwords.ts';
import type { Config } from '#platform/config.ts';
import type { App } from '#platform/http/app.ts';
import type { LiveEvent } from '#platform/live.ts';
import { failure, readAnswer, success } from '#testing/answers.ts';
import { type MailServer, startMailServer } from '#testing/mail-server.ts';
import { cookieOf, signUpPerson } from '#testing/people.ts';
import { eventually } from '#testing/waits.ts';
import { createWorldFor } from '#testing/world.ts';

const WRONG = failure('unauthenticated', 'email or password is wrong');
const LEAKED = 'password is on lists of leaked passwords: choose another one';
const NO_SESSION = failure('unauthenticated', 'there is no session, or it has ended: sign in');

async function createTestApp(t: TestContext, config?: Partial<Config>) {
  const world = await createWorldFor(t, config);
  return { app: world.app, platform: world };
}

/** The device cookie. */
function deviceOf({ headers }: { headers: Record<string, unknown> }): string {
  return String([headers['set-cookie']].flat()[1]);
}

interface Call {
  cookie?: string;
  address?: string;
  userAgent?: string;
}

function post(app: App, path: string, payload: object, { cookie, address, userAgent }: Call = {}) {
  return app.inject({
    method: 'POST',
    url: `/api/auth${path}`,
    payload,
    headers: { ...(cookie && { cookie }), ...(userAgent && { 'user-agent': userAgent }) },
    ...(address && { remoteAddress: address }),
  });
}

function get(app: App, path: string, cookie: string) {
  return app.inject({ url: `/api/auth${path}`, headers: { cookie } });
}

test('a person signs up, is signed in, signs out, and signs in again', async (t) => {
  const { app, platform } = await createTestApp(t);
  const timestamp = platform.clock.now();
  const given = { email: ' Ada@Example.com ', password: 'correct horse battery', name: 'Ada 🦊' };
  const signedUp = await post(app, '/sign-up', given);
  const accountId = signedUp.json().data.account.accountId;
  const account = { accountId, name: 'Ada 🦊', email: 'Ada@Example.com' };
  assert.equal(signedUp.statusCode, 201);
  assert.deepEqual(readAnswer(signedUp).body, success('account created', { account }, timestamp));
  assert.match(accountId, /^usr_[0-9a-z]{24}$/);
  assert.match(
    String([signedUp.headers['set-cookie']].flat()[0]),
    /^parley_session=usr_[0-9a-z]{24}\.[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const cookie = cookieOf(signedUp);
  const session = await get(app, '/session', cookie);
  assert.equal(session.statusCode, 200);
  assert.deepEqual(readAnswer(session).body, success('you are signed in', { account }, timestamp));

  const signedOut = await post(app, '/sign-out', {}, { cookie });
  assert.equal(signedOut.statusCode, 200);
  assert.deepEqual(readAnswer(signedOut).body, success('signed out', {}, timestamp));
  assert.match(String(signedOut.headers['set-cookie']), /^parley_session=; Max-Age=0;/);
  assert.deepEqual(readAnswer(await get(app, '/session', cookie)).body, NO_SESSION);
  assert.equal((await post(app, '/sign-out', {}, { cookie })).statusCode, 200);

  const signedIn = await post(app, '/sign-in', { email: 'aDA@example.COM', password: given.password });
  assert.equal(signedIn.statusCode, 200);
  assert.deepEqual(readAnswer(signedIn).body, success('signed in', { account }, timestamp));
  assert.notEqual(cookieOf(signedIn), cookie);
  assert.equal((await get(app, '/session', cookieOf(signedIn))).statusCode, 200);
  for (const answer of [signedUp, session, signedOut, signedIn]) {
    assert.equal(answer.headers['cache-control'], 'no-store');
  }
});

test('of 30 concurrent sign-ups with one address, one gets the account', async (t) => {
  const { app, platform } = await createTestApp(t, { signUpsPerHour: 30 });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      post(app, '/sign-up', {
        email: i % 2 ? 'ada@example.com' : 'ADA@example.com',
        password: 'correct horse battery',
        name: `Ada ${i}`,
      }),
    ),
  );
  assert.equal(answers.filter(({ statusCode }) => statusCode === 201).length, 1);
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 201)) {
    assert.equal(answer.statusCode, 409);
    assert.equal(answer.headers['set-cookie'], undefined);
    assert.deepEqual(readAnswer(answer).body, failure('already-exists', 'email already has an account'));
  }
  const [rows] = await platform.db`
    select (select count(*) from accounts) as accounts, (select count(*) from sessions) as sessions`;
  assert.deepEqual({ ...rows }, { accounts: 1, sessions: 1 });
});

test('fields of a sign-up are checked on both sides of their limits', async (t) => {
  const { app } = await createTestApp(t);
  const good = { email: 'ada@example.com', password: 'correct horse', name: 'Ada' };
  const refused: [Record<string, unknown>, string][] = [
    [{ password: '1234567' }, 'password must have at least 8 characters'],
    [{ password: '🦊'.repeat(7) }, 'password must have at least 8 characters'],
    [{ password: 'x'.repeat(129) }, 'password must have at most 128 characters'],
    [{ password: 12345678 }, 'password must be of type string'],
    [{ password: '12345678' }, LEAKED],
    [{ password: 'PassWord' }, LEAKED],
    [{ name: '' }, 'name must have at least 1 character'],
    [{ name: ' \t ' }, 'name must not be blank'],
    [{ name: '\u3164' }, 'name must not be blank'],
    [{ name: '🦊'.repeat(65) }, 'name must have at most 64 characters'],
    [{ email: `${'a'.repeat(243)}@example.com` }, 'email must have at most 254 characters'],
    [{ email: 'ada' }, 'email must be an e-mail address'],
    [{ email: '@example.com' }, 'email must be an e-mail address'],
    [{ email: 'ada@' }, 'email must be an e-mail address'],
    [{ email: 'a@b@c' }, 'email must be an e-mail address'],
    [{ email: 'ada lovelace@example.com' }, 'email must be an e-mail address'],
    [{ email: 'ada@example.com\u0007' }, 'email must be an e-mail address'],
    [{ email: undefined }, 'email is required'],
  ];
  for (const [change, message] of refused) {
    const answer = await post(app, '/sign-up', { ...good, ...change });
    assert.deepEqual(readAnswer(answer).body, failure('invalid-argument', message));
    assert.equal(answer.statusCode, 400);
  }
  const accepted: Record<string, string>[] = [
    { email: 'one@example.com', password: '12345679x' },
    { email: 'two@example.com', password: '🦊'.repeat(128), name: '🦊'.repeat(64) },
    { email: `${'a'.repeat(242)}@example.com` },
  ];
  for (const change of accepted) {
    assert.equal((await post(app, '/sign-up', { ...good, ...change })).statusCode, 201);
  }
  const long = await post(app, '/sign-in', { email: 'two@example.com', password: '🦊'.repeat(128) });
  assert.equal(long.statusCode, 200);
});

test('an unknown address and a wrong password get the same answer', async (t) => {
  const { app } = await createTestApp(t);
  const { email } = await signUpPerson(app);
  for (const given of [
    { email, password: 'not the password' },
    { email, password: '' },
    { email: 'nobody@example.com', password: 'not the password' },
  ]) {
    const answer = await post(app, '/sign-in', given);
    assert.equal(answer.statusCode, 401);
    assert.deepEqual(readAnswer(answer).body, WRONG);
    assert.equal(answer.headers['set-cookie'], undefined);
    assert.equal(answer.headers['www-authenticate'], undefined);
  }
});

test('wrong passwords block a network from an account, whether or not it exists, even with the right password', async (t) => {
  const { app } = await createTestApp(t);
  const { email, password, cookie } = await signUpPerson(app);
  for (const tried of [email, 'nobody@example.com']) {
    for (let i = 0; i < 10; i++) {
      const address = `192.0.2.${i}`;
      const answer = await post(app, '/sign-in', { email: tried, password: 'wrong' }, { address });
      assert.deepEqual(readAnswer(answer).body, WRONG);
    }
    const given = { email: tried.toUpperCase(), password };
    const answer = await post(app, '/sign-in', given, { address: '192.0.2.99' });
    assert.equal(answer.statusCode, 429);
    assert.equal(answer.headers['retry-after'], '900');
    assert.deepEqual(readAnswer(answer).body, failure('RATE_LIMIT_EXCEEDED', 'too many wrong attempts'));
  }
  const elsewhere = { address: '198.51.100.1' };
  assert.equal((await post(app, '/sign-in', { email, password }, elsewhere)).statusCode, 200);
  // The signed-in owner is not locked out of actions that require the password again.
  const confirmed = await post(app, '/confirm', { password }, { cookie, address: '192.0.2.99' });
  assert.equal(confirmed.statusCode, 200);
});

test('a device that signed in before is not blocked by a stranger’s guesses, until its cookie is revoked', async (t) => {
  const { app, platform } = await createTestApp(t);
  const { email, password, ...ada } = await signUpPerson(app);
  const bob = await signUpPerson(app);
  const signIn = (given: object, cookie?: string) =>
    post(app, '/sign-in', { email, password, ...given }, { address: '192.0.2.1', ...(cookie && { cookie }) });
  const first = await signIn({});
  const device = deviceOf(first);
  assert.match(
    device,
    new RegExp(
      `^parley_device_${ada.accountId}=1\\.[\\w-]+; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax$`,
    ),
  );
  const mark = device.split(';', 1)[0] as string;
  for (let i = 0; i < 10; i++) assert.equal((await signIn({ password: 'wrong' })).statusCode, 401);
  assert.equal((await signIn({})).statusCode, 429);
  assert.equal((await signIn({}, mark)).statusCode, 200);
  const ofBob = deviceOf(await post(app, '/sign-in', bob, { address: '198.51.100.1' }));
  const renamed = ofBob.split(';', 1)[0]?.replace(bob.accountId, ada.accountId);
  const tampered = `${mark.slice(0, -1)}${mark.endsWith('A') ? 'B' : 'A'}`;
  for (const cookie of [renamed, tampered]) assert.equal((await signIn({}, cookie)).statusCode, 429);

  await post(app, '/sign-out', {}, { cookie: cookieOf(first) });
  assert.equal((await signIn({}, mark)).statusCode, 200, 'signing out leaves the device known');
  const cookie = cookieOf(await signIn({}, mark));
  assert.equal((await post(app, '/sign-out-everywhere', {}, { cookie })).statusCode, 200);
  assert.equal((await signIn({}, mark)).statusCode, 429);

  platform.clock.advance({ minutes: 15 });
  const again = await signIn({});
  const change = { currentPassword: password, newPassword: 'another horse' };
  const changed = await post(app, '/password', change, { cookie: cookieOf(again) });
  for (let i = 0; i < 10; i++) await signIn({ password: 'wrong' });
  const [old = '', fresh = ''] = [again, changed].map((answer) => deviceOf(answer).split(';', 1)[0]);
  assert.equal((await signIn({ password: 'another horse' }, old)).statusCode, 429);
  assert.equal((await signIn({ password: 'another horse' }, fresh)).statusCode, 200);
});

test('sign-ups of one network are limited', async (t) => {
  const { app } = await createTestApp(t, { signUpsPerHour: 1 });
  const one = { email: 'one@example.com', password: 'correct horse', name: 'One' };
  const two = { ...one, email: 'two@example.com' };
  assert.equal((await post(app, '/sign-up', one, { address: '192.0.2.1' })).statusCode, 201);
  const answer = await post(app, '/sign-up', two, { address: '192.0.2.2' });
  assert.equal(answer.statusCode, 429);
  assert.equal(answer.headers['retry-after'], '3600');
  assert.deepEqual(readAnswer(answer).body, failure('RATE_LIMIT_EXCEEDED', 'too many sign-ups'));
  assert.equal((await post(app, '/sign-up', two, { address: '198.51.100.1' })).statusCode, 201);
});

test('addresses that differ in blanks, brackets, case or the final dot of the domain are one account', async (t) => {
  const { app } = await createTestApp(t, { signUpsPerHour: 100 });
  const ada = { email: '<Ada@Example.com.>', password: 'correct horse', name: 'Ada' };
  const made = await post(app, '/sign-up', ada);
  assert.deepEqual([made.statusCode, made.json().data.account.email], [201, 'Ada@Example.com']);
  const spellings = [
    'ada@example.com',
    ' ada@example.com ',
    '<ada@example.com>',
    'ADA@example.com.',
    'ada@example.com\u200b',
  ];
  for (const email of spellings) {
    assert.equal((await post(app, '/sign-up', { ...ada, email })).statusCode, 409, email);
    assert.equal((await post(app, '/sign-in', { ...ada, email })).statusCode, 200, email);
  }
  for (const email of [
    '<ada@example.com',
    'ada@example.com>',
    'ada@example.com..',
    'a<d>a@example.com',
    'ada@.',
  ])
    assert.equal((await post(app, '/sign-up', { ...ada, email })).statusCode, 400, email);
});

test('an account of version 0.2 whose address has brackets signs in, gets a plain address, and is deleted whole', async (t) => {
  const { app, platform } = await createTestApp(t);
  const { db } = platform;
  const names = async () =>
    (await db<{ value: string }[]>`select value from unique_names where kind = 'email' order by value`).map(
      ({ value }) => value,
    );
  /** As that version stored it. */
  const signUpEarlier = async (email: string) => {
    const { accountId, password } = await signUpPerson(app, {
      email: `now-${email.replaceAll(/[<>]/g, '')}`,
    });
    await db`delete from unique_names where kind = 'email' and owner_id = ${accountId}`;
    const value = email.toLowerCase();
    await db`insert into unique_names (value, kind, owner_id) values (${value}, 'email', ${accountId})`;
    await db`update accounts set email = ${email} where account_id = ${accountId}`;
    const answer = await post(app, '/sign-in', { email, password });
    assert.deepEqual([answer.statusCode, answer.json().data?.account.accountId], [200, accountId]);
    return { email, password, cookie: cookieOf(answer) };
  };
  const ada = await signUpEarlier('<Ada@Example.com>');
  const bob = await signUpEarlier('<Bob@example.com>');
  const typings = ['<Bob@example.com>', 'bob@example.com', 'bob@example.com.', '<bob@example.com.>'];
  for (const email of typings) {
    const typed = { ...bob, email };
    assert.equal((await post(app, '/sign-up', { ...typed, name: 'Bob' })).statusCode, 409, email);
    assert.equal((await post(app, '/email', { email, language: 'en' }, ada)).statusCode, 409, email);
    assert.equal((await post(app, '/sign-in', typed)).statusCode, 200, email);
  }
  await assert.rejects(
    addPerson(platform, { ...bob, email: 'bob@example.com', name: 'Bob' }, async () => {}),
    { status: 409 },
  );
  assert.equal(
    (await post(app, '/email', { email: 'ada@example.com', language: 'en' }, ada)).statusCode,
    200,
  );
  assert.deepEqual(await names(), ['<bob@example.com>', 'ada@example.com']);
  const deletion = { email: 'bob@example.com', password: bob.password };
  assert.equal((await post(app, '/account/delete', deletion, bob)).statusCode, 200);
  assert.deepEqual(await names(), ['ada@example.com']);
});

test('signing in replaces the session that the browser still held', async (t) => {
  const { app } = await createTestApp(t);
  const ada = await signUpPerson(app);
  const bob = await signUpPerson(app);
  const answer = await post(app, '/sign-in', bob, { cookie: ada.cookie });
  assert.equal((await get(app, '/session', ada.cookie)).statusCode, 401);
  assert.equal((await get(app, '/session', bob.cookie)).statusCode, 200);
  assert.equal((await get(app, '/session', cookieOf(answer))).json().data.account.accountId, bob.accountId);
});

test('a person lists their own sessions and ends one of them', async (t) => {
  const { app, platform } = await createTestApp(t);
  const { email, password, cookie } = await signUpPerson(app);
  const stranger = await signUpPerson(app);
  const createdAt = platform.clock.now();
  platform.clock.advance({ minutes: 5 });
  const phone = cookieOf(await post(app, '/sign-in', { email, password }, { userAgent: 'Phone/1.0' }));
  const listed = await get(app, '/sessions', phone);
  assert.equal(listed.statusCode, 200);
  const [{ sessionId: phoneId }, { sessionId: firstId }] = listed.json().data;
  const now = platform.clock.now();
  assert.deepEqual(readAnswer(listed).body, {
    status: 'success',
    message: 'your sessions',
    data: [
      { sessionId: phoneId, userAgent: 'Phone/1.0', createdAt: now, lastSeenAt: now, isCurrent: true },
      {
        sessionId: firstId,
        userAgent: 'lightMyRequest',
        createdAt,
        lastSeenAt: createdAt,
        isCurrent: false,
      },
    ],
    timestamp: now,
  });
  assert.ok(!phone.includes(phoneId));

  const foreign = await post(app, '/sessions/revoke', { sessionId: firstId }, { cookie: stranger.cookie });
  assert.equal(foreign.statusCode, 404);
  assert.deepEqual(readAnswer(foreign).body, failure('not-found', 'sessionId is not one of your sessions'));
  const revoked = await post(app, '/sessions/revoke', { sessionId: firstId }, { cookie: phone });
  assert.deepEqual(readAnswer(revoked).body, success('session ended', {}, now));
  assert.equal(revoked.headers['set-cookie'], undefined);
  assert.equal((await get(app, '/session', cookie)).statusCode, 401);
  const own = await post(app, '/sessions/revoke', { sessionId: phoneId }, { cookie: phone });
  assert.match(String(own.headers['set-cookie']), /^parley_session=; Max-Age=0;/);
  assert.equal((await get(app, '/session', phone)).statusCode, 401);
  const malformed = await post(app, '/sessions/revoke', { sessionId: 'x' }, { cookie: stranger.cookie });
  assert.equal(malformed.statusCode, 400);
});

test('signing out everywhere ends every session of the person and notifies their open connections', async (t) => {
  const { app, platform } = await createTestApp(t);
  const { accountId, email, password, cookie } = await signUpPerson(app);
  const stranger = await signUpPerson(app);
  const other = cookieOf(await post(app, '/sign-in', { email, password }));
  const ids = (await get(app, '/sessions', cookie))
    .json()
    .data.map((s: { sessionId: string }) => s.sessionId);
  const events: LiveEvent[] = [];
  platform.live.subscribe(accountId, (event) => events.push(event));
  const answer = await post(app, '/sign-out-everywhere', {}, { cookie });
  assert.deepEqual(readAnswer(answer).body, success('signed out everywhere', {}, platform.clock.now()));
  assert.match(String(answer.headers['set-cookie']), /^parley_session=; Max-Age=0;/);
  for (const ended of [cookie, other]) assert.equal((await get(app, '/session', ended)).statusCode, 401);
  assert.equal((await get(app, '/session', stranger.cookie)).statusCode, 200);
  const told = events.map(({ type, data }) => [type, (data as { sessionId: string }).sessionId]);
  assert.deepEqual(told.sort(), ids.map((id: string) => ['session.ended', id]).sort());
});

test('a changed password ends the other sessions and gives this browser a new one', async (t) => {
  const { app, platform } = await createTestApp(t);
  const { email, password, cookie } = await signUpPerson(app);
  const other = cookieOf(await post(app, '/sign-in', { email, password }));
  const change = { currentPassword: password, newPassword: 'another horse' };
  const wrong = await post(app, '/password', { ...change, currentPassword: 'wrong' }, { cookie });
  assert.equal(wrong.statusCode, 403);
  assert.deepEqual(readAnswer(wrong).body, failure('permission-denied', 'the password is wrong'));
  const leaked = await post(app, '/password', { ...change, newPassword: 'Password1' }, { cookie });
  assert.deepEqual(
    readAnswer(leaked).body,
    failure('invalid-argument', 'newPassword is on lists of leaked passwords: choose another one'),
  );
  assert.equal((await get(app, '/session', other)).statusCode, 200);

  const changed = await post(app, '/password', change, { cookie });
  assert.equal(changed.statusCode, 200);
  assert.deepEqual(
    readAnswer(changed).body,
    success('password changed; all other sessions ended', {}, platform.clock.now()),
  );
  for (const ended of [cookie, other]) assert.equal((await get(app, '/session', ended)).statusCode, 401);
  assert.equal((await get(app, '/session', cookieOf(changed))).statusCode, 200);
  assert.deepEqual(readAnswer(await post(app, '/sign-in', { email, password })).body, WRONG);
  assert.equal((await post(app, '/sign-in', { email, password: 'another horse' })).statusCode, 200);
});

test('no session of the old password survives its change, however close the sign-in', async (t) => {
  const { app } = await createTestApp(t);
  const { email, password, cookie } = await signUpPerson(app);
  const [changed, ...signIns] = await Promise.all([
    post(app, '/password', { currentPassword: password, newPassword: 'another horse' }, { cookie }),
    ...Array.from({ length: 8 }, () => post(app, '/sign-in', { email, password })),
  ]);
  assert.equal(changed.statusCode, 200);
  for (const answer of signIns) {
    if (answer.statusCode === 200) {
      assert.deepEqual(readAnswer(await get(app, '/session', cookieOf(answer))).body, NO_SESSION);
    } else assert.deepEqual(readAnswer(answer).body, WRONG);
  }
});

test('of ten concurrent changes of the password, one succeeds', async (t) => {
  const { app, platform } = await createTestApp(t);
  const { password, cookie } = await signUpPerson(app);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      post(app, '/password', { currentPassword: password, newPassword: `new password ${i}` }, { cookie }),
    ),
  );
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1);
  const [row] = await platform.db`select count(*) from sessions`;
  assert.deepEqual({ ...row }, { count: 1 });
});

test('confirming the password makes the sign-in recent', async (t) => {
  const { app, platform } = await createTestApp(t);
  const { password, cookie } = await signUpPerson(app);
  platform.clock.advance({ minutes: 11 });
  const authenticatedAt = async () =>
    (await platform.db`select authenticated_at from sessions`)[0]?.['authenticatedAt'];
  const wrong = await post(app, '/confirm', { password: 'wrong' }, { cookie });
  assert.equal(wrong.statusCode, 403);
  assert.equal(await authenticatedAt(), platform.clock.now() - 11 * 60_000);
  const confirmed = await post(app, '/confirm', { password }, { cookie });
  assert.deepEqual(readAnswer(confirmed).body, success('sign-in confirmed', {}, platform.clock.now()));
  assert.equal(await authenticatedAt(), platform.clock.now());
});

test('guesses through a stolen session are limited as well', async (t) => {
  const { app } = await createTestApp(t);
  const { email, password, cookie } = await signUpPerson(app);
  for (let i = 0; i < 10; i++) {
    const answer =
      i % 2
        ? await post(app, '/confirm', { password: 'wrong' }, { cookie })
        : await post(
            app,
            '/password',
            { currentPassword: 'wrong', newPassword: 'another horse' },
            { cookie },
          );
    assert.equal(answer.statusCode, 403);
  }
  assert.equal((await post(app, '/confirm', { password }, { cookie })).statusCode, 429);
  assert.equal((await post(app, '/sign-in', { email, password })).statusCode, 200);
});

test('the operator gives a person a new password, which ends all sessions', async (t) => {
  const { app, platform } = await createTestApp(t);
  const { accountId, email, password, cookie } = await signUpPerson(app);
  const reset = (whose: string, to: string) => resetPassword(platform, whose, to, async () => {});
  await reset(accountId, 'given by the operator');
  assert.equal((await get(app, '/session', cookie)).statusCode, 401);
  assert.deepEqual(readAnswer(await post(app, '/sign-in', { email, password })).body, WRONG);
  assert.equal((await post(app, '/sign-in', { email, password: 'given by the operator' })).statusCode, 200);
  for (const length of [7, 129]) {
    await assert.rejects(reset(accountId, '🦊'.repeat(length)), {
      status: 400,
      message: 'password must have 8 to 128 characters',
    });
  }
  await assert.rejects(reset(platform.newId('usr'), 'x'.repeat(8)), { status: 404 });
});

test('no password is stored or shown', async (t) => {
  const { app, platform } = await createTestApp(t);
  const { accountId } = await signUpPerson(app, { password: 'canary-password-4711' });
  const [row] =
    await platform.db`select accounts::text as text from accounts where account_id = ${accountId}`;
  assert.ok(!row?.['text'].includes('canary-password-4711'));
  assert.match(row?.['text'], /\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

/** The ticket of the link for a new password, in the mail after the given number of others. */
async function resetTicketIn(mail: MailServer, count: number): Promise<string> {
  await eventually(() => mail.mails.length > count);
  const text = mail.mails[count]?.text.replace(/=\n/g, '') ?? '';
  return /\/reset#([\w.-]+)/.exec(text)?.[1] ?? '';
}

test('a forgotten password is reset through a mailed link, once, and by nobody else', async (t) => {
  await using mail = await startMailServer();
  const { app, platform } = await createTestApp(t, { smtpUrl: mail.url });
  const { cookie } = await signUpPerson(app, { email: 'ada@example.com' });
  const ask = (email: string) => post(app, '/password/forgotten', { email, language: 'en' });
  const [known, unknown] = [await ask('Ada@example.com'), await ask('nobody@example.com')];
  assert.deepEqual(known.json().data, { isMailed: true });
  assert.deepEqual(unknown.json().data, known.json().data);
  // The very first mail asks to confirm the address.
  const ticket = await resetTicketIn(mail, 1);
  const newPassword = 'another horse battery';
  const reset = (given: object) => post(app, '/password/reset', { ticket, newPassword, ...given });

  assert.equal((await reset({ ticket: `${ticket}x` })).statusCode, 403);
  assert.equal((await reset({ newPassword: 'password' })).statusCode, 400);
  assert.equal((await get(app, '/session', cookie)).statusCode, 200);
  const answers = await Promise.all([reset({}), reset({})]);
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 403]);
  assert.equal((await get(app, '/session', cookie)).statusCode, 401);
  const entered = await post(app, '/sign-in', { email: 'ada@example.com', password: newPassword });
  assert.equal(entered.statusCode, 200);

  // Another ticket expires, and the mailbox is not flooded.
  await ask('ada@example.com');
  const second = await resetTicketIn(mail, 2);
  platform.clock.advance({ minutes: 31 });
  assert.equal((await reset({ ticket: second })).statusCode, 403);
  await ask('ada@example.com');
  assert.equal((await ask('ada@example.com')).statusCode, 429);
});

test('the link for a new password in the mailbox of a former address sets none', async (t) => {
  await using mail = await startMailServer();
  const { app, platform } = await createTestApp(t, { smtpUrl: mail.url });
  const { accountId, email, password } = await signUpPerson(app, { email: 'ada@example.com' });
  await post(app, '/password/forgotten', { email, language: 'en' });
  const ticket = await resetTicketIn(mail, 1);
  await platform.db.begin((tx) =>
    replaceEmail(tx, { accountId, from: email, to: 'ada@example.org', confirmedAt: null }),
  );
  const reset = await post(app, '/password/reset', { ticket, newPassword: 'another horse battery' });
  assert.equal(reset.statusCode, 403);
  assert.equal((await post(app, '/sign-in', { email: 'ada@example.org', password })).statusCode, 200);
});
