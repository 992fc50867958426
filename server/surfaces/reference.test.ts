import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createWorld } from '#testing/world.ts';

interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { value: { status: string; code: string; message: string } }>;
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  'x-extension'?: boolean;
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

async function readDocument() {
  return JSON.parse(await readFile(new URL('../../contract/openapi.json', import.meta.url), 'utf8'));
}

async function readOperations(): Promise<[name: string, Operation][]> {
  const { paths } = (await readDocument()) as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
}

test('the committed document is valid OpenAPI 3.1, version 1.1.0, and what the server answers', async () => {
  const document = await readDocument();
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.info.version, '1.1.0');
  await SwaggerParser.validate(structuredClone(document));
  await using world = await createWorld();
  const answer = await world.app.inject({ url: '/openapi.json' });
  assert.deepEqual(answer.json(), document);
});

test('every endpoint of the contract is described', async () => {
  const names = (await readOperations()).map(([name]) => name);
  for (const name of [
    'post /v1/messages',
    'post /v1/messages/group',
    'post /v1/groups',
    'delete /v1/groups/delete',
    'post /v1/groups/members',
    'post /v1/groups/members/remove',
    'patch /v1/groups/members/role',
    'patch /v1/groups/details',
    'post /v1/groups/broadcast',
    'post /v1/stories',
    'get /v1/stories/mine',
    'delete /v1/stories/delete',
    'post /v1/polls',
    'post /v1/polls/vote',
    'post /v1/polls/close',
    'post /oauth/token',
    'get /oauth/userinfo',
    'post /oauth/revoke',
  ]) {
    assert.ok(names.includes(name), name);
  }
});

test('every operation under /v1 and /oauth has valid examples of its request, its answer and each of its errors', async () => {
  const document = await readDocument();
  const ajv = new Ajv2020({ strict: false });
  const validate = ({ schema }: Media, value: unknown, name: string) => {
    const check = ajv.compile({ ...schema, components: document.components });
    assert.ok(check(value), `${name}: ${ajv.errorsText(check.errors)}`);
  };
  for (const [name, { requestBody, responses }] of await readOperations()) {
    if (!/ \/(v1|oauth)\//.test(name)) continue;
    for (const media of Object.values(requestBody?.content ?? {}))
      validate(media, media.example, `request of ${name}`);
    for (const [status, { content }] of Object.entries(responses)) {
      const media = content?.['application/json'];
      if (!media) continue;
      if (Number(status) < 400) validate(media, media.example, `answer ${status} of ${name}`);
      const errors = Object.values(media.examples ?? {});
      if (Number(status) >= 400) assert.ok(errors.length > 0, `${status} of ${name} has an example`);
      for (const { value } of errors) validate(media, value, `error ${status} of ${name}`);
    }
  }
});

test('what the contract does not know is marked as an extension', async () => {
  const marked = (await readOperations()).flatMap(([name, operation]) =>
    operation['x-extension'] ? [name] : [],
  );
  assert.ok(marked.includes('get /v1/me'));
  assert.ok(marked.includes('get /v1/groups/members'));
  assert.ok(!marked.includes('post /v1/messages'));
});
