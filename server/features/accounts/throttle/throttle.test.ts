import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '#platform/config.ts';
import { TestClock } from '#testing/platform.ts';
import { type Guess, Throttle, type Visitor } from './throttle.ts';

function createScene({ signUpsPerHour = 1 } = {}) {
  const clock = new TestClock();
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'warn', base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const config = { ...readConfig({}), signUpsPerHour };
  const throttle = new Throttle({ clock, log, redis: undefined, config });
  const guesses = (isRight: boolean, address: string, account = 'ada', more: Partial<Guess> = {}) =>
    throttle.guess(from(address), { what: 'password', account, ...more }, async () => ({
      isRight,
      accountId: 'usr_1',
    }));
  return {
    clock,
    lines,
    throttle,
    wrong: (...guess: [address: string, account?: string, more?: Partial<Guess>]) => guesses(false, ...guess),
    right: (...guess: [address: string, account?: string, more?: Partial<Guess>]) => guesses(true, ...guess),
  };
}

function from(address: string, isSignedIn = false): Visitor {
  return {
    address,
    isSignedIn,
    userAgent: '',
    site: { protocol: 'http', host: 'localhost' },
    credential: undefined,
    requestId: 'req_1',
    deviceToken: () => undefined,
  };
}

function tooMany(seconds: number, what = 'wrong attempts') {
  return {
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    message: `too many ${what}; try again in ${seconds} s`,
    headers: { 'retry-after': String(seconds) },
  };
}

test('ten wrong passwords block only their network from an account, for 15 minutes', async () => {
  const { clock, wrong, right } = createScene();
  for (let i = 0; i < 10; i++) assert.equal(await wrong(`192.0.2.${i}`), false);
  clock.advance({ minutes: 5 });
  await assert.rejects(right('192.0.2.200'), tooMany(600));
  assert.equal(await right('198.51.100.1'), true);
  assert.equal(await right('192.0.2.1', 'bob'), true);
  clock.advance({ minutes: 10 });
  assert.equal(await right('192.0.2.200'), true);
});

test('after fifty wrong passwords, more wrong ones of that network get a 429, and right ones are accepted', async () => {
  const { wrong, right } = createScene();
  for (let i = 0; i < 50; i++)
    assert.equal(
      await wrong(`2001:db8:7:${i}::1`, `account${i}`),
      false,
      'whichever address, whichever account',
    );
  for (let i = 0; i < 700; i++)
    await assert.rejects(wrong('2001:db8:7:ffff::1', `another${i}`), tooMany(900));
  assert.equal(await right('2001:db8:7:ffff::1', 'bob'), true);
  assert.equal(await wrong('2001:db8:8::1'), false);
});

test('a hundred wrong passwords of strangers from anywhere block an account for an hour, except on known devices', async () => {
  const { clock, wrong, right } = createScene();
  for (let i = 0; i < 100; i++) await wrong(`198.51.${i}.1`);
  await assert.rejects(right('203.0.113.1'), tooMany(3600));
  assert.equal(await right('203.0.113.1', 'ada', { known: 'phone' }), true);
  assert.equal(await right('203.0.113.1', 'bob'), true);
  clock.advance({ hours: 1 });
  assert.equal(await right('203.0.113.1'), true);
});

test('thirty wrong codes block the second step in the same way', async () => {
  const { wrong, right } = createScene();
  for (let i = 0; i < 30; i++) await wrong(`198.51.${i}.1`, 'ada', { what: 'code' });
  await assert.rejects(right('203.0.113.1', 'ada', { what: 'code' }), tooMany(3600));
  assert.equal(await right('203.0.113.1', 'ada', { what: 'code', known: 'phone' }), true);
  assert.equal(await right('203.0.113.1'), true);
});

test('a known device has a separate limit of ten wrong guesses', async () => {
  const { wrong, right } = createScene();
  for (let i = 0; i < 10; i++) await wrong(`198.51.${i}.1`, 'ada', { known: 'phone' });
  await assert.rejects(right('203.0.113.1', 'ada', { known: 'phone' }), tooMany(900));
  assert.equal(await right('203.0.113.1', 'ada', { known: 'laptop' }), true);
  assert.equal(await right('198.51.1.1'), true);
});

test('right passwords count for their cost: 30 from a network at an account', async () => {
  const { right } = createScene();
  for (let i = 0; i < 30; i++) await right('192.0.2.1');
  await assert.rejects(right('192.0.2.1'), tooMany(900));
  for (let i = 0; i < 700; i++) assert.equal(await right('192.0.2.1', `account${i}`), true);
});

test('an attempt that could not be verified does not count', async () => {
  const { throttle, right } = createScene();
  for (let i = 0; i < 70; i++) {
    const failing = throttle.guess(from('192.0.2.1'), { what: 'password', account: 'ada' }, () =>
      Promise.reject(new Error('busy')),
    );
    await assert.rejects(failing, { message: 'busy' });
  }
  assert.equal(await right('192.0.2.1'), true);
});

test('of a hundred concurrent guesses, ten are verified', async () => {
  const { throttle } = createScene();
  let verified = 0;
  const guesses = Array.from({ length: 100 }, () =>
    throttle.guess(from('192.0.2.1'), { what: 'password', account: 'ada' }, async () => {
      verified++;
      return { isRight: false };
    }),
  );
  const outcomes = await Promise.allSettled(guesses);
  assert.equal(verified, 10);
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 90);
});

test('each refusal is logged in one line with address, account and reason, and nothing that was typed', async () => {
  const { lines, wrong, right, throttle } = createScene();
  await wrong('192.0.2.7', 'typed@example.com');
  await right('192.0.2.7', 'typed@example.com');
  for (let i = 0; i < 9; i++) await wrong('192.0.2.7', 'typed@example.com');
  await assert.rejects(right('192.0.2.7', 'typed@example.com'), tooMany(900));
  await throttle.guess(from('192.0.2.8', true), { what: 'code', account: 'usr_2', known: 'x' }, async () => ({
    isRight: false,
    accountId: 'usr_2',
  }));
  const plain = lines.map(({ time: _, ...line }) => line);
  const line = { level: 40, event: 'sign-in.failed', address: '192.0.2.7', what: 'password' };
  const refused = { requestId: 'req_1', msg: 'a sign-in was refused' };
  assert.deepEqual(plain, [
    ...Array.from({ length: 10 }, () => ({ ...line, reason: 'wrong', accountId: 'usr_1', ...refused })),
    { ...line, reason: 'limit', ...refused },
    {
      level: 40,
      event: 'confirmation.failed',
      address: '192.0.2.8',
      what: 'code',
      reason: 'wrong',
      accountId: 'usr_2',
      ...refused,
    },
  ]);
});

test('sign-ups are counted per network and hour', async () => {
  const { clock, throttle } = createScene({ signUpsPerHour: 2 });
  const signUp = (address: string) => throttle.aroundSignUp(from(address), async () => 'signed up');
  await signUp('2001:db8::1');
  await signUp('2001:db8:0:1::2');
  await assert.rejects(signUp('2001:db8:0:2::3'), tooMany(3600, 'sign-ups'));
  await signUp('2001:db8:1::1');
  clock.advance({ hours: 1 });
  await signUp('2001:db8::1');
});

test('sign-ups that fail do not keep others of their network from signing up', async () => {
  const { throttle } = createScene({ signUpsPerHour: 2 });
  for (let i = 0; i < 2; i++) await throttle.countFailedSignUp(from('192.0.2.1'));
  await assert.rejects(throttle.countFailedSignUp(from('192.0.2.2')), tooMany(3600, 'sign-ups'));
  for (let i = 0; i < 3; i++)
    await assert.rejects(
      throttle.aroundSignUp(from('192.0.2.1'), () => Promise.reject(new Error('taken'))),
      { message: 'taken' },
    );
  assert.equal(await throttle.aroundSignUp(from('192.0.2.3'), async () => 'signed up'), 'signed up');
});

test('requests for the passwords of unknown addresses do not keep others of their network from a mail', async () => {
  const { throttle } = createScene();
  const reset = (account: string, exists: boolean) =>
    throttle.countReset(from('192.0.2.1'), { account, exists });
  for (let i = 0; i < 100; i++) await reset(`nobody${i}`, false);
  for (let i = 0; i < 3; i++) await reset('nobody', false);
  await assert.rejects(reset('nobody', false), tooMany(3600, 'requests for a new password'));
  for (let i = 0; i < 30; i++) await reset(`somebody${i}`, true);
  for (const exists of [true, false])
    await assert.rejects(reset('another', exists), tooMany(3600, 'requests for a new password'));
});
