import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  Client,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { findFreePort } from '#testing/free-port.ts';
import { createWorld } from '#testing/world.ts';

async function scene(t: TestContext) {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const world = await createWorld({ publicUrl: url });
  t.after(() => world[Symbol.asyncDispose]());
  await world.app.listen({ port, host: 'localhost' });
  const allows = ({ appId, owner }: { appId: string; owner: { accountId: string } }, isOn = true) =>
    world.applications.switchExtension({ appId, ownerId: owner.accountId }, { extension: 'mcp', isOn });
  const connect = async (token: string) => {
    const client = new Client({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
    );
    t.after(() => client.close());
    return client;
  };
  const call = async (client: Client, name: string, given: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: given });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    return isError ? text : JSON.parse(text);
  };
  return { world, url, allows, connect, call };
}

test('a bot’s assistant reads events, answers, makes groups and asks polls', async (t) => {
  const { world, allows, connect, call } = await scene(t);
  const bot = await world.bot();
  await bot.mayOnly(['messages:send', 'groups:manage', 'polls:write']);
  await allows(bot);
  const ada = await world.person();
  const client = await connect(bot.key);
  const { nextAfter } = await call(client, 'listEvents');
  await ada.writes(bot, 'hello');
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  for (const name of [
    'sendMessage',
    'sendGroupMessage',
    'listEvents',
    'createPoll',
    'votePoll',
    'closePoll',
    'createGroup',
  ])
    assert.equal(names.includes(name), true, name);
  assert.equal(names.includes('addToStory'), false);
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
  const { msgId, poll } = await call(client, 'createPoll', {
    groupId,
    question: 'Tea?',
    options: ['yes', 'no'],
  });
  const voted = await call(client, 'votePoll', { messageId: msgId, optionId: poll.options[0].id });
  assert.equal(voted.poll.totalVotes, 1);
  assert.equal((await call(client, 'closePoll', { messageId: msgId })).poll.closed, true);
});

test('a person’s assistant has the scopes that the person gave, and reads the guide', async (t) => {
  const { world, url, allows, connect, call } = await scene(t);
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
    '403 permission-denied: the scope polls:write is missing',
  );
  await world.oauth.ledger[Symbol.asyncDispose]();
  const { calls } = await world.oauth.listCalls(person.accountId, {});
  assert.deepEqual(
    calls.map(({ method, path }) => `${method} ${path}`),
    ['GET /v1/stories/mine', 'POST /v1/stories'],
  );
  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    [`${url}/llms.txt`, `${url}/openapi.json`],
  );
  const { contents } = await client.readResource({ uri: `${url}/llms.txt` });
  const [guide] = contents;
  assert.match(guide && 'text' in guide ? guide.text : '', /^# Parley\n[\s\S]*\/docs\/guide\/quickstart\)/);
});

test('faults are told, and the quota is that of the API', async (t) => {
  const { world, allows, connect, call } = await scene(t);
  const bot = await world.bot();
  await allows(bot);
  const client = await connect(bot.key);
  assert.equal(
    await call(client, 'sendMessage', { to: 'usr_x', type: 'text' }),
    '400 invalid-argument: content is required',
  );
  assert.match(
    await call(client, 'createPoll', {}),
    /^403 permission-denied: the scope polls:write is missing/,
  );
  await assert.rejects(client.callTool({ name: 'formatDisk', arguments: {} }), /there is no tool formatDisk/);
  await world.applications.changeQuota(bot.appId, 3);
  const answers = [];
  for (let i = 0; i < 4; i++) answers.push((await bot.calls('GET', '/v1/me')).status);
  assert.deepEqual(answers, [200, 200, 200, 429]);
});

test('whatever revokes a credential ends it amid a conversation', async (t) => {
  const { world, allows, connect, call } = await scene(t);
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
  const { world, url, allows } = await scene(t);
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
  await allows(await world.bot());
  const off = await post({ authorization });
  assert.deepEqual(
    [off.status, ((await off.json()) as { message: string }).message],
    [403, 'MCP is switched off for this application'],
  );
  await allows(bot);
  assert.equal((await post({ authorization })).status, 200);
  assert.equal((await post({ authorization, origin: url })).status, 200);
  assert.equal((await post({ authorization, origin: 'https://evil.example' })).status, 403);
  await allows(bot, false);
  assert.equal((await post({ authorization })).status, 403);
  const stranger = await post({});
  assert.deepEqual(
    [stranger.status, stranger.headers.get('www-authenticate')],
    [401, `Bearer realm="parley", resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`],
  );
  assert.equal((await fetch(`${url}/mcp`, { headers: { authorization } })).status, 403);
  const resource = await discoverOAuthProtectedResourceMetadata(`${url}/mcp`);
  assert.deepEqual([resource.resource, resource.authorization_servers], [`${url}/mcp`, [url]]);
  const server = await discoverAuthorizationServerMetadata(url);
  assert.equal(server?.token_endpoint, `${url}/oauth/token`);
});
