import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { AssistantStore, publishAssistant } from '#testing/assistant.ts';
import { findFreePort } from '#testing/free-port.ts';
import { textOf } from '#testing/html-page.ts';
import { approve } from '#testing/stock-client-scene.ts';
import { createWorldFor, type Person } from '#testing/world.ts';

type Change = Parameters<typeof publishAssistant>[0];

/** A server that accepts published clients, and an assistant that is not registered there. */
async function scene(t: TestContext, change?: Change) {
  const assistant = await publishAssistant(change);
  t.after(() => assistant[Symbol.asyncDispose]());
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const config = { publicUrl: url, takesPublishedClients: true, ...assistant.config };
  const world = await createWorldFor(t, config, assistant.options);
  await world.app.listen({ port, host: 'localhost' });
  /** The assistant signs in on the device of a person who approves on the consent page. */
  const signsIn = async (person: Person) => {
    const store = new AssistantStore(assistant.url);
    const transport = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: store });
    const connect = async () => {
      const client = new Client({ name: 'assistant', version: '1' });
      await client.connect(transport());
      t.after(() => client.close());
      return client;
    };
    await assert.rejects(connect(), UnauthorizedError);
    const back = await approve(store.sentTo ?? assert.fail('nobody was sent on'), person);
    await transport().finishAuth(back.searchParams);
    return { store, client: await connect() };
  };
  /** The consent page, or the response in its place. */
  const visit = async (changes: Record<string, string | undefined>, person?: Person) => {
    const asked = new URL(`${url}/oauth/authorize`);
    const parameters = {
      response_type: 'code',
      client_id: assistant.url,
      redirect_uri: 'http://127.0.0.1:50000/callback',
      scope: 'profile',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      ...changes,
    };
    for (const [name, value] of Object.entries(parameters))
      if (value !== undefined) asked.searchParams.set(name, value);
    const headers = person ? { cookie: person.cookie } : {};
    const {
      statusCode: status,
      body,
      headers: told,
    } = await world.app.inject({
      url: asked.pathname + asked.search,
      headers,
    });
    return { status, text: textOf(body), location: told.location, policy: told['content-security-policy'] };
  };
  return { assistant, world, url, signsIn, visit };
}

async function me(client: Client): Promise<string> {
  const { content } = await client.callTool({ name: 'getMe', arguments: {} });
  const [first] = content;
  return JSON.parse(first?.type === 'text' ? first.text : '{}').userId;
}

test('the SDK’s client signs a person in with its published document, refreshes, and is revoked', async (t) => {
  const { assistant, world, url, signsIn } = await scene(t);
  const person = await world.person();
  const { store, client } = await signsIn(person);
  assert.equal(store.sentTo?.searchParams.get('resource'), `${url}/mcp`);
  assert.equal(await me(client), person.accountId);
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'addToStory'));

  const before = store.tokens();
  world.clock.advance({ hours: 1, seconds: 1 });
  assert.equal(await me(client), person.accountId, 'the SDK refreshes amid the conversation');
  assert.notEqual(store.tokens()?.access_token, before?.access_token);

  const { body } = await person.calls('GET', '/api/chat/connected-applications');
  const [connected] = body.data.applications;
  assert.deepEqual([connected.name, connected.clientUrl], ['Ada’s assistant', assistant.url]);
  await person.calls('POST', '/api/chat/connected-applications/revoke', { appId: connected.appId });
  store.sentTo = undefined;
  await assert.rejects(me(client), UnauthorizedError);
  assert.ok(store.sentTo, 'the person is asked again');
});

test('each person has a separate quota; the operator suspends the client for all', async (t) => {
  const { assistant, world, signsIn, visit } = await scene(t);
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const { client } = await signsIn(ada);
  const { applications } = (await ada.calls('GET', '/api/chat/connected-applications')).body.data;
  const [{ appId }] = applications;
  await world.applications.changeQuota(appId, 8);
  await assert.rejects(async () => {
    for (let i = 0; i < 9; i++) await client.listTools();
  }, /quota|RATE_LIMIT/);
  const { client: other } = await signsIn(bob);
  assert.equal(await me(other), bob.accountId);
  assert.equal(assistant.reads(), 1, 'the document is kept for a while');
  world.clock.advance({ minutes: 2 });
  await world.suspends({ appId });
  await assert.rejects(me(other), /suspended/);
  assert.equal((await visit({}, bob)).status, 404);
});

test('the consent page shows what is known of the client, and warns of confusion', async (t) => {
  const { assistant, world, visit } = await scene(t);
  const stranger = await visit({});
  assert.deepEqual([stranger.status, assistant.reads()], [303, 0], 'nothing is read for strangers');
  assert.match(String(stranger.location), /^\/sign-in\?returnTo=/);
  const person = await world.person();
  const onDevice = await visit({}, person);
  assert.equal(onDevice.status, 200);
  const known = `All that is known about it comes from ${new URL(assistant.url).host} : ${assistant.url}`;
  assert.match(onDevice.text, /Not registered here\. The application chose its name itself\./);
  assert.ok(onDevice.text.includes(known), onDevice.text);
  assert.match(onDevice.text, /It says that it runs on this device/);
  assert.match(String(onDevice.policy), /form-action 'self' http:\/\/127\.0\.0\.1:\* https:;/);
  const elsewhere = await visit({ redirect_uri: 'https://assistant.example/callback' }, person);
  assert.equal(elsewhere.status, 200);
  assert.doesNotMatch(elsewhere.text, /on this device/);
  assert.equal(
    (await world.db`select from applications`).length,
    0,
    'a page that is looked at stores nothing',
  );
});

test('faults in an authorization request of a published client are shown on a page', async (t) => {
  const { world, url, visit } = await scene(t);
  const person = await world.person();
  const rows = [
    [{ redirect_uri: 'http://127.0.0.1:1/other' }, 'redirect_uri is not registered for this application'],
    [{ redirect_uri: 'http://localhost:1/callback' }, 'redirect_uri is not registered for this application'],
    [{ redirect_uri: 'https://assistant.example/callback/' }, 'redirect_uri is not registered'],
    [{ redirect_uri: 'cursor://assistant/callback' }, 'redirect_uri is not registered'],
    [{ redirect_uri: undefined }, 'redirect_uri is missing'],
    [{ code_challenge: undefined, code_challenge_method: undefined }, 'code_challenge is missing'],
    [{ scope: 'openid' }, 'scope may contain only'],
    [{ resource: 'https://other.example/mcp' }, 'resource is not this server’s MCP endpoint'],
    [{ client_id: `${url}/client.json` }, 'client_id'],
    [{ client_id: 'https://192.168.0.1/client.json' }, 'client_id'],
    [{ client_id: 'https://assistant.example.com' }, 'has no path'],
    [{ client_id: 'https://user@assistant.example.com/x' }, 'client_id'],
  ] as const;
  for (const [change, said] of rows) {
    const { status, text } = await visit(change, person);
    assert.deepEqual([status, text.includes(said)], [400, true], `${JSON.stringify(change)}: ${text}`);
  }
  for (const resource of [url, `${url}/`, `${url}/mcp`])
    assert.equal((await visit({ resource }, person)).status, 200, resource);
});

const FAULTS: [string, Change, string][] = [
  [
    'another id',
    (document) => Object.assign(document, { client_id: 'https://a.example/x' }),
    'is not its address',
  ],
  ['no name', (document) => delete document['client_name'], 'needs a client_name'],
  [
    'a NUL in its name',
    (document) => Object.assign(document, { client_name: 'a\0b' }),
    'needs a client_name',
  ],
  ['no redirect URIs', (document) => Object.assign(document, { redirect_uris: [] }), 'needs redirect_uris'],
  ['a secret', (document) => Object.assign(document, { client_secret: 'x' }), 'must be none'],
  [
    'a proof that is not offered',
    (document) => Object.assign(document, { token_endpoint_auth_method: 'private_key_jwt' }),
    'must be none',
  ],
  ['more than 5 KiB', (document) => Object.assign(document, { x: 'x'.repeat(6000) }), 'at most 5120'],
];

for (const [kind, change, said] of FAULTS)
  test(`a document with ${kind} is refused, and fetched again next time`, async (t) => {
    const { assistant, world, visit } = await scene(t, change);
    const person = await world.person();
    for (const times of [1, 2]) {
      const { status, text } = await visit({}, person);
      assert.deepEqual([status, text.includes(said), assistant.reads()], [400, true, times], text);
    }
  });

test('one person can cause at most 30 document fetches an hour', async (t) => {
  const { assistant, world, visit } = await scene(t);
  const person = await world.person();
  const missing = assistant.url.replace('client.json', 'missing.json');
  for (let i = 0; i < 30; i++) assert.equal((await visit({ client_id: missing }, person)).status, 400);
  assert.equal((await visit({ client_id: missing }, person)).status, 429);
  assert.equal(assistant.reads(), 30);
  assert.equal((await visit({}, await world.person())).status, 200);
});

test('without MCP_CLIENTS=published such a client is unknown, and its tokens are refused', async (t) => {
  const { assistant, world, url, signsIn, visit } = await scene(t);
  const person = await world.person();
  const { client, store } = await signsIn(person);
  const ask = async () => (await world.app.inject('/.well-known/oauth-authorization-server')).json();
  const on = await ask();
  assert.equal(on.client_id_metadata_document_supported, true);
  assert.deepEqual(on.token_endpoint_auth_methods_supported.at(-1), 'none');
  world.config.takesPublishedClients = false;
  const off = await ask();
  assert.equal('client_id_metadata_document_supported' in off, false);
  assert.equal(off.token_endpoint_auth_methods_supported.includes('none'), false);
  assert.equal((await visit({}, person)).status, 404);
  const { refresh_token: token = '' } = store.tokens() ?? {};
  const refreshed = await world.app.inject({
    method: 'POST',
    url: '/oauth/token',
    payload: { grant_type: 'refresh_token', refresh_token: token, client_id: assistant.url },
  });
  assert.deepEqual([refreshed.statusCode, refreshed.json().message], [400, 'client_secret is required']);
  const headers = { authorization: `Bearer ${store.tokens()?.access_token}` };
  assert.equal((await world.app.inject({ url: '/v1/me', headers })).statusCode, 403);
  await assert.rejects(me(client));
  assert.equal(
    (await fetch(`${url}/.well-known/oauth-protected-resource`)).status,
    200,
    'of one that has it on',
  );
});

test('nobody can impersonate a published client by its App ID', async (t) => {
  const { assistant, world, signsIn } = await scene(t);
  const person = await world.person();
  const { store } = await signsIn(person);
  const [application] = await world.db`select app_id from applications`;
  const post = (url: string, payload: object) => world.app.inject({ method: 'POST', url, payload });
  const { refresh_token: token = '' } = store.tokens() ?? {};
  const grant = { grant_type: 'refresh_token', refresh_token: token };
  for (const client of [
    { client_id: application?.['appId'] },
    { client_id: application?.['appId'], client_secret: 'x' },
    { client_id: `${assistant.url}?` },
    { client_id: assistant.url, client_secret: 'x' },
  ]) {
    const { statusCode } = await post('/oauth/token', { ...grant, ...client });
    assert.ok([400, 401].includes(statusCode), JSON.stringify(client));
  }
  const revoked = await post('/oauth/revoke', { token, client_id: assistant.url });
  assert.equal(revoked.statusCode, 200);
  assert.equal(
    (await post('/oauth/token', { ...grant, client_id: assistant.url })).json().error,
    'invalid_grant',
  );
});
