import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import type { V1 } from '#features/applications/index.ts';
import { createApp } from '#platform/http/app.ts';
import { createActingApp } from '#testing/acting-app.ts';
import { createWorld } from '#testing/world.ts';
import { personRoutes, requirePerson } from './people/person.ts';

const reply = Type.Array(Type.String());

test('a handler for people gets the person, and using another audience’s values does not compile', async () => {
  await using world = await createWorld();
  await using app = createApp(world);
  const ada = await world.person();
  await app.register(async (scope) => {
    requirePerson(scope, world);
    const chat = personRoutes(scope, world, 'chat');
    chat.get('/given', { reply, message: 'given' }, (given) => Object.keys(given));
    // @ts-expect-error: people do not act with an application's credential
    chat.get('/other', { reply, message: 'given' }, ({ actor }) => [String(actor)]);
    // @ts-expect-error: the chat has no operator
    chat.get('/operator', { reply, message: 'given' }, ({ operator }) => [String(operator)]);
    // @ts-expect-error: only raw routes get the request
    chat.get('/request', { reply, message: 'given' }, ({ request }) => [String(request)]);
    const developers = personRoutes(scope, world, 'console');
    // @ts-expect-error: developers in the console do not act with one either
    developers.get('/console', { reply, message: 'given' }, ({ actor }) => [String(actor)]);
  });
  const get = async (url: string) => (await app.inject({ url, headers: { cookie: ada.cookie } })).json().data;
  assert.deepEqual(await get('/given'), ['person', 'params', 'query', 'body']);
  assert.deepEqual(await get('/other'), ['undefined']);
  for (const url of ['/operator', '/request', '/console'])
    assert.deepEqual(await get(url), ['undefined'], url);
});

test('a handler of the public API gets the actor, and no person', async () => {
  await using world = await createWorld();
  const declaration = {
    access: { actors: ['bot'] },
    operationId: 'given',
    summary: 'Given',
    reply,
    message: 'given',
  } as const;
  await using app = await createActingApp(world, (v1: V1) => {
    v1.get('/given', declaration, (given) => Object.keys(given));
    // @ts-expect-error: an application has no session
    v1.get('/other', declaration, ({ person }) => [String(person)]);
  });
  const get = async (url: string) =>
    (await app.calls({ kind: 'bot', accountId: world.newId('usr') }, 'GET', url)).body.data;
  assert.deepEqual(await get('/given'), ['actor', 'params', 'query', 'body']);
  assert.deepEqual(await get('/other'), ['undefined']);
});
