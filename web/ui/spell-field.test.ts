import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spellField } from './spell-field.ts';

test('a page names fields in words, and counts list entries from 1', () => {
  assert.deepEqual(
    ['webhookUrl', 'redirectUri', 'name', 'commands.0.description', 'userId'].map(spellField),
    ['webhook URL', 'redirect URI', 'name', 'commands 1 description', 'user ID'],
  );
});
