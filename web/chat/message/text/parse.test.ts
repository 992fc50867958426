import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksIn, parseText } from './parse.ts';

const kinds = (text: string, options?: Parameters<typeof parseText>[1]) =>
  parseText(text, options).map(({ kind, text }) => (kind === 'text' ? text : { [kind]: text }));

test('URLs end where the sentence ends', () => {
  assert.deepEqual(kinds('See https://example.com/a?b=c#d, or (http://example.org/x_(y)).'), [
    'See ',
    { link: 'https://example.com/a?b=c#d' },
    ', or (',
    { link: 'http://example.org/x_(y)' },
    ').',
  ]);
  assert.deepEqual(kinds('https://example.com'), [{ link: 'https://example.com' }]);
});

test('www. and mail addresses are links, too, if their letters can be trusted', () => {
  const found = parseText('See www.example.com/a?b, or write to ann.lee+x@mail.example.org.');
  assert.deepEqual(
    found.flatMap((piece) => (piece.kind === 'link' ? [[piece.text, piece.href]] : [])),
    [
      ['www.example.com/a?b', 'https://www.example.com/a?b'],
      ['ann.lee+x@mail.example.org', 'mailto:ann.lee+x@mail.example.org'],
    ],
  );
  for (const text of [
    'www.',
    'www.x',
    'awww.example.com',
    'www.exämple.com',
    'www.example.comа',
    '@ann',
    'a@b',
    'a@exämple.com',
  ])
    assert.deepEqual(kinds(text), [text], text);
});

test('only http and https make a URL', () => {
  for (const text of ['javascript:alert(1)', 'data:text/html,x', 'ftp://x.example', 'https://']) {
    assert.deepEqual(kinds(text), [text], text);
  }
});

test('commands are separate words, and only those of bots in the conversation', () => {
  const commands = new Set(['/help', '/set_name', '/set_name@my_bot', '/x', '/b']);
  assert.deepEqual(kinds('Try /help or /set_name@my_bot.', { commands }), [
    'Try ',
    { command: '/help' },
    ' or ',
    { command: '/set_name@my_bot' },
    '.',
  ]);
  for (const text of ['and/or 1/2 //x /Ümlaut', '5 /month, in /etc', 'bold</b>', '/set_name@your_bot']) {
    assert.deepEqual(kinds(text, { commands }), [text], text);
  }
  assert.deepEqual(kinds('/help'), ['/help']);
  assert.deepEqual(kinds('https://example.com/help', { commands }), [{ link: 'https://example.com/help' }]);
});

test('a mention is the whole name, whatever it consists of', () => {
  const mentioned = { Ann: 'usr_1', 'Ann (x) [y]*': 'usr_2' };
  assert.deepEqual(parseText('Hi @Ann (x) [y]* and @Ann!', { mentioned }), [
    { kind: 'text', text: 'Hi ' },
    { kind: 'mention', text: '@Ann (x) [y]*', userId: 'usr_2' },
    { kind: 'text', text: ' and ' },
    { kind: 'mention', text: '@Ann', userId: 'usr_1' },
    { kind: 'text', text: '!' },
  ]);
});

test('the web addresses of a text, formatted or not', () => {
  const text = 'See [the menu](https://menu.example/tea), www.tea.example. Mail ada@tea.example';
  assert.deepEqual(
    linksIn(text).map(({ href }) => href),
    ['https://menu.example/tea', 'https://www.tea.example'],
  );
});

test('an empty text has no parts, and a long one is parsed with little work', () => {
  assert.deepEqual(parseText(''), []);
  const before = process.threadCpuUsage();
  parseText(`${'(https://example.com/'.repeat(200)}${')'.repeat(4000)}`, { commands: new Set(['/help']) });
  // CPU time: the machine may be busy with something else.
  assert.ok(process.threadCpuUsage(before).user < 200_000);
});
