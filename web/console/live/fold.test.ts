import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LoggedRequest } from '#contract/applications/monitoring.ts';
import type { LoggedEvent } from '#contract/webhooks.ts';
import { foldEvent, foldRequest } from './fold.ts';

const event = (eventId: string, createdAt: number, state: LoggedEvent['state'] = 'pending'): LoggedEvent => ({
  eventId,
  createdAt,
  state,
  type: 'message.received',
  attempts: 0,
});

const log = (...pages: LoggedEvent[][]) => ({
  pages: pages.map((events) => ({ events, nextBefore: events.at(-1)?.eventId ?? 'b' })),
  pageParams: pages.map(() => undefined),
});

test('an event is added, changed in place on any page, and removed when it leaves the filter', () => {
  const shown = log([event('e', 30), event('c', 20)], [event('b', 10)]);
  const ids = (folded: ReturnType<typeof foldEvent>) =>
    folded?.pages.map(({ events }) => events.map(({ eventId }) => eventId).join(''));
  assert.deepEqual(ids(foldEvent(shown, {}, event('f', 40))), ['fec', 'b']);
  assert.deepEqual(ids(foldEvent(shown, {}, event('d', 25))), ['edc', 'b'], 'told of late');
  assert.deepEqual(foldEvent(shown, {}, event('b', 10, 'delivered'))?.pages[1]?.events, [
    event('b', 10, 'delivered'),
  ]);
  assert.deepEqual(ids(foldEvent(shown, { state: 'pending' }, event('c', 20, 'delivered'))), ['e', 'b']);
  const failing = log([event('e', 30, 'retrying')]);
  const change = (state: LoggedEvent['state']) =>
    foldEvent(failing, { state: 'failed' }, event('e', 30, state));
  assert.deepEqual([ids(change('abandoned')), ids(change('delivered'))], [['e'], ['']]);
  assert.deepEqual(ids(foldEvent(failing, { state: 'failed' }, event('f', 40, 'retrying'))), ['fe']);
  assert.equal(foldEvent(shown, {}, event('a', 5)), shown, 'older than what is loaded');
  assert.deepEqual(ids(foldEvent(log([]), { since: '25' }, event('b', 20))), ['']);
  assert.deepEqual(ids(foldEvent(log([]), { type: 'ping' }, event('b', 20))), ['']);
});

test('an event log that has grown long, or is searched for a person, must be reloaded', () => {
  const full = Array.from({ length: 200 }, (_, i) => event(`e${999 - i}`, i));
  assert.equal(foldEvent(log(full), {}, event('new', 1_000)), undefined);
  assert.equal(foldEvent(log([]), { find: 'usr_1' }, event('new', 1_000)), undefined);
  assert.notEqual(foldEvent(log([]), { find: 'new' }, event('new', 1_000)), undefined);
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

test('a request is added at the top once, if it matches the filter', () => {
  const known = { pages: [{ requests: [request('a', 201)] }], pageParams: [undefined] };
  assert.deepEqual(foldRequest(known, {}, request('b', 404))?.pages, [
    { requests: [request('b', 404), request('a', 201)] },
  ]);
  assert.equal(foldRequest(known, {}, request('a', 201)), known);
  for (const filter of [{ status: '2xx' }, { route: '/v1/me' }, { code: 'x' }, { requestId: 'y' }] as const) {
    assert.equal(foldRequest(known, filter, request('b', 404)), known);
  }
  assert.notEqual(foldRequest(known, { status: 'error' }, request('b', 404)), known);
});

test('a log that has grown long must be reloaded', () => {
  const requests = Array.from({ length: 200 }, (_, i) => request(`r${i}`, 201));
  assert.equal(
    foldRequest({ pages: [{ requests }], pageParams: [undefined] }, {}, request('new', 201)),
    undefined,
  );
});
