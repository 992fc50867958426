import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitText } from './index.ts';

test('a text is split between paragraphs, else lines, else sentences, else words, else anywhere', () => {
  for (const [text, parts] of [
    ['short', ['short']],
    ['One two. Three\n\nfour five six', ['One two. Three', 'four five six']],
    ['One two. Three\n  four five six', ['One two. Three', '  four five six']],
    ['One two three. Four five six', ['One two three.', 'Four five six']],
    ['一二三四五六七八九。一二三四五六七八', ['一二三四五六七八九。', '一二三四五六七八']],
    ['onetwothree four five six', ['onetwothree', 'four five six']],
    ['onetwothreefourfivesix', ['onetwothreefour', 'fivesix']],
    ['onetwothreefour five', ['onetwothreefour', 'five']],
    [' \n '.repeat(20), []],
    ['', []],
  ] as const)
    assert.deepEqual(splitText(text, 15), parts, text);
});

test('no combined character is divided unless it alone is too long', () => {
  assert.deepEqual(splitText('👩‍🚀'.repeat(7), 15), ['👩‍🚀'.repeat(5), '👩‍🚀'.repeat(2)]);
  assert.deepEqual(splitText('👩‍🚀'.repeat(5), 8), ['👩‍🚀'.repeat(2), '👩‍🚀'.repeat(2), '👩‍🚀']);
  assert.deepEqual(splitText('🇩🇪🇫🇷🇮🇹', 5), ['🇩🇪🇫🇷', '🇮🇹']);
  assert.deepEqual(splitText('ที่นี่', 4), ['ที่', 'นี่']);
  const stacked = `a${'\u0301'.repeat(20)}`;
  assert.deepEqual(splitText(stacked, 15), [stacked.slice(0, 15), stacked.slice(15)]);
});

test('parts have at most 4,096 code points, none of which is divided, and no word is lost', () => {
  const emoji = '😀'.repeat(5000);
  assert.deepEqual(splitText(emoji), ['😀'.repeat(4096), '😀'.repeat(904)]);
  const words = Array.from({ length: 5000 }, (_, i) => `word${i}${i % 7 === 0 ? '.' : ''}`);
  const parts = splitText(words.join(' '));
  assert.ok(parts.every((part) => [...part].length <= 4096));
  assert.ok(parts.slice(0, -1).every((part) => [...part].length >= 2048));
  assert.deepEqual(parts.join(' ').split(' '), words);
  assert.throws(() => splitText('x', 0), TypeError);
});
