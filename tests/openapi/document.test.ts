import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { OpenAPIBackend } from 'openapi-backend';
import { buildSdk } from '../sdk/built-sdk.ts';
import { runEveryCall } from '../sdk/run-every-call.ts';
import { type Relay, startRelay } from './relay.ts';

const DOCUMENT = 'contract/openapi.json';

test('Redocly’s linter, a second tool besides swagger-parser, reports nothing about the document', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js')), 'lint', DOCUMENT, '--format=json'],
    { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  ).catch((error) => error);
  assert.deepEqual(JSON.parse(stdout).problems, []);
});

test('every call of the SDK and every error, through a proxy that validates both directions against the document', async () => {
  const definition = JSON.parse(await readFile(DOCUMENT, 'utf8'));
  // `quick`: its own validation of the document supports only OpenAPI 3.0.
  const api = new OpenAPIBackend({ definition, quick: true, ajvOpts: { strict: false } });
  await api.init();
  using sdk = buildSdk();
  let relay: Relay | undefined;
  await runEveryCall({
    node: process.execPath,
    sdk: sdk.url,
    proxy: async (url) => {
      relay = await startRelay(url);
      return relay.url;
    },
  }).finally(() => relay?.[Symbol.asyncDispose]());
  const mismatches: string[] = [];
  const seen = new Set<string>();
  for (const { method, path, headers, body, status, answer } of relay?.exchanges ?? []) {
    const [pathname = '', query = ''] = path.split('?');
    const isForm = headers['content-type']?.startsWith('multipart/');
    const request = {
      ...{ method, path: pathname, query, headers },
      ...(body && { body: isForm ? { file: body } : JSON.parse(body) }),
    };
    const operation = api.matchOperation(request);
    const about = `${method} ${path} ${status}`;
    if (!operation) {
      mismatches.push(`${about}: not in the document`);
      continue;
    }
    seen.add(operation.operationId ?? '');
    const asked = api.validateRequest(request, operation);
    if (status < 300 && !asked.valid) mismatches.push(`${about} request: ${JSON.stringify(asked.errors)}`);
    const said = api.validateResponse(JSON.parse(answer), operation, status);
    if (!said.valid) mismatches.push(`${about} answer: ${JSON.stringify(said.errors)}`);
  }
  assert.deepEqual(mismatches, []);
  const all = api.getOperations().map(({ operationId }) => operationId ?? '');
  assert.deepEqual(
    all.filter((name) => !seen.has(name)),
    // The first is for browsers, and the SDK does not need the others.
    ['authorize', 'getAuthorizationServerMetadata', 'simulateEvent'],
  );
});
