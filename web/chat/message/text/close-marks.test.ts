import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeMarks } from './close-marks.ts';

test('what is still open is closed, and what has just been opened is left out', () => {
  const closed = {
    'Tomorrow will be **sun': 'Tomorrow will be **sun**',
    'Tomorrow will be **sunny ': 'Tomorrow will be **sunny**',
    'Tomorrow will be **': 'Tomorrow will be ',
    'Tomorrow will be **sunny*': 'Tomorrow will be **sunny**',
    'It is `np': 'It is `np`',
    'Not ~~so': 'Not ~~so~~',
    'See:\n```ts\nconst a = 1': 'See:\n```ts\nconst a = 1\n```',
    'See:\n```ts\nconst a = 1\n``': 'See:\n```ts\nconst a = 1\n```',
    '**Done.** Next': '**Done.** Next',
    '**one\ntwo': '**one\ntwo',
    '': '',
  };
  for (const [text, wanted] of Object.entries(closed)) assert.equal(closeMarks(text), wanted, text);
});
