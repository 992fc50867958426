import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownUrl, withoutUnseen } from './shown-url.ts';

test('the host of a URL is shown in ASCII, the rest as written', () => {
  for (const [address, shown] of [
    ['https://example.com/a?b=ü#c', 'https://example.com/a?b=ü#c'],
    // Cyrillic letters that look like "apple".
    ['https://аррӏе.com/login', 'https://xn--80ak6aa92e.com/login'],
    ['https://EXAMPLE.com', 'https://example.com'],
    ['http://müller.example:8080?x', 'http://xn--mller-kva.example:8080?x'],
    ['https://example.com/\u0440\u0430ypal', 'https://example.com/\u0440\u0430ypal'],
  ] as const)
    assert.equal(shownUrl(address), shown);
});

test('nothing else in the URL can look like the host', () => {
  for (const [address, shown] of [
    ['https://bank.example@evil.example/', 'https://evil.example/'],
    ['https://bank.example:443%2F@evil.example/x', 'https://evil.example/x'],
    ['https://evil.example\\@bank.example/', 'https://evil.example\\@bank.example/'],
    ['https://bank\u200b.example/', 'https://bank.example/'],
    ['https://evil.example/\u202Eelpmaxe.knab//:sptth', 'https://evil.example/%E2%80%AEelpmaxe.knab//:sptth'],
    [
      'https://evil.example/a\u200b\u2066\u00ad\u3164b',
      'https://evil.example/a%E2%80%8B%E2%81%A6%C2%AD%E3%85%A4b',
    ],
  ] as const)
    assert.equal(shownUrl(address), shown);
});

test('other text is shown without invisible characters', () => {
  assert.equal(shownUrl('/media/x/a.png'), '/media/x/a.png');
  assert.equal(shownUrl('javascript:\u202Ealert(1)'), 'javascript:%E2%80%AEalert(1)');
  assert.equal(shownUrl('https://'), 'https://');
  assert.equal(shownUrl('https://example.com/\ud800'), 'https://example.com/\ufffd');
  assert.equal(withoutUnseen('an \u202Eexe.gnp\u200b.pdf'), 'an exe.gnp.pdf');
  assert.equal(withoutUnseen('می\u200cخواهم 👩\u200d🚀.pdf'), 'می\u200cخواهم 👩\u200d🚀.pdf');
});
