import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRelyingParty } from './prove-passkey.ts';

const REFUSED = { status: 400, code: 'failed-precondition' };

test('without PUBLIC_URL only localhost is trusted, whatever the Host header says', () => {
  const config = { publicUrl: undefined, serviceName: undefined };
  const find = (host: string, protocol = 'http') => findRelyingParty(config, { protocol, host });
  assert.deepEqual(find('localhost:3000'), {
    rpId: 'localhost',
    origin: 'http://localhost:3000',
    name: 'Parley',
  });
  assert.equal(find('chat.localhost:3000').rpId, 'chat.localhost');
  const others = [
    'evil.example',
    '127.0.0.1:3000',
    '[::1]:3000',
    'localhost.evil.example',
    'evillocalhost',
    '',
  ];
  for (const host of others) {
    assert.throws(() => find(host), REFUSED, host);
    assert.throws(() => find(host, 'https'), REFUSED, host);
  }
});

test('with PUBLIC_URL its host is the site, whatever the Host header says', () => {
  const find = (publicUrl: string) =>
    findRelyingParty({ publicUrl, serviceName: 'Chatty' }, { protocol: 'http', host: 'evil.example' });
  assert.deepEqual(find('https://chat.example.com:8443'), {
    rpId: 'chat.example.com',
    origin: 'https://chat.example.com:8443',
    name: 'Chatty',
  });
  assert.equal(find('http://localhost:3000').origin, 'http://localhost:3000');
  for (const url of ['http://chat.example.com', 'https://192.0.2.1', 'https://[2001:db8::1]']) {
    assert.throws(() => find(url), REFUSED, url);
  }
});
