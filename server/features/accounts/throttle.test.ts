import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestClock } from '#testing/platform.ts';
import { networkOf, Throttle } from './throttle.ts';

const wrong = async () => false;
const right = async () => true;

function tooMany(seconds: number) {
  return {
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    message: `too many wrong attempts; try again in ${seconds} s`,
    headers: { 'retry-after': String(seconds) },
  };
}

test('ten wrong passwords close an account for 15 minutes from the first, wherever they come from', async () => {
  const clock = new TestClock();
  const throttle = new Throttle(clock, { signUpsPerHour: 1 });
  for (let i = 0; i < 10; i++) assert.equal(await throttle.guess(`192.0.2.${i}`, 'ada', wrong), false);
  clock.advance({ minutes: 5 });
  await assert.rejects(throttle.guess('198.51.100.1', 'ada', right), tooMany(600));
  assert.equal(await throttle.guess('192.0.2.1', 'bob', right), true);
  clock.advance({ minutes: 10 });
  assert.equal(await throttle.guess('198.51.100.1', 'ada', right), true);
});

test('fifty wrong passwords close an address, whatever accounts they were for', async () => {
  const throttle = new Throttle(new TestClock(), { signUpsPerHour: 1 });
  for (let i = 0; i < 50; i++) await throttle.guess('192.0.2.1', `account${i}`, wrong);
  await assert.rejects(throttle.guess('192.0.2.1', 'ada', right), tooMany(900));
  assert.equal(await throttle.guess('192.0.2.2', 'ada', right), true);
});

test('right passwords and those that could not be judged do not count', async () => {
  const throttle = new Throttle(new TestClock(), { signUpsPerHour: 1 });
  for (let i = 0; i < 60; i++) assert.equal(await throttle.guess('192.0.2.1', 'ada', right), true);
  for (let i = 0; i < 60; i++) {
    await assert.rejects(
      throttle.guess('192.0.2.1', 'ada', () => Promise.reject(new Error('busy'))),
      { message: 'busy' },
    );
  }
  assert.equal(await throttle.guess('192.0.2.1', 'ada', right), true);
});

test('of a hundred guesses at once, ten are judged', async () => {
  const throttle = new Throttle(new TestClock(), { signUpsPerHour: 1 });
  let judged = 0;
  const guesses = Array.from({ length: 100 }, () =>
    throttle.guess('192.0.2.1', 'ada', async () => {
      judged++;
      return false;
    }),
  );
  const outcomes = await Promise.allSettled(guesses);
  assert.equal(judged, 10);
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 90);
});

test('sign-ups are counted per address and hour', async () => {
  const clock = new TestClock();
  const throttle = new Throttle(clock, { signUpsPerHour: 2 });
  await throttle.countSignUp('2001:db8::1');
  await throttle.countSignUp('2001:db8::2');
  await assert.rejects(throttle.countSignUp('2001:db8::3'), {
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'too many sign-ups; try again in 3600 s',
    headers: { 'retry-after': '3600' },
  });
  await throttle.countSignUp('2001:db8:0:1::1');
  clock.advance({ hours: 1 });
  await throttle.countSignUp('2001:db8::1');
});

test('an IPv6 customer counts as one, in every spelling', () => {
  const cases = {
    '192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '::1': '0:0:0:0::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    '2001:0DB8:0000:0000:ffff::1': '2001:db8:0:0::/64',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:db8:1:2::': '2001:db8:1:2::/64',
    '::2:3:4:5:6:7:8': '0:2:3:4::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
  };
  for (const [address, network] of Object.entries(cases)) assert.equal(networkOf(address), network, address);
});
