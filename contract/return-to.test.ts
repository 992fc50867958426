import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeReturnTo, withReturnTo } from './return-to.ts';

test('paths of this server are kept byte for byte', () => {
  for (const path of [
    '/',
    '/chat',
    '/oauth/authorize?state=%00%26%23&x=//evil.test',
    '/a/../b#c',
    '/?https://evil.test',
  ]) {
    assert.equal(safeReturnTo(path), path);
    assert.equal(new URL(path, 'https://here.test').host, 'here.test');
  }
});

test('whatever could lead to another origin leads to the start page', () => {
  for (const path of [
    undefined,
    '',
    'chat',
    'https://evil.test',
    'https:/evil.test',
    '//evil.test',
    '///evil.test',
    '/\\evil.test',
    '\\/evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '\t//evil.test',
    ' //evil.test',
    'javascript:alert(1)',
    'data:text/html,x',
    '/chat\\..\\x',
    '/chat\r\nset-cookie: a=b',
    '/é',
    '/\u202e',
    '@evil.test',
  ]) {
    assert.equal(safeReturnTo(path), '/', JSON.stringify(path));
  }
});

test('a link to the sign-in page has the path to return to', () => {
  assert.equal(withReturnTo('/sign-in', '/'), '/sign-in');
  const link = withReturnTo('/sign-up', '/oauth/authorize?state=%26&a=b+c#d');
  assert.equal(link, '/sign-up?returnTo=%2Foauth%2Fauthorize%3Fstate%3D%2526%26a%3Db%2Bc%23d');
  assert.equal(
    new URL(link, 'https://here.test').searchParams.get('returnTo'),
    '/oauth/authorize?state=%26&a=b+c#d',
  );
});
