import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markWords } from './mark-words.ts';

/** The text with the words that were found in brackets. */
function marked(text: string, words: string): string {
  return markWords(text, words)
    .map((part) => (part.isFound ? `[${part.text}]` : part.text))
    .join('');
}

test('words are found as the search finds them: without case, accents and the width of letters', () => {
  for (const [text, words, expected] of [
    ['Meet me at the Café, café!', 'cafe', 'Meet me at the [Café], [café]!'],
    ['Cafe\u0301 au lait', 'café', '[Cafe\u0301] au lait'],
    ['die Straße', 'STRASSE', 'die [Straße]'],
    ['ΟΔΟΣ', 'οδός', '[ΟΔΟΣ]'],
    ['ｗｉｄｅ', 'wide', '[ｗｉｄｅ]'],
    ['a 👩‍🚀 flies', 'flies', 'a 👩‍🚀 [flies]'],
    ['one two', 'two  one', '[one] [two]'],
    ['abcdef', 'abcd cdef', '[abcdef]'],
    ['nothing', 'absent', 'nothing'],
    ['nothing', '', 'nothing'],
  ] as const)
    assert.equal(marked(text, words), expected, text);
});

test('a long text begins shortly before the first word', () => {
  const long = `${'So many words before it. '.repeat(10)}Here it is: the café.`;
  assert.equal(marked(long, 'cafe'), '… many words before it. Here it is: the [café].');
  assert.equal(marked(`${'長'.repeat(200)}話`, '話'), '… [話]', 'where no word ends before it');
  assert.equal(marked(`early ${long}`, 'early café').slice(0, 7), '[early]', 'the first of several');
});
