import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Conversation } from '#contract/chat.ts';
import { matching, neighbour } from './filter.ts';

const withName = (name: string, username?: string): Conversation => ({
  conversationId: `prv_${name}`,
  kind: 'private',
  peer: { userId: `usr_${name}`, name, isBot: false, isDeleted: false, ...(username && { username }) },
  isBlocked: false,
  isMuted: false,
  notifyOf: 'all',
  hasSound: true,
  settingsVersion: 0,
  isHidden: false,
  isAdmin: false,
  mayWrite: true,
  unreadCount: 0,
});
const all = [withName('René Descartes'), withName('Weather', 'weather_bot'), withName('Ada Lovelace')];
const found = (typed: string) =>
  matching(all, typed, ({ peer }) => peer?.name ?? '').map(({ peer }) => peer?.name);

test('each typed word matches the beginning of a word of the name or username, ignoring case and accents', () => {
  assert.deepEqual(found('rene'), ['René Descartes']);
  assert.deepEqual(found('desc RENÉ'), ['René Descartes']);
  assert.deepEqual(found('@weather_'), ['Weather']);
  assert.deepEqual(found('lace'), []);
  assert.equal(found('  ').length, 3);
});

test('letters match in either case in every alphabet', () => {
  for (const [name, typed] of [
    ['Işıl', 'IŞIL'],
    ['İpek', 'ipek'],
    ['Σάς', 'ΣΑΣ'],
    ['Weiß', 'WEISS'],
  ] as const)
    assert.equal(matching([withName(name)], typed, () => name).length, 1, typed);
});

test('the conversation above or below the open one', () => {
  assert.equal(neighbour(all, all[1]?.conversationId, 1), all[2]);
  assert.equal(neighbour(all, all[1]?.conversationId, -1), all[0]);
  assert.equal(neighbour(all, all[2]?.conversationId, 1), undefined);
  assert.equal(neighbour(all, undefined, 1), all[0]);
});
