import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRemote, mayLoad } from './remote-rule.ts';

const ORIGIN = 'https://chat.example.com';

test('every other server is remote', () => {
  for (const url of ['/media/x/a.png', `${ORIGIN}/media/x/a.png`, `blob:${ORIGIN}/1`])
    assert.equal(isRemote(url, ORIGIN), false, url);
  for (const url of [
    'https://cdn.example.com/a.png',
    'http://chat.example.com/a.png',
    'https://chat.example.com:8443/a.png',
    '//evil.example/a.png',
    '/\\evil.example/a.png',
    'https://chat.example.com@evil.example/a.png',
    'https://',
  ])
    assert.equal(isRemote(url, ORIGIN), true, url);
});

test('the rule decides whose media load', () => {
  const loads = (load: 'always' | 'contacts' | 'on-click') =>
    ['usr_me', 'usr_friend', 'usr_stranger', undefined].map((from) =>
      mayLoad({ load, contactIds: ['usr_friend'] }, { from, ownId: 'usr_me' }),
    );
  assert.deepEqual(loads('always'), [true, true, true, true]);
  assert.deepEqual(loads('contacts'), [true, true, false, false]);
  assert.deepEqual(loads('on-click'), [false, false, false, false]);
});
