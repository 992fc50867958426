import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textsIn } from '#platform/texts.ts';
import { testMessage } from './message.ts';

test('a name keeps the joiners of its emoji and letters, and loses what would reorder the sentence', () => {
  const subjectOf = (name: string) => testMessage(textsIn('en'), name, 'https://chat.example.com').subject;
  assert.equal(subjectOf('👩\u200d💻 Desk\u202e'), 'Test: alerts of 👩\u200d💻 Desk');
  assert.equal(subjectOf('\u3164'), 'Test: alerts of An unnamed application');
});
