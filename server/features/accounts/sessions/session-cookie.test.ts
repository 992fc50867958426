import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSessionCookie } from './session.ts';

test('over https the cookie is bound to this host and to https', () => {
  const cookie = createSessionCookie({ publicUrl: 'https://chat.example.com' });
  assert.equal(
    cookie.issue('usr_1.secret'),
    '__Host-parley_session=usr_1.secret; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax; Secure',
  );
  assert.equal(cookie.clear(), '__Host-parley_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure');
  assert.equal(cookie.read('a=b; __Host-parley_session=usr_1.secret; c=d'), 'usr_1.secret');
  assert.equal(cookie.read('parley_session=usr_1.secret'), undefined);
});

test('over plain http it has a plain name', () => {
  for (const publicUrl of [undefined, 'http://localhost:3000']) {
    const cookie = createSessionCookie({ publicUrl });
    assert.equal(cookie.issue('x.y'), 'parley_session=x.y; Max-Age=7776000; Path=/; HttpOnly; SameSite=Lax');
    assert.equal(cookie.read('parley_session=x.y'), 'x.y');
    assert.equal(cookie.read('a=1;parley_session=x.y;b=2'), 'x.y');
    assert.equal(cookie.read('not_parley_session=x.y'), undefined);
    assert.equal(cookie.read('parley_session='), '');
    assert.equal(cookie.read(undefined), undefined);
  }
});
