import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { asSent as complete, emojiNamed, withEmoji } from './shortcodes.ts';

const LIST = new URL('./shortcodes.txt', import.meta.url);
const DATA = 'emoji-picker-element-data/en/iamcal/data.json';

/** Without a variation selector that the emoji needs not, as people's clients send it. */
function asSent(emoji: string): string {
  const plain = emoji.replaceAll('\u{fe0f}', '');
  return /^\p{RGI_Emoji}$/v.test(plain) ? plain : emoji;
}

test('the names are those of the data from which pages have theirs', async () => {
  const file = await readFile(new URL(import.meta.resolve(DATA)), 'utf8');
  const data = JSON.parse(file) as { emoji: string; shortcodes?: string[] }[];
  const lines = data.flatMap(({ emoji, shortcodes }) =>
    shortcodes ? [`${asSent(emoji)} ${shortcodes.join(' ')}\n`] : [],
  );
  assert.equal(await readFile(LIST, 'utf8'), lines.join(''));
});

test('names become emoji, in text and with the color of a skin', () => {
  assert.equal(emojiNamed('+1'), '👍');
  assert.equal(emojiNamed('+1::skin-tone-4'), '👍🏽');
  assert.equal(emojiNamed('male-technologist::skin-tone-3'), '👨🏼‍💻');
  assert.equal(emojiNamed('heart'), '❤️');
  assert.equal(emojiNamed('our-own-logo'), undefined);
  assert.equal(withEmoji('at 10:30: done :tada: :our-logo:'), 'at 10:30: done 🎉 :our-logo:');
});

test('emoji without their variation selectors get them', () => {
  const given = ['❤', '❤️', '❤\u{200d}🔥', '🤷\u{200d}♂', '👍🏽', '1', 'x', ''];
  assert.deepEqual(given.map(complete), [
    ...['❤️', '❤️', '❤️\u{200d}🔥', '🤷\u{200d}♂️', '👍🏽'],
    ...[undefined, undefined, undefined],
  ]);
});
