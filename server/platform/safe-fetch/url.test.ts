import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOSTILE_URLS } from '#testing/hostile-urls.ts';
import { targetOf } from './target.ts';
import { readTrustedHosts } from './trusted-hosts.ts';
import { checkLink, checkUrl, type UrlFault } from './url.ts';

const NOBODY = { trustedHosts: [] };

describe('checkUrl accepts', () => {
  const accepted: [text: string, href: string][] = [
    ['https://hooks.example.com', 'https://hooks.example.com/'],
    ['https://hooks.example.com/', 'https://hooks.example.com/'],
    ['https://hooks.example.com?a=1', 'https://hooks.example.com/?a=1'],
    ['https://hooks.example.com/?', 'https://hooks.example.com/?'],
    ['https://hooks.example.com/a//b/%2F?x=%20&y=[1]', 'https://hooks.example.com/a//b/%2F?x=%20&y=[1]'],
    ['https://hooks.example.com/user@host:1', 'https://hooks.example.com/user@host:1'],
    ['https://hooks.example.com:443/', 'https://hooks.example.com/'],
    ['https://hooks.example.com:8443/hook', 'https://hooks.example.com:8443/hook'],
    ['https://hooks.example.com:25/', 'https://hooks.example.com:25/'],
    ['https://hooks.example.com.:65535/', 'https://hooks.example.com.:65535/'],
    ['HTTPS://Hooks.Example.COM/Hook', 'https://hooks.example.com/Hook'],
    ['https://hooks.example.com:7/', 'https://hooks.example.com:7/'],
    ['https://a.example/', 'https://a.example/'],
    ['https://my_bot.example.com/', 'https://my_bot.example.com/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://bu\u0308cher.example/', 'https://xn--bcher-kva.example/'],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/'],
    ['https://例え.example/', 'https://xn--r8jz45g.example/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
    ['https://my.notlocal/', 'https://my.notlocal/'],
    ['https://8.8.8.8/hook', 'https://8.8.8.8/hook'],
    ['https://[2606:4700:4700::1111]:8443/', 'https://[2606:4700:4700::1111]:8443/'],
    ['https://[2606:4700:4700:0:0:0:0:1111]/', 'https://[2606:4700:4700::1111]/'],
  ];
  for (const [text, href] of accepted) {
    it(text, () => {
      const checked = checkUrl(text, NOBODY);
      assert.ok('url' in checked, JSON.stringify(checked));
      assert.equal(checked.url.href, href);
    });
  }

  it('2,048 characters and no more', () => {
    const longest = `https://hooks.example.com/${'a'.repeat(2048 - 26)}`;
    assert.ok('url' in checkUrl(longest, NOBODY));
    assert.deepEqual(checkUrl(`${longest}a`, NOBODY), { fault: 'too-long' });
    // As it is written: the parser leaves this port out.
    const withPort = longest.replace('.com/', '.com:443/');
    assert.deepEqual(checkUrl(withPort, NOBODY), { fault: 'too-long' });
  });

  it('a host of 253 characters and no more', () => {
    const labels = [...Array(3).fill('a'.repeat(63)), 'b'.repeat(61)];
    assert.ok('url' in checkUrl(`https://${labels.join('.')}/`, NOBODY));
    assert.deepEqual(checkUrl(`https://${labels.join('.')}b/`, NOBODY), { fault: 'host' });
  });
});

describe('checkLink', () => {
  const lenient: UrlFault[] = ['too-long', 'fragment', 'path-spelling'];
  for (const [fault, texts] of Object.entries(HOSTILE_URLS) as [UrlFault, string[]][]) {
    if (lenient.includes(fault)) continue;
    it(`refuses ${fault}`, () => {
      for (const text of texts) {
        assert.deepEqual(checkLink(text.replaceAll('PORT', '4000')), { fault }, text);
      }
    });
  }

  for (const text of [
    'https://cdn.example.com/фото/日本.jpg?größe=1#начало',
    'https://cdn.example.com/a.mp4#t=10,20',
    'https://cdn.example.com#',
    'https://cdn.example.com/"quoted"/<a>/../b|c.jpg',
    `https://cdn.example.com/${'ü'.repeat(2000)}`,
  ]) {
    it(`lets ${text.slice(0, 60)} through`, () => assert.ok('url' in checkLink(text)));
  }
});

describe('trusted hosts', () => {
  const trustedHosts = readTrustedHosts([
    'LOCALHOST:4000',
    ' bot ',
    '[::1]:4000',
    '10.0.0.7',
    'tls:443',
    'plain:80',
    'one-digit:4',
  ]);

  for (const text of [
    'http://localhost:4000/hook',
    'https://localhost:4000/hook',
    'https://LOCALHOST.:4000/hook',
    'http://bot/',
    'https://bot:1234/',
    'http://[::1]:4000/',
    'http://10.0.0.7/',
    'https://tls/',
    'http://plain/',
    'http://one-digit:4/',
  ]) {
    it(`lets ${text} through`, () => assert.ok('url' in checkUrl(text, { trustedHosts })));
  }

  const refused: [text: string, fault: UrlFault][] = [
    ['http://localhost:4001/', 'scheme'],
    ['https://localhost/', 'local-host'],
    ['https://other.localhost:4000/', 'local-host'],
    ['https://bot.internal/', 'local-host'],
    ['https://robot/', 'host-without-dot'],
    ['https://[::1]:4001/', 'private-address'],
    ['https://10.0.0.8/', 'private-address'],
    ['http://hooks.example.com/', 'scheme'],
    // Even trusted hosts must be spelt plainly.
    ['http://user@localhost:4000/', 'user-info'],
    ['http://localhost:4000/#x', 'fragment'],
    ['http:\\\\localhost:4000/', 'characters'],
    ['http:/localhost:4000/', 'form'],
    ['http://10.0.7/', 'host-spelling'],
    ['ftp://localhost:4000/', 'scheme'],
  ];
  for (const [text, fault] of refused) {
    it(`refuses ${text}: ${fault}`, () => assert.deepEqual(checkUrl(text, { trustedHosts }), { fault }));
  }

  for (const entry of [
    'http://localhost',
    'localhost:',
    'localhost:http',
    'localhost:123456',
    '[]',
    'local host',
    'a/b',
    '*',
    '',
  ]) {
    it(`are not ${JSON.stringify(entry)}`, () =>
      assert.throws(() => readTrustedHosts([entry]), {
        message: `must be host or host:port, not "${entry}"`,
      }));
  }
});

it('TLS is told the name of a host, and no address', () => {
  const servername = (url: string) => targetOf(new URL(url)).servername;
  assert.deepEqual(['https://hooks.example.com./', 'https://8.8.8.8/', 'https://[::1]/'].map(servername), [
    'hooks.example.com',
    '',
    '',
  ]);
});
