import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatMessage } from '#contract/chat.ts';
import type { Unsent } from '../outbox/store.ts';
import { messagesOf, type Row, toRows } from './rows.ts';

const NOON = new Date(2026, 10, 20, 12).getTime();
const MINUTE = 60_000;
const ME = 'usr_me';

const message = (msgId: string, from: string, sentAt: number) => ({
  msgId,
  conversationId: 'prv_1',
  from,
  type: 'text',
  content: msgId,
  sentAt,
});
const unsent = (key: string, createdAt: number): Unsent => ({
  key,
  conversationId: 'prv_1',
  target: { to: 'usr_a' },
  content: { type: 'text', content: key },
  createdAt,
  isTried: false,
});

const picture = (msgId: string, albumId = 'a', from = ME) => ({
  ...message(msgId, from, NOON),
  type: 'image',
  fileDetails: { albumId },
});
/** The messages of each row but the first, which is the day. */
const grouped = (rows: Row[]) => rows.slice(1).map((row) => messagesOf(row).map(({ msgId }) => msgId));

test('runs of a sender are grouped, days and long pauses separate them', () => {
  const rows = toRows(
    [
      message('m1', 'usr_a', NOON),
      message('m2', 'usr_a', NOON + MINUTE),
      message('m3', 'usr_a', NOON + 10 * MINUTE),
      message('m4', ME, NOON + 11 * MINUTE),
      message('m5', ME, NOON + 24 * 60 * MINUTE),
    ],
    [],
    { accountId: ME },
  );
  assert.deepEqual(
    rows.map((row) => (row.kind === 'message' ? [row.key, row.isFirst, row.isLast] : row.kind)),
    [
      'day',
      ['m1', true, false],
      ['m2', false, true],
      ['m3', true, true],
      ['m4', true, true],
      'day',
      ['m5', true, true],
    ],
  );
});

test('a day begins at its first message: a divider above others would move away from them as they are loaded', () => {
  const messages = ['m1', 'm2'].map((msgId, day) => message(msgId, 'usr_a', NOON + day * 24 * 60 * MINUTE));
  const rows = toRows(messages, [], { accountId: ME, hasOlder: true });
  assert.deepEqual(
    rows.map(({ kind, key }) => (kind === 'message' ? key : kind)),
    ['m1', 'day', 'm2'],
  );
});

test('the unread divider is above the first message of another person', () => {
  const rows = toRows(
    [message('m1', 'usr_a', NOON), message('m2', ME, NOON + 1), message('m3', 'usr_a', NOON + 2)],
    [],
    { accountId: ME, unreadAfter: 'm1' },
  );
  assert.deepEqual(
    rows.map(({ kind, key }) => (kind === 'message' ? key : kind)),
    ['day', 'm1', 'm2', 'unread', 'm3'],
  );
});

test('unsent messages are last, whatever the clocks say, and keep their row when sent', () => {
  const sent = message('m2', ME, NOON + 5);
  const rows = toRows([message('m1', ME, NOON), sent], [unsent('k3', NOON - MINUTE)], {
    accountId: ME,
    keyOf: (msgId) => (msgId === 'm2' ? 'k2' : msgId),
  });
  assert.deepEqual(rows.map(({ key }) => key).slice(1), ['m1', 'k2', 'k3']);
});

test('an album is one row, sent or partly unsent; other messages separate albums', () => {
  const waiting: Unsent = {
    ...unsent('k5', NOON + 5),
    content: { type: 'image', fileDetails: { albumId: 'b' } },
  };
  const messages = [picture('m1'), picture('m2'), message('m3', ME, NOON + 2), picture('m4', 'b')];
  const rows = toRows(messages, [waiting], { accountId: ME });
  assert.deepEqual(
    rows.map((row) => 'album' in row && row.album?.map(({ msgId }) => msgId)),
    [false, ['m1', 'm2'], false, ['m4', 'k5']],
  );
  assert.deepEqual(grouped(rows), [['m1', 'm2'], ['m3'], ['m4']]);
  assert.deepEqual([messagesOf(rows[0]), messagesOf(undefined)], [[], []], 'a day has none');
  // The divider above the unread messages also splits an album.
  const unread = toRows(
    messages.map((one) => ({ ...one, from: 'usr_a' })),
    [],
    { accountId: ME, unreadAfter: 'm1' },
  );
  assert.deepEqual(unread.map(({ key }) => key).slice(1), ['m1', 'unread', 'm2', 'm3', 'm4']);
});

test('an album has one sender, and stays together when a part is deleted', () => {
  const deleted = { ...message('m2', ME, NOON), type: 'deleted', deletedBy: ME };
  const albums = (messages: ChatMessage[]) => grouped(toRows(messages, [], { accountId: ME }));
  assert.deepEqual(albums([picture('m1'), picture('m2', 'a', 'usr_a')]), [['m1'], ['m2']]);
  assert.deepEqual(albums([picture('m1'), deleted, picture('m3')]), [['m1', 'm3'], ['m2']]);
  assert.deepEqual(albums([deleted, picture('m3'), picture('m4')]), [['m2'], ['m3', 'm4']]);
  const between = message('m2', 'usr_a', NOON);
  assert.deepEqual(albums([picture('m1'), between, picture('m3')]), [['m1'], ['m2'], ['m3']]);
});
