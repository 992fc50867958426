import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Format, formatted, markOf } from './marks.ts';

/** Brackets mark the selection. */
function toggle(shown: string, format: Format): string {
  const [before = '', chosen = '', after = ''] = shown.split(/[[\]]/);
  const start = before.length;
  const {
    text,
    start: from,
    end: to,
  } = formatted({ text: before + chosen + after, start, end: start + chosen.length }, format);
  return `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;
}

test('a shortcut adds a mark around the selection and removes it again', () => {
  assert.equal(toggle('see [this] now', 'bold'), 'see **[this]** now');
  assert.equal(toggle('see **[this]** now', 'bold'), 'see [this] now');
  assert.equal(toggle('see **[this]** now', 'italic'), 'see ***[this]*** now');
  assert.equal(toggle('see ***[this]*** now', 'italic'), 'see **[this]** now');
  assert.equal(toggle('see [this ]now', 'italic'), 'see *[this]* now');
  assert.equal(toggle('[]', 'bold'), '**[]**');
});

test('the toolbar strikes out, and makes code, lists, quotes and links', () => {
  assert.equal(toggle('see [this] now', 'struck'), 'see ~~[this]~~ now');
  assert.equal(toggle('see ~~[this]~~ now', 'struck'), 'see [this] now');
  assert.equal(toggle('see `[this]` now', 'code'), 'see [this] now');
  assert.equal(toggle('[a = 1]', 'codeBlock'), '```\n[a = 1]\n```');
  assert.equal(toggle('tea\n[milk\nsugar]', 'item'), 'tea\n[- milk\n- sugar]');
  assert.equal(toggle('[- milk\n- sugar]', 'item'), '[milk\nsugar]');
  assert.equal(toggle('so[]', 'quote'), '> so[]');
  const link = formatted({ text: 'our page', start: 4, end: 8 }, 'link');
  assert.deepEqual(link, { text: 'our [page](https://)', start: 19, end: 19 });
  const address = formatted({ text: 'https://example.com', start: 0, end: 19 }, 'link');
  assert.deepEqual(address, { text: '[](https://example.com)', start: 1, end: 1 });
});

test('only Ctrl or Cmd with b and i are such shortcuts', () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  assert.equal(markOf({ ...none, ctrlKey: true, key: 'b' }), 'bold');
  assert.equal(markOf({ ...none, metaKey: true, key: 'I' }), 'italic');
  assert.equal(markOf({ ...none, key: 'b' }), undefined);
  assert.equal(markOf({ ...none, ctrlKey: true, shiftKey: true, key: 'i' }), undefined);
  assert.equal(markOf({ ...none, ctrlKey: true, key: 'x' }), undefined);
});
