import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES } from '#contract/applications/team.ts';
import { checkRedirectUri, mayActAs, refuseWhileSuspended } from './rules.ts';

test('redirect URIs are https, or http on localhost with any port', () => {
  const accepted = [
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com:8443/callback?tenant=1&x=%20',
    'https://10.0.0.1/intranet',
    'https://[2001:db8::1]/callback',
    'https://xn--bcher-kva.example/callback',
    'http://localhost',
    'http://localhost/callback',
    'http://localhost:3000',
    'http://localhost:3000/callback?x=1',
    'http://localhost?x=@',
    `https://app.example.com/${'a'.repeat(2048 - 24)}`,
  ];
  for (const uri of accepted) assert.equal(checkRedirectUri(uri), undefined, uri);
});

test('every refusal has its reason', () => {
  const HTTPS = 'https-or-localhost';
  const LOCALHOST = 'tls-or-localhost';
  const ASCII = 'plain-ascii';
  const FRAGMENT = 'url-fragment';
  const USER = 'url-user-info';
  const WHOLE = 'redirect-uri';
  const refused: [string, string][] = [
    ['', ASCII],
    ['https://app.example.com/a b', ASCII],
    [' https://app.example.com', ASCII],
    ['https://app.example.com\n', ASCII],
    ['https://app.exa\tmple.com', ASCII],
    ['https:\\\\app.example.com', ASCII],
    ['https://bücher.example', ASCII],
    ['https://app.example.com/#', FRAGMENT],
    ['https://app.example.com/#token', FRAGMENT],
    ['http://localhost#x', FRAGMENT],
    ['https://user@app.example.com', USER],
    ['https://user:password@app.example.com', USER],
    ['https://@app.example.com', USER],
    ['http://localhost:3000@evil.example', USER],
    ['https://*.example.com/callback', 'redirect-uri-wildcard'],
    ['http://localhost:*/callback', 'redirect-uri-wildcard'],
    ['HTTPS://app.example.com', HTTPS],
    ['https:app.example.com', HTTPS],
    ['https:/app.example.com', HTTPS],
    ['https://', HTTPS],
    ['https:///app.example.com', HTTPS],
    ['https://?x', HTTPS],
    ['app.example.com', HTTPS],
    ['//app.example.com', HTTPS],
    ['ftp://app.example.com', HTTPS],
    ['javascript:alert(1)', HTTPS],
    ['myapp://callback', HTTPS],
    ['myhttps://app.example.com', HTTPS],
    ['http://app.example.com', LOCALHOST],
    ['http://127.0.0.1:3000', LOCALHOST],
    ['http://[::1]:3000', LOCALHOST],
    ['http://localhost.evil.example', LOCALHOST],
    ['http://LOCALHOST', LOCALHOST],
    ['http://evil-localhost', LOCALHOST],
    ['http://localhost.', LOCALHOST],
    ['http://localhost:', LOCALHOST],
    ['http://localhost:3000x', LOCALHOST],
    ['http://localhost:65536', WHOLE],
    ['https://app.example.com:99999', WHOLE],
    ['https://a|b', WHOLE],
    [`https://app.example.com/${'a'.repeat(2048 - 23)}`, 'url-too-long'],
  ];
  for (const [uri, fault] of refused) assert.equal(checkRedirectUri(uri), fault, uri);
});

test('each role includes those after it, and no other', () => {
  const allowed = ROLES.map((role) => ROLES.filter((needed) => mayActAs(role, needed)));
  assert.deepEqual(
    allowed,
    ROLES.map((_, i) => ROLES.slice(i)),
  );
});

test('a refusal while suspended says what was refused', () => {
  const { status, said } = refuseWhileSuspended('deleted');
  assert.deepEqual([status, said.reason, said.values], [403, 'application.suspended', { verb: 'deleted' }]);
});
