import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { EXTENSIONS } from '#contract/applications.ts';
import { CHANGED_ELSEWHERE, EXTENSIONS_TOPIC } from '#platform/live.ts';
import { REDIRECT_URI } from '#testing/oauth-client.ts';
import { createWorld, createWorldFor, type World } from '#testing/world.ts';

/** Every address that an extension adds. */
const ADDRESSES = [
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/oauth/jwks'],
  ['GET', '/oauth/logout'],
  ['POST', '/oauth/logout'],
  ['POST', '/oauth/logout/confirm'],
  ['POST', '/oauth/authorize'],
  ['POST', '/oauth/userinfo'],
  ['POST', `/hooks/xih_${'0'.repeat(78)}`],
  ['GET', '/.well-known/oauth-protected-resource'],
  ['GET', '/.well-known/oauth-protected-resource/mcp'],
  ['GET', '/mcp'],
  ['POST', '/mcp'],
  ['DELETE', '/mcp'],
] as const;

/** A response without the parts that differ between requests. */
async function ask({ app }: World, options: InjectOptions) {
  const { statusCode, headers, body } = await app.inject(options);
  const { 'x-request-id': _, date: __, 'ratelimit-remaining': ___, ...rest } = headers;
  const text = JSON.stringify([statusCode, rest, body]);
  return text.replaceAll(/nonce-[\w+/=]+|nonce=\\+"[\w+/=]+|req_\w+/g, '…');
}

async function scene(t: TestContext): Promise<World & { callers: Record<string, string>[] }> {
  const world = await createWorldFor(t);
  const [bot, person] = [await world.bot(), await world.person()];
  const token = await world.token({ scopes: ['profile'], person });
  const callers: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${bot.key}` },
    { authorization: `Bearer ${token}` },
    { cookie: person.cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    { accept: 'text/html', 'sec-fetch-site': 'cross-site', origin: 'https://other.example' },
  ];
  return { ...world, callers };
}

test('with all extensions off, their addresses are answered as unknown ones; applications learn who turns MCP on', async (t) => {
  const world = await scene(t);
  for (const [method, url] of ADDRESSES) {
    const unknown = `${url.slice(0, -1)}~`;
    for (const headers of world.callers) {
      const expected = await ask(world, { method, url: unknown, headers });
      assert.match(expected, /^\[404,/);
      const answer = await ask(world, { method, url, headers });
      if (url === '/mcp' && headers['authorization']) assert.match(answer, /^\[404,.*MCP is off/);
      else assert.equal(answer, expected.replaceAll(unknown, url), `${method} ${url}`);
    }
  }
});

test('the OpenAPI document contains none of them, and is byte for byte the same whatever is switched on', async () => {
  await using world = await createWorld();
  const document = async () => (await world.app.inject('/openapi.json')).body;
  const off = await document();
  const { paths } = JSON.parse(off);
  for (const [method, url] of ADDRESSES) assert.equal(paths[url]?.[method.toLowerCase()], undefined, url);
  assert.doesNotMatch(off, /openid|\/hooks|\/mcp|id_token/);
  const bot = await world.bot();
  await world.switches(bot, EXTENSIONS);
  world.config.takesPublishedClients = true;
  assert.equal((await world.app.inject('/.well-known/openid-configuration')).statusCode, 200);
  assert.equal(await document(), off);
});

test('an extension of one application changes no responses to others', async (t) => {
  const world = await scene(t);
  const { appId } = await world.client();
  const authorize = `/oauth/authorize?response_type=code&client_id=${appId}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const requests: InjectOptions[] = [
    ...[
      '/v1/me',
      '/v1/stories/mine',
      '/v1/nowhere',
      '/oauth/userinfo',
      '/oauth/nowhere',
      '/openapi.json',
      '/.well-known/oauth-authorization-server',
      `${authorize}&scope=openid`,
      `${authorize}&scope=profile&prompt=none&max_age=0&nonce=n`,
      `${authorize}&scope=profile&resource=http://localhost:3000/mcp`,
      '/oauth/authorize?client_id=https://assistant.example/client.json',
    ].map((url) => ({ url })),
    { method: 'POST', url: '/v1/messages', payload: { to: 'usr_x', type: 'text', content: 'x' } },
    { method: 'POST', url: '/v1/groups', payload: { name: '' } },
    { method: 'POST', url: '/oauth/authorize', payload: `client_id=${appId}` },
    { method: 'POST', url: '/oauth/token', payload: 'grant_type=authorization_code' },
    {
      method: 'POST',
      url: '/oauth/token',
      payload:
        'grant_type=refresh_token&refresh_token=x&client_id=https%3A%2F%2Fassistant.example%2Fclient.json',
    },
    { method: 'POST', url: '/oauth/revoke', payload: `client_id=${appId}&client_secret=x&token=x` },
  ];
  const askAll = async () => {
    const answers: string[] = [];
    for (const request of requests)
      for (const caller of world.callers) {
        const isForm = typeof request.payload === 'string';
        const headers = { ...caller, ...(isForm && form) };
        // The consent page seals its form anew each time.
        answers.push(
          (await ask(world, { ...request, headers })).replaceAll(/name=\\"consent\\" value=\\"[^"]*"/g, ''),
        );
      }
    return answers;
  };
  const before = await askAll();
  world.clock.advance({ minutes: 2 });
  await world.switches(await world.bot(), EXTENSIONS);
  const stamp = /\\"timestamp\\":\d+/g;
  assert.deepEqual(
    (await askAll()).map((text) => text.replaceAll(stamp, '')),
    before.map((text) => text.replaceAll(stamp, '')),
  );
});

test('the addresses disappear with the last application that has the extension on, also in another process', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const statuses = async () => {
    const urls = ['/.well-known/openid-configuration', '/.well-known/oauth-protected-resource', '/mcp'];
    return Promise.all(urls.map(async (url) => (await world.app.inject({ url })).statusCode));
  };
  assert.deepEqual(await statuses(), [404, 404, 404]);
  await world.switches(bot, EXTENSIONS);
  assert.deepEqual(await statuses(), [200, 200, 401]);
  await world.switches(bot, EXTENSIONS, false);
  assert.deepEqual(await statuses(), [404, 404, 404]);
  await world.switches(bot, EXTENSIONS);
  await bot.owner.deletes(bot);
  assert.deepEqual(await statuses(), [404, 404, 404]);

  const [leaving, staying] = [await world.bot(), await world.bot()];
  await world.switches(leaving, EXTENSIONS);
  assert.deepEqual(await statuses(), [200, 200, 401]);
  await world.hooks.applications.account.beforeDeletion?.(leaving.owner.accountId);
  assert.deepEqual(await statuses(), [404, 404, 404]);

  await world.switches(staying, EXTENSIONS);
  // From here on it counts as in use without a look, until something is heard.
  assert.deepEqual(await statuses(), [200, 200, 401]);
  await world.db`delete from application_extensions where app_id = ${staying.appId}`;
  assert.deepEqual(await statuses(), [200, 200, 401], 'as long as it did not hear of it');
  world.live.publishLocally(EXTENSIONS_TOPIC, CHANGED_ELSEWHERE);
  assert.deepEqual(await statuses(), [404, 404, 404]);
});
