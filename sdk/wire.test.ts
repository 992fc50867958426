import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { wireTypes } from './generate/wire-types.ts';

test('the types are those of the contract', () => {
  assert.equal(readFileSync('sdk/wire.ts', 'utf8'), wireTypes(), 'run: npm run build:sdk');
});
