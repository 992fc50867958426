import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { endpoints } from '#contract/endpoints.ts';
import { createApp } from '#platform/http/app.ts';
import { answering, open, serve } from '#platform/http/serve.ts';
import { createActingApp } from '#testing/acting-app.ts';
import { createWorld } from '#testing/world.ts';
import { requirePerson } from './people/person.ts';
import { forPeople } from './people/surfaces.ts';

const shown = { reply: Type.Array(Type.String()), message: 'given' } as const;

test('a handler for people gets the person, and using another audience’s values does not compile', async () => {
  await using world = await createWorld();
  await using app = createApp(world);
  const ada = await world.person();
  const PAGES = endpoints('person', '', { 'GET /given': shown, 'GET /other': shown, 'GET /operator': shown });
  const served = [
    serve(PAGES, { 'GET /given': (given) => Object.keys(given) }),
    // @ts-expect-error: people do not act with an application's credential
    serve(PAGES, { 'GET /other': ({ actor }) => [String(actor)] }),
  ];
  await app.register(async (scope) => {
    requirePerson(scope, world);
    open(scope, world, forPeople('chat'), served);
  });
  const get = async (url: string) => (await app.inject({ url, headers: { cookie: ada.cookie } })).json().data;
  assert.deepEqual(await get('/given'), ['person', 'params', 'query', 'body']);
  assert.deepEqual(await get('/other'), ['undefined']);
});

test('a handler is compared with its entry, and a table with what answers it', async () => {
  await using world = await createWorld();
  await using app = createApp(world);
  const PAGES = endpoints('person', '', {
    'GET /one/:appId': shown,
    'POST /two': { body: Type.Object({ name: Type.String() }), reply: Type.Object({}), message: 'done' },
  });
  const one = serve(PAGES, { 'GET /one/:appId': ({ params }) => [params.appId] });
  const wrong = {
    // @ts-expect-error: only raw endpoints get the request
    request: () => serve(PAGES, { 'GET /one/:appId': ({ request }) => [String(request)] }),
    // @ts-expect-error: the table has no such endpoint
    unknown: () => serve(PAGES, { 'GET /three': () => ({}) }),
    // @ts-expect-error: the path has no such parameter
    param: () => serve(PAGES, { 'GET /one/:appId': ({ params }) => [params.id] }),
    // @ts-expect-error: the body has no such field
    field: () => serve(PAGES, { 'POST /two': ({ body }) => ({ ...body.names }) }),
    // @ts-expect-error: it answers with a list
    answer: () => serve(PAGES, { 'GET /one/:appId': () => 1 }),
    // @ts-expect-error: nobody answers `POST /two`
    unanswered: () => answering([PAGES], [one]),
  };
  assert.throws(() => wrong.unknown() && open(app, world, forPeople('chat'), [wrong.unknown()]));
  assert.deepEqual(Object.keys(one.handlers), ['GET /one/:appId']);
});

test('a handler of the public API gets the actor, and no person', async () => {
  await using world = await createWorld();
  const declaration = {
    access: { actors: ['bot'] },
    operationId: 'given',
    summary: 'Given',
    tags: [],
    example: { response: [] },
    ...shown,
  } as const;
  const API = endpoints('actor', '', { 'GET /given': declaration, 'GET /other': declaration });
  await using app = await createActingApp(world, [
    serve(API, { 'GET /given': (given) => Object.keys(given) }),
    // @ts-expect-error: an application has no session
    serve(API, { 'GET /other': ({ person }) => [String(person)] }),
  ]);
  const get = async (url: string) =>
    (await app.calls({ kind: 'bot', accountId: world.newId('usr') }, 'GET', url)).body.data;
  assert.deepEqual(await get('/given'), ['actor', 'toAdmissionCheck', 'params', 'query', 'body']);
  assert.deepEqual(await get('/other'), ['undefined']);
});
