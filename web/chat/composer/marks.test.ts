import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markOf, toggled } from './marks.ts';

/** Brackets mark the selection. */
function toggle(shown: string, mark: string): string {
  const [before = '', chosen = '', after = ''] = shown.split(/[[\]]/);
  const start = before.length;
  const {
    text,
    start: from,
    end: to,
  } = toggled({ text: before + chosen + after, start, end: start + chosen.length }, mark);
  return `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;
}

test('a shortcut adds a mark around the selection and removes it again', () => {
  assert.equal(toggle('see [this] now', '**'), 'see **[this]** now');
  assert.equal(toggle('see **[this]** now', '**'), 'see [this] now');
  assert.equal(toggle('see **[this]** now', '*'), 'see ***[this]*** now');
  assert.equal(toggle('see ***[this]*** now', '*'), 'see **[this]** now');
  assert.equal(toggle('see [this ]now', '*'), 'see *[this]* now');
  assert.equal(toggle('[]', '**'), '**[]**');
});

test('only Ctrl or Cmd with b and i are such shortcuts', () => {
  const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  assert.equal(markOf({ ...none, ctrlKey: true, key: 'b' }), '**');
  assert.equal(markOf({ ...none, metaKey: true, key: 'I' }), '*');
  assert.equal(markOf({ ...none, key: 'b' }), undefined);
  assert.equal(markOf({ ...none, ctrlKey: true, shiftKey: true, key: 'i' }), undefined);
  assert.equal(markOf({ ...none, ctrlKey: true, key: 'x' }), undefined);
});
