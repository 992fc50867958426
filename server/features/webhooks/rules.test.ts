import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '#contract/reasons.ts';
import type { PostResult } from '#platform/safe-fetch/safe-post.ts';
import { firstStateFor, isDelivered, outcomeOf, targetOf } from './rules.ts';

const TIMINGS = { dns: null, connect: null, tls: null, firstByte: 1, total: 1 };

function answer(status: number): PostResult {
  return { kind: 'response', status, bodyBytes: 0, timings: TIMINGS };
}

test('a failed attempt is repeated a while after its end, and one that succeeds delivers, the last, too', () => {
  assert.deepEqual(outcomeOf(answer(500), 1, 9_999), { state: 'retrying', nextAttemptAt: 39_999 });
  const ofOurs = outcomeOf(undefined, 7, 0);
  assert.deepEqual(ofOurs, { state: 'retrying', nextAttemptAt: 1_920_000 }, 'a fault of ours');
  assert.deepEqual(outcomeOf(answer(500), 8, 5), { state: 'abandoned', nextAttemptAt: null });
  assert.deepEqual(outcomeOf(answer(204), 8, 5), { state: 'delivered', nextAttemptAt: null });
});

test('only 2xx delivers', () => {
  assert.deepEqual(
    [199, 200, 204, 299, 300, 301, 400, 410, 500].filter((status) => isDelivered(answer(status))),
    [200, 204, 299],
  );
  assert.equal(
    isDelivered({
      kind: 'failure',
      reason: 'timeout',
      phase: 'body',
      said: say('timeout.body'),
      timings: TIMINGS,
    }),
    false,
  );
});

test('events of an application are recorded while it is active, sent if it has a URL, and wait if it loses either', () => {
  const webhookSecret = 'whsec_c2VjcmV0';
  const webhookUrl = 'https://hooks.example.com/';
  const active = { state: 'active', hasWebhookUrl: true, webhookUrl, webhookSecret } as const;
  assert.equal(firstStateFor(active), 'pending');
  const target = { url: webhookUrl, secrets: [webhookSecret] };
  assert.deepEqual(targetOf(active, 5), target);
  for (const other of [
    { ...active, state: 'disabled' },
    { ...active, state: 'suspended' },
    { ...active, hasWebhookUrl: false, webhookUrl: undefined },
  ] as const) {
    assert.equal(firstStateFor(other), other.state === 'active' ? 'unsent' : undefined);
    assert.equal(targetOf(other, 5), other.state === 'active' ? 'unsent' : 'parked');
  }
  assert.equal(targetOf(undefined, 5), 'cancelled');
  const unreadable = { ...active, webhookUrl: undefined };
  assert.equal(firstStateFor(unreadable), 'pending');
  assert.equal(targetOf(unreadable, 5), 'unreadable_url');
  assert.equal(targetOf({ ...active, webhookSecret: undefined }, 5), 'unreadable_secret');
});
