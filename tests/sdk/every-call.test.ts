import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BuiltSdk, buildSdk, findSystemNode } from './built-sdk.ts';
import { runEveryCall } from './run-every-call.ts';

let sdk: BuiltSdk;
before(() => {
  sdk = buildSdk();
});
after(() => sdk[Symbol.dispose]());

test('every call of the contract and every error, on this Node', async () => {
  assert.equal(await runEveryCall({ node: process.execPath, sdk: sdk.url }), process.version);
});

test('every call of the contract and every error, on the Node of the machine, 20 or later', async () => {
  assert.match(await runEveryCall({ node: findSystemNode(), sdk: sdk.url }), /^v[2-9]\d\./);
});
