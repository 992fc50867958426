import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PostResult } from '#platform/safe-fetch/safe-post.ts';
import { isDelivered, judgeReceiver, outcomeOf, receivesEvents } from './rules.ts';

test('attempts that fail at once come at 0, 30, 90, 210, 450, 930, 1890 and 3810 s, and no ninth', () => {
  const times = [0];
  for (let attempt = 1; attempt < 8; attempt++) {
    const { state, nextAttemptAt } = outcomeOf(false, attempt, times.at(-1) as number);
    assert.equal(state, 'retrying');
    times.push(nextAttemptAt as number);
  }
  assert.deepEqual(
    times.map((ms) => ms / 1000),
    [0, 30, 90, 210, 450, 930, 1890, 3810],
  );
  assert.deepEqual(outcomeOf(false, 8, 3_810_000), { state: 'abandoned', nextAttemptAt: null });
});

test('the wait counts from the end of the failed attempt', () => {
  assert.deepEqual(outcomeOf(false, 1, 9_999), { state: 'retrying', nextAttemptAt: 39_999 });
});

test('an attempt that succeeds delivers, the first and the eighth alike', () => {
  assert.deepEqual(outcomeOf(true, 1, 5), { state: 'delivered', nextAttemptAt: null });
  assert.deepEqual(outcomeOf(true, 8, 5), { state: 'delivered', nextAttemptAt: null });
});

test('only 2xx delivers', () => {
  const timings = { dns: null, connect: null, tls: null, firstByte: 1, total: 1 };
  const answer = (status: number): PostResult => ({
    kind: 'response',
    status,
    bodyBytes: 0,
    retryAfter: null,
    timings,
  });
  assert.deepEqual(
    [199, 200, 204, 299, 300, 301, 400, 410, 500].filter((status) => isDelivered(answer(status))),
    [200, 204, 299],
  );
  assert.equal(
    isDelivered({ kind: 'failure', reason: 'timeout', phase: 'body', message: '', timings }),
    false,
  );
});

test('events of an application are recorded while it is active and has a URL, and wait when that ends', () => {
  const webhookSecret = 'whsec_c2VjcmV0';
  const webhookUrl = 'https://hooks.example.com/';
  const active = { state: 'active', webhookUrl, webhookSecret } as const;
  assert.equal(receivesEvents(active), true);
  assert.deepEqual(judgeReceiver(active), { url: webhookUrl, secret: webhookSecret });
  for (const other of [
    { ...active, state: 'disabled' },
    { ...active, state: 'suspended' },
    { ...active, webhookUrl: undefined },
  ] as const) {
    assert.equal(receivesEvents(other), false);
    assert.equal(judgeReceiver(other), 'parked');
  }
  assert.equal(judgeReceiver(undefined), 'cancelled');
});
