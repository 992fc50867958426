import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import { KEY_SCOPES, OAUTH_SCOPES } from '#contract/scopes.ts';
import { createLog } from '#platform/log.ts';
import { columnOf } from '#testing/columns.ts';
import { mcpScene } from '#testing/mcp-scene.ts';

test('its tools are the operations of the API that the credential may call, except uploads, and those for conversations', async (t) => {
  const { world, url, allows, connect } = await mcpScene(t);
  const bot = await world.bot();
  await bot.mayOnly(KEY_SCOPES);
  await allows(bot);
  const application = await world.client();
  await allows(application);
  const token = await world.token({ scopes: OAUTH_SCOPES, client: application });
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string; security: object[] }>>;
  };
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ operationId }) => operationId !== 'uploadFile');
  for (const [credential, scheme, others] of [
    [bot.key, 'apiKey', ['ask_person', 'stream_message']],
    [token, 'oauth2', []],
  ] as const) {
    const { tools } = await (await connect(credential)).listTools();
    const allowed = operations.filter(({ security }) => security.some((one) => scheme in one));
    assert.deepEqual(
      tools.map(({ name }) => name).sort(),
      [...allowed.map(({ operationId }) => operationId), ...others].sort(),
      scheme,
    );
  }
});

test('a bot’s assistant reads events, answers, creates groups and polls', async (t) => {
  const { world, allows, connect, call } = await mcpScene(t);
  const bot = await world.bot();
  await bot.mayOnly(['messages:send', 'groups:manage', 'polls:write']);
  await allows(bot);
  const ada = await world.person();
  const client = await connect(bot.key);
  const { nextAfter } = await call(client, 'listEvents');
  await ada.writes(bot, 'hello');
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  assert.deepEqual([names.includes('votePoll'), names.includes('addToStory')], [true, false]);
  const { inputSchema } = tools.find(({ name }) => name === 'listEvents') ?? assert.fail();
  assert.partialDeepStrictEqual(inputSchema.properties, { limit: { type: 'integer' } });
  assert.equal((await call(client, 'listEvents', { limit: 1 })).events.length, 1);
  const sending = tools.find(({ name }) => name === 'sendMessage');
  assert.deepEqual(sending?.inputSchema.required, ['to', 'type']);
  const { type } = (sending?.inputSchema.properties ?? {}) as Record<string, { enum: string[] }>;
  assert.deepEqual(type?.enum, ['text', 'image', 'video', 'audio', 'doc', 'gif', 'sticker', 'location']);

  const { events } = await call(client, 'listEvents', { after: nextAfter });
  const { chatId } = events[0].event.data;
  const file = 'https://files.example.com/a.png';
  const kinds = [
    { type: 'text', content: 'hello, too' },
    { type: 'image', fileUrl: file },
    { type: 'video', fileUrl: file, thumbnailUrl: file },
    { type: 'audio', fileUrl: file },
    { type: 'doc', fileUrl: file },
    { type: 'gif', fileUrl: file },
    { type: 'sticker', fileUrl: file },
    { type: 'location', location: { latitude: 1, longitude: 2 } },
  ];
  for (const kind of kinds) {
    const sent = await call(client, 'sendMessage', { to: chatId, ...kind });
    assert.match(sent.msgId, /^msg_/);
  }
  assert.deepEqual(
    (await ada.reads(bot)).map(({ type }) => type).slice(0, 8),
    kinds.map(({ type }) => type).reverse(),
  );
  const { groupId } = await call(client, 'createGroup', { name: 'Team', members: [ada.accountId] });
  const options = ['yes', 'no'];
  const { poll } = await call(client, 'createPoll', { groupId, question: 'Tea?', options });
  assert.equal(poll.options.length, 2);
  assert.equal((await call(client, 'listGroupMembers', { groupId })).members.length, 2);
  await call(client, 'deleteGroup', { groupId });
  assert.match(await call(client, 'listGroupMembers', { groupId }), /^404 not-found: /);
});

test('the access log has the caller’s address for tool calls', async (t) => {
  const lines: { route: string; address: string }[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const config = { accessLog: true, trustProxy: ['127.0.0.0/8', '::1/128'] };
  const { world, allows, connect, call } = await mcpScene(t, config, { log });
  const bot = await world.bot();
  await allows(bot);
  const client = await connect(bot.key, { 'x-forwarded-for': '203.0.113.9' });
  await call(client, 'getMe');
  await client.readResource({ uri: `${world.config.publicUrl}/openapi.json` });
  for (const route of ['/mcp', '/v1/me', '/openapi.json'])
    assert.equal(lines.find((line) => line.route === route)?.address, '203.0.113.9', route);
});

test('a person’s assistant has the scopes that the person gave, and reads the guide', async (t) => {
  const { world, url, allows, connect, call } = await mcpScene(t);
  const application = await world.client();
  await allows(application);
  const person = await world.person();
  const scopes = ['stories:write', 'stories:read'] as const;
  const client = await connect(await world.token({ scopes, person, client: application }));
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), [
    'addToStory',
    'deleteStory',
    'getMe',
    'listOwnStories',
  ]);
  const { storyId } = await call(client, 'addToStory', { type: 'text', text: 'Good morning' });
  assert.deepEqual(
    (await call(client, 'listOwnStories')).map((story: { storyId: string }) => story.storyId),
    [storyId],
  );
  assert.equal(
    await call(client, 'createPoll', { receiverId: person.accountId, question: 'x', options: ['a', 'b'] }),
    '403 permission-denied: the scope polls:write is missing: request it at /oauth/authorize, so that the person can consent to it',
  );
  await world.oauth.ledger[Symbol.asyncDispose]();
  const { calls } = await world.oauth.listCalls(person.accountId, {});
  assert.deepEqual(
    calls.map(({ method, path }) => `${method} ${path}`),
    ['GET /v1/stories/mine', 'POST /v1/stories'],
  );
  await call(client, 'deleteStory', { storyId });
  assert.deepEqual(await call(client, 'listOwnStories'), []);
  const { resources } = await client.listResources();
  assert.deepEqual(columnOf(resources, 'uri'), [`${url}/llms.txt`, `${url}/openapi.json`]);
  assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, []);
  const { contents } = await client.readResource({ uri: `${url}/llms.txt` });
  const [guide] = contents;
  assert.match(guide && 'text' in guide ? guide.text : '', /^# Parley\n[\s\S]*\/docs\/guide\/quickstart\)/);
});

test('errors are reported, and the quota is that of the API', async (t) => {
  const { world, allows, connect, call } = await mcpScene(t);
  const bot = await world.bot();
  await allows(bot);
  const client = await connect(bot.key);
  assert.equal(
    await call(client, 'sendMessage', { to: 'usr_x', type: 'text' }),
    '400 invalid-argument: content is required',
  );
  assert.equal(
    await call(client, 'getMessage', { msgId: 'msg_x', conversationId: { toString: 'no function' } }),
    '400 invalid-argument: conversationId must be an id: 1 to 128 letters, digits, _ and -',
  );
  assert.match(
    await call(client, 'createPoll', {}),
    /^403 permission-denied: the scope polls:write is missing/,
  );
  await assert.rejects(client.callTool({ name: 'formatDisk', arguments: {} }), /there is no tool formatDisk/);
  const left = async () => Number((await bot.calls('GET', '/v1/me')).headers['ratelimit-remaining']);
  const before = await left();
  await call(client, 'getMe');
  assert.equal(await left(), before - 2, 'a tool’s call counts like any other');
  await world.applications.changeQuota(bot.appId, 20);
  while ((await bot.calls('GET', '/v1/me')).status === 200);
  assert.match(await call(client, 'getMe'), /^429 /);
});

test('a batch has at most 5 messages', async (t) => {
  const { world, url, allows } = await mcpScene(t);
  const bot = await world.bot();
  await allows(bot);
  const headers = {
    authorization: `Bearer ${bot.key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = (count: number) => {
    const batch = Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    return fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(batch) });
  };
  assert.equal((await post(5)).status, 200);
  const answer = await post(6);
  const { message } = (await answer.json()) as { message: string };
  assert.deepEqual([answer.status, message], [400, 'body must have at most 5 entries']);
});

test('revoking a credential ends a conversation in progress', async (t) => {
  const { world, allows, connect, call } = await mcpScene(t);
  const bot = await world.bot();
  await allows(bot);
  const client = await connect(bot.key);
  assert.equal((await call(client, 'getMe')).userId, bot.accountId);
  await bot.owner.calls('POST', `/api/console/applications/${bot.appId}/api-key`);
  await assert.rejects(client.callTool({ name: 'getMe', arguments: {} }), /unauthenticated/);

  const application = await world.client();
  await allows(application);
  const person = await world.person();
  const theirs = await connect(await world.token({ scopes: ['profile'], person, client: application }));
  assert.equal((await call(theirs, 'getMe')).userId, person.accountId);
  await world.oauth.revokeConnection(person.accountId, { appId: application.appId });
  await assert.rejects(theirs.callTool({ name: 'getMe', arguments: {} }), /unauthenticated/);
});

test('off until the owner switches it on; no credential, and another site, are refused', async (t) => {
  const { world, url, allows } = await mcpScene(t);
  const bot = await world.bot();
  const post = (headers: Record<string, string>) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
  const authorization = `Bearer ${bot.key}`;
  const answered = async (headers: Record<string, string>) => {
    const answer = await post(headers);
    const { message } = (await answer.json()) as { message: string };
    return [answer.status, message];
  };
  const off = 'MCP is off for this application: its owner turns it on in the console, under Integrations';
  assert.deepEqual(await answered({}), [404, 'there is no POST /mcp']);
  assert.deepEqual(await answered({ authorization }), [404, off]);
  await allows(await world.bot());
  assert.deepEqual(await answered({ authorization }), [404, off]);
  await allows(bot);
  assert.equal((await post({ authorization })).status, 200);
  assert.equal((await post({ authorization, origin: url })).status, 200);
  assert.equal((await post({ authorization, origin: 'https://evil.example' })).status, 403);
  await allows(bot, false);
  assert.equal((await post({ authorization })).status, 404);
  const stranger = await post({});
  assert.deepEqual(
    [stranger.status, stranger.headers.get('www-authenticate')],
    [401, `Bearer realm="parley", resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`],
  );
  assert.equal((await fetch(`${url}/mcp`, { headers: { authorization } })).status, 404);
  const resource = await discoverOAuthProtectedResourceMetadata(`${url}/mcp`);
  assert.deepEqual([resource.resource, resource.authorization_servers], [`${url}/mcp`, [url]]);
  const server = await discoverAuthorizationServerMetadata(url);
  assert.equal(server?.token_endpoint, `${url}/oauth/token`);
});
