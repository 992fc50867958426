import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestPlatform } from '#testing/platform.ts';
import { createApp } from './app.ts';
import { clientAddress, networkOf, trustedProxies, withoutPort } from './client-address.ts';

test('an IPv4 /24 and an IPv6 /48 count as one, in every spelling', () => {
  const cases = {
    '192.0.2.1': '192.0.2.0/24',
    '::ffff:192.0.2.1': '192.0.2.0/24',
    '::1': '0:0:0::/48',
    '2001:db8::1': '2001:db8:0::/48',
    '2001:0DB8:0000:0000:ffff::1': '2001:db8:0::/48',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1::/48',
    '2001:db8:1:2::': '2001:db8:1::/48',
    '::2:3:4:5:6:7:8': '0:2:3::/48',
    'fe80::1%eth0': 'fe80:0:0::/48',
    unknown: 'unknown',
  };
  for (const [address, network] of Object.entries(cases)) assert.equal(networkOf(address), network, address);
});

test('a port after an address does not make it a different one', () => {
  const cases = {
    '192.0.2.1:4711': '192.0.2.1',
    '192.0.2.1': '192.0.2.1',
    '[2001:db8::1]:443': '2001:db8::1',
    '[2001:db8::1]': '2001:db8::1',
    '2001:db8::1': '2001:db8::1',
    unknown: 'unknown',
  };
  for (const [given, address] of Object.entries(cases)) assert.equal(withoutPort(given), address);
  const isTrusted = trustedProxies(['10.0.0.0/8', 'fd00::/8']);
  const trusted = ['10.1.2.3', '10.1.2.3:80', '::ffff:10.1.2.3', 'fd00::1', '[fd00::1]:80'];
  for (const address of trusted) assert.equal(isTrusted(address), true, address);
  for (const address of ['11.0.0.1', '2001:db8::1', '10.1.2', 'unknown', ''])
    assert.equal(isTrusted(address), false, address);
});

test('the client is the one that trusted proxies name, with or without ports', async () => {
  await using platform = await createTestPlatform({ trustProxy: ['10.0.0.0/8'] });
  await using app = createApp(platform);
  app.get('/ip', async (request) => ({ ip: clientAddress(request) }));
  const ask = async (remoteAddress: string, forwarded: string) =>
    (await app.inject({ url: '/ip', remoteAddress, headers: { 'x-forwarded-for': forwarded } })).json().ip;
  assert.equal(await ask('10.0.0.1', '203.0.113.7:4711'), '203.0.113.7');
  assert.equal(await ask('10.0.0.1', '198.51.100.1, 203.0.113.7:4711, 10.0.0.2:80'), '203.0.113.7');
  assert.equal(await ask('10.0.0.1', '[2001:db8::1]:4711'), '2001:db8::1');
  assert.equal(await ask('192.0.2.1', '203.0.113.7'), '192.0.2.1');
});
