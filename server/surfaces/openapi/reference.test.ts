import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { CHOSEN_EVENTS } from '#contract/webhooks/chosen-events.ts';
import { EVENT_TYPES } from '#contract/webhooks/event-types.ts';
import { createWorld } from '#testing/world.ts';
import { nameSchemas, type Schema } from './components.ts';

interface Media {
  schema: { $ref?: string; type?: string };
  example?: unknown;
  examples?: Record<string, { value: { status: string; code: string; message: string } }>;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  'x-extension'?: boolean;
  parameters?: { name?: string; in?: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}

type Operations = Record<string, Record<string, Operation>>;

async function readDocument() {
  return JSON.parse(await readFile(new URL('../../../contract/openapi.json', import.meta.url), 'utf8'));
}

async function readOperations(part: 'paths' | 'webhooks' = 'paths'): Promise<[name: string, Operation][]> {
  const document = (await readDocument()) as Record<typeof part, Operations>;
  return Object.entries(document[part]).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
}

test('the committed document is valid OpenAPI 3.1, version 1.1.0, and the same as the server’s', async () => {
  const document = await readDocument();
  assert.equal(document.openapi, '3.1.0');
  assert.equal(document.info.version, '1.1.0');
  await SwaggerParser.validate(structuredClone(document));
  await using world = await createWorld({ publicUrl: document.servers[0].url });
  const answer = await world.app.inject({ url: '/openapi.json' });
  assert.deepEqual(answer.json(), document);
});

test('the document of a server has that server’s address and name', async () => {
  await using world = await createWorld({ publicUrl: 'https://chat.acme.test', serviceName: 'Acme' });
  const { servers, components, webhooks } = (await world.app.inject('/openapi.json')).json();
  assert.deepEqual(servers, [{ url: 'https://chat.acme.test' }]);
  const { authorizationUrl, tokenUrl } = components.securitySchemes.oauth2.flows.authorizationCode;
  assert.deepEqual(
    [authorizationUrl, tokenUrl],
    ['https://chat.acme.test/oauth/authorize', 'https://chat.acme.test/oauth/token'],
  );
  const { parameters } = webhooks.ping.post as Operation;
  assert.deepEqual(
    parameters?.map(({ name }) => name),
    [
      'X-Service-Event',
      'X-Service-Signature',
      'X-Acme-Event',
      'X-Acme-Signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ],
  );
});

test('without a public address the document has the local one', async () => {
  await using world = await createWorld({ port: 0 });
  // As if the server were listening.
  world.config.port = 3456;
  const { body } = await world.app.inject('/openapi.json');
  assert.deepEqual(new Set(body.match(/localhost:[0-9]+/g)), new Set(['localhost:3456']));
});

test('every endpoint of the contract is described, with its credentials', async () => {
  const credentials = Object.fromEntries(
    (await readOperations())
      .filter(([, operation]) => !operation['x-extension'])
      .map(([name, { security }]) => [name, security]),
  );
  const K = { apiKey: [] };
  const O = (...scopes: string[]) => ({ oauth2: scopes });
  const groups = [K, O('groups:manage')];
  const polls = [K, O('polls:write')];
  assert.deepEqual(credentials, {
    'post /v1/messages': [K],
    'post /v1/messages/group': [K],
    'post /v1/groups': groups,
    'delete /v1/groups/delete': groups,
    'post /v1/groups/members': groups,
    'post /v1/groups/members/remove': groups,
    'patch /v1/groups/members/role': groups,
    'patch /v1/groups/details': groups,
    'post /v1/groups/broadcast': groups,
    'post /v1/stories': [O('stories:write')],
    'get /v1/stories/mine': [O('stories:read')],
    'delete /v1/stories/delete': [O('stories:write')],
    'post /v1/polls': polls,
    'post /v1/polls/vote': polls,
    'post /v1/polls/close': polls,
    'get /oauth/authorize': [],
    'post /oauth/token': [],
    'get /oauth/userinfo': [O('profile')],
    'post /oauth/revoke': [],
  });
});

test('every operation and webhook has a summary, a description, a known tag and valid examples', async () => {
  const document = await readDocument();
  const ajv = new Ajv2020({ strict: false, formats: { binary: true } });
  const validate = ({ schema }: Media, value: unknown, name: string) => {
    const check = ajv.compile({ ...schema, components: document.components });
    assert.ok(check(value), `${name}: ${ajv.errorsText(check.errors)}`);
  };
  const tags = document.tags.map(({ name }: { name: string }) => name);
  for (const [name, operation] of [...(await readOperations()), ...(await readOperations('webhooks'))]) {
    const { summary, description, tags: own, parameters = [], requestBody, responses } = operation;
    assert.ok(summary && description.endsWith('.'), name);
    assert.ok(own.length === 1 && tags.includes(own[0]), `${name} has one known tag`);
    for (const parameter of parameters) {
      if (parameter.required && parameter.name !== 'response_type')
        assert.ok(parameter.example, `${name}: ${parameter.name} has an example`);
    }
    for (const media of Object.values(requestBody?.content ?? {}))
      validate(media, media.example, `request of ${name}`);
    for (const [status, { description: about, content }] of Object.entries(responses)) {
      assert.notEqual(about, 'Default Response', `${status} of ${name}`);
      const media = content?.['application/json'];
      if (!media) continue;
      if (Number(status) < 400) validate(media, media.example, `answer ${status} of ${name}`);
      const errors = Object.values(media.examples ?? {});
      if (Number(status) >= 400) assert.ok(errors.length > 0, `${status} of ${name} has an example`);
      for (const { value } of errors) validate(media, value, `error ${status} of ${name}`);
    }
  }
});

test('null stands for every optional field of a body', async () => {
  const { components } = await readDocument();
  const refusing = new Set<string>();
  const resolve = ({ $ref, ...inline }: Schema): Schema =>
    $ref ? components.schemas[$ref.split('/').at(-1) as string] : inline;
  const visit = (name: string, given: Schema) => {
    const schema = resolve(given);
    for (const variant of [schema.oneOf ?? [], schema['anyOf'] ?? []].flat()) visit(name, variant as Schema);
    if (schema['items']) visit(name, schema['items'] as Schema);
    for (const [field, value] of Object.entries(schema.properties ?? {})) {
      if (!schema.required?.includes(field) && ![resolve(value).type].flat().includes('null'))
        refusing.add(`${name} ${field}`);
      visit(name, value);
    }
  };
  for (const [name, { requestBody }] of await readOperations()) {
    const media = name.includes('/v1/') ? requestBody?.content['application/json'] : undefined;
    if (media) visit(name, media.schema);
  }
  // Filled in before the body is checked.
  assert.deepEqual([...refusing], ['post /v1/groups/broadcast type']);
});

test('the webhooks are the events of the contract', async () => {
  assert.deepEqual(
    (await readOperations('webhooks')).map(([name, { requestBody, responses }]) => [
      name,
      requestBody?.content['application/json']?.schema.$ref,
      Object.keys(responses),
    ]),
    [
      ['post message.received', '#/components/schemas/MessageReceivedEvent', ['2XX', 'default']],
      ['post group_message.received', '#/components/schemas/GroupMessageReceivedEvent', ['2XX', 'default']],
      ['post ping', '#/components/schemas/PingEvent', ['2XX', 'default']],
      ...Object.entries(CHOSEN_EVENTS).map(([type, { title }]) => [
        `post ${type}`,
        `#/components/schemas/${title}Event`,
        ['2XX', 'default'],
      ]),
    ],
  );
});

test('no operation has a request, an answer or a union without a name', async () => {
  for (const [name, { requestBody, responses }] of await readOperations()) {
    const media = [requestBody, ...Object.values(responses)].flatMap((one) =>
      Object.entries(one?.content ?? {}),
    );
    for (const [type, { schema }] of media)
      assert.ok(schema.$ref ?? type === 'text/html', `${name}: ${JSON.stringify(schema)}`);
  }
  const { components } = await readDocument();
  const inline = (schema: object): boolean =>
    Object.values(schema).some(
      (part) =>
        typeof part === 'object' &&
        part !== null &&
        ('properties' in part || 'oneOf' in part || 'anyOf' in part || inline(part)),
    );
  for (const [name, { properties = {}, oneOf = [], anyOf = [] }] of Object.entries<Record<string, object>>(
    components.schemas,
  ))
    assert.ok(!inline([...Object.values(properties), oneOf, anyOf]), `${name} holds a schema without a name`);
});

test('every discriminated union maps its values to variants', async () => {
  const { components } = await readDocument();
  const unions = Object.entries<{ discriminator?: { mapping: object } }>(components.schemas).flatMap(
    ([name, { discriminator }]) => (discriminator ? [[name, Object.keys(discriminator.mapping)]] : []),
  );
  const types = ['text', 'image', 'video', 'audio', 'doc', 'gif', 'sticker', 'location'];
  assert.deepEqual(Object.fromEntries(unions), {
    GroupMessage: types,
    Message: types,
    ReceivedEvent: EVENT_TYPES,
    StoryElement: ['text', 'image', 'video'],
    TokenRequest: ['authorization_code', 'refresh_token'],
  });
});

test('two schemas cannot have the same name', () => {
  const schemas = [
    { title: 'Poll', type: 'object' },
    { title: 'Poll', type: 'string' },
  ];
  assert.throws(() => nameSchemas({ schemas }), /two different schemas have the title Poll/);
});
