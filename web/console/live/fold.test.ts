import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedRequest } from '#contract/monitoring.ts';
import type { LoggedEvent } from '#contract/webhooks.ts';
import { foldEvent, foldRequest } from './fold.ts';

const event = (eventId: string, createdAt: number, state: LoggedEvent['state'] = 'pending'): LoggedEvent => ({
  eventId,
  createdAt,
  state,
  type: 'message.received',
  attempts: 0,
});

test('an event is put in, changed in place, and taken out when it leaves the filter', () => {
  const log = [event('b', 20), event('a', 10)];
  assert.deepEqual(
    foldEvent(log, {}, event('c', 30)).map(({ eventId }) => eventId),
    ['c', 'b', 'a'],
  );
  assert.deepEqual(foldEvent(log, {}, event('a', 10, 'delivered')), [
    event('b', 20),
    event('a', 10, 'delivered'),
  ]);
  assert.deepEqual(foldEvent(log, { state: 'pending' }, event('b', 20, 'delivered')), [event('a', 10)]);
  assert.deepEqual(foldEvent([], { since: '25' }, event('b', 20)), []);
  assert.deepEqual(foldEvent([], { type: 'ping' }, event('b', 20)), []);
  const full = Array.from({ length: 100 }, (_, i) => event(`e${i}`, i));
  assert.equal(foldEvent(full, {}, event('new', 1_000)).length, 100);
});

const request = (requestId: string, status: number): LoggedRequest => ({
  requestId,
  at: 0,
  caller: 'bot',
  method: 'POST',
  route: '/v1/messages',
  status,
  durationMs: 1,
});

test('a request goes to the top once, when the filter shows it', () => {
  const log = { pages: [{ requests: [request('a', 201)] }], pageParams: [undefined] };
  assert.deepEqual(foldRequest(log, {}, request('b', 404))?.pages, [
    { requests: [request('b', 404), request('a', 201)] },
  ]);
  assert.equal(foldRequest(log, {}, request('a', 201)), log);
  for (const filter of [{ status: '2xx' }, { route: '/v1/me' }, { code: 'x' }, { requestId: 'y' }] as const) {
    assert.equal(foldRequest(log, filter, request('b', 404)), log);
  }
  assert.notEqual(foldRequest(log, { status: 'error' }, request('b', 404)), log);
});

test('a log that has grown long is to be read again', () => {
  const requests = Array.from({ length: 200 }, (_, i) => request(`r${i}`, 201));
  assert.equal(
    foldRequest({ pages: [{ requests }], pageParams: [undefined] }, {}, request('new', 201)),
    undefined,
  );
});
