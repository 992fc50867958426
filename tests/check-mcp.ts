import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { AssistantStore, publishAssistant } from '#testing/assistant.ts';
import { findFreePort } from '#testing/free-port.ts';
import { globalSetup, globalTeardown } from '#testing/global-setup.ts';
import { approve } from '#testing/stock-client-scene.ts';
import { type Bot, createWorld, type Person } from '#testing/world.ts';

/**
 * `npm run check:mcp`: unmodified third-party clients at `/mcp`: the command line of the MCP inspector and the SDK version
 * before ours, as a bot and as a person: list, call, errors, and a credential that is revoked between two calls. They are
 * downloaded from npm, 130 MB, so `npm test` does not run it.
 */
const PACKAGES = ['@modelcontextprotocol/inspector@2.12.0', '@modelcontextprotocol/sdk@1.32.2'];
const FOLDER = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'parley-mcp-clients');

const INSPECTOR = join(
  FOLDER,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

await mkdir(FOLDER, { recursive: true });
const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
const installed = await runs('npm', ['install', '--prefix', FOLDER, ...flags, ...PACKAGES]);
assert.equal(installed.code, 0, installed.err);

await using made = new AsyncDisposableStack();
await globalSetup();
made.defer(globalTeardown);
const assistant = made.use(await publishAssistant());
const port = await findFreePort();
const url = `http://localhost:${port}`;
const config = { publicUrl: url, takesPublishedClients: true, ...assistant.config };
const world = made.use(await createWorld(config, assistant.options));
await world.app.listen({ port, host: 'localhost' });
const home = await mkdtemp(join(tmpdir(), 'parley-inspector-'));
made.defer(() => rm(home, { recursive: true, force: true }));

await inspectAsBot();
await inspectAsPerson();
await callByOlderSdk();
console.log(
  'the inspector and the SDK before ours: list, call, errors and revocation, as a bot and as a person',
);

async function inspectAsBot(): Promise<void> {
  const bot = await switchedOn();
  const key = ['--header', `Authorization: Bearer ${bot.key}`];
  const listed = await inspect([...key, '--method', 'tools/list']);
  assert.deepEqual([listed.code, listed.out.includes('"name": "sendMessage"')], [0, true], listed.err);
  const call = ['--method', 'tools/call', '--tool-name'];
  const called = await inspect([...key, ...call, 'getMe']);
  assert.deepEqual([called.code, called.out.includes(bot.accountId)], [0, true], called.err);
  const refused = await inspect([
    ...key,
    ...call,
    'sendMessage',
    '--tool-args-json',
    '{"to":"usr_x","type":"text"}',
  ]);
  assert.deepEqual(
    [refused.code, /400 invalid-argument: content is required/.test(refused.out)],
    [5, true],
    refused.err,
  );
  assert.equal((await inspect([...key, ...call, 'formatDisk'])).code, 5);
  await bot.regeneratesKey();
  assert.equal(
    (await inspect([...key, '--stored-auth-only', ...call, 'getMe'])).code,
    3,
    'the key is revoked',
  );
}

/** Registers by the client's published document; the tokens are kept for the next run. */
async function inspectAsPerson(): Promise<void> {
  const person = await world.person();
  const client = [
    '--client-metadata-url',
    assistant.url,
    '--callback-url',
    `http://127.0.0.1:${await findFreePort()}/callback`,
  ];
  const call = ['--method', 'tools/call', '--tool-name', 'getMe'];
  const signedIn = await inspect([...client, ...call], person);
  assert.deepEqual([signedIn.code, signedIn.out.includes(person.accountId)], [0, true], signedIn.err);
  const again = [...client, '--stored-auth-only'];
  const listed = await inspect([...again, '--method', 'tools/list']);
  assert.deepEqual([listed.code, listed.out.includes('"name": "addToStory"')], [0, true], listed.err);
  const refused = await inspect([...again, '--method', 'tools/call', '--tool-name', 'sendMessage']);
  assert.equal(refused.code, 5, 'a person does not act as a bot');
  const { applications } = (await person.calls('GET', '/api/chat/connected-applications')).body.data;
  const [{ appId }] = applications;
  await person.calls('POST', '/api/chat/connected-applications/revoke', { appId });
  assert.equal((await inspect([...again, ...call])).code, 3, 'the person has ended its access');
}

interface OlderClient {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(asked: object): Promise<{ isError?: boolean; content: { text: string }[] }>;
}

async function callByOlderSdk(): Promise<void> {
  const load = (path: string) =>
    import(pathToFileURL(join(FOLDER, 'node_modules/@modelcontextprotocol/sdk/dist/esm/client', path)).href);
  const [{ Client }, { StreamableHTTPClientTransport: Transport }] = await Promise.all([
    load('index.js'),
    load('streamableHttp.js'),
  ]);
  const connect = async (options: object): Promise<OlderClient> => {
    const client = new Client({ name: 'older', version: '1' });
    await client.connect(new Transport(new URL(`${url}/mcp`), options));
    return client;
  };
  const whoIs = async (client: OlderClient): Promise<string> =>
    JSON.parse((await client.callTool({ name: 'getMe', arguments: {} })).content[0]?.text ?? '{}').userId;

  const bot = await switchedOn();
  const asBot = await connect({ requestInit: { headers: { authorization: `Bearer ${bot.key}` } } });
  assert.ok((await asBot.listTools()).tools.some(({ name }) => name === 'sendMessage'));
  assert.equal(await whoIs(asBot), bot.accountId);
  const refused = await asBot.callTool({ name: 'sendMessage', arguments: { to: 'usr_x', type: 'text' } });
  assert.deepEqual(
    [refused.isError, refused.content[0]?.text],
    [true, '400 invalid-argument: content is required'],
  );
  await bot.regeneratesKey();
  await assert.rejects(whoIs(asBot), /401|unauth/i);

  const person = await world.person();
  const authProvider = new AssistantStore(assistant.url);
  await assert.rejects(connect({ authProvider }), /Unauthorized/);
  const back = await approve(authProvider.sentTo ?? assert.fail('nobody was sent on'), person);
  await new Transport(new URL(`${url}/mcp`), { authProvider }).finishAuth(back.searchParams.get('code'));
  const asPerson = await connect({ authProvider });
  assert.equal(await whoIs(asPerson), person.accountId);
  world.clock.advance({ hours: 1, seconds: 1 });
  assert.equal(await whoIs(asPerson), person.accountId, 'refreshed amid the conversation');
  await world.oauth.revokeConnection(person.accountId, {
    appId: (await world.oauth.listConnections(person.accountId)).applications[0]?.appId ?? '',
  });
  await assert.rejects(whoIs(asPerson), /Unauthorized/);
}

async function switchedOn(): Promise<Bot> {
  const bot = await world.bot();
  const own = { appId: bot.appId, actorId: bot.owner.accountId };
  await world.applications.switchExtension(own, { extension: 'mcp', isOn: true });
  return bot;
}

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** @param person who approves the inspector's request in the browser that it would open */
function inspect(args: readonly string[], person?: Person): Promise<Ended> {
  const env = {
    HOME: home,
    MCP_STORAGE_DIR: home,
    // Not in the keychain of whoever runs this.
    MCP_INSPECTOR_SECRET_STORE: 'file',
    MCP_AUTO_OPEN_ENABLED: String(person !== undefined),
  };
  const all = [INSPECTOR, '--cli', `${url}/mcp`, '--transport', 'http', ...args];
  return runs(process.execPath, all, env, async (asked) => {
    if (person) await fetch(await approve(asked, person));
  });
}

async function runs(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  onAuthorization: (url: URL) => Promise<void> = async () => {},
): Promise<Ended> {
  const env = { ...process.env, ...environment };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let err = '';
  let approved: Promise<void> | undefined;
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
    const [found] = /http:\/\/localhost:\d+\/oauth\/authorize\?[\x21-\x7e]+(?=\s)/.exec(err) ?? [];
    if (found) approved ??= onAuthorization(new URL(found));
  });
  const ended = new Promise<number | null>((done, fail) => child.on('close', done).on('error', fail));
  const [out, code] = await Promise.all([text(child.stdout), ended]);
  await approved;
  return { code, out, err };
}
