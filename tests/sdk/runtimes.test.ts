import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { startReceiver } from '#testing/receiver.ts';
import type { Bot } from '#testing/world.ts';
import { firstLine } from '../processes.ts';
import { readmeBot, withoutAwait } from './built-sdk.ts';
import { findRuntimes, type Runtime, SYSTEM_PATH } from './runtimes.ts';
import { answered, createSdkScene, environmentOf, latestWebhookOf, type SdkScene } from './sdk-scene.ts';

const run = promisify(execFile);
const { runtimes, missing } = findRuntimes();

let scene: SdkScene;
/** For a developer who has only the address of a server. */
let folder: string;
const environment = { ...process.env, PATH: SYSTEM_PATH, DENO_NO_UPDATE_CHECK: '1' };

/** How npm gets the package; npm 12 takes nothing from an address without the option. */
const packageOf = ({ baseUrl }: SdkScene) => ['--allow-remote=root', `${baseUrl}/sdk/parley-sdk.tgz`];

before(async () => {
  scene = await createSdkScene();
  folder = mkdtempSync(join(tmpdir(), 'parley-runtimes-'));
  const install = ['install', '--no-audit', '--no-fund', ...packageOf(scene)];
  await run('npm', install, { cwd: folder, env: environment });
  const code = readmeBot(folder, scene.baseUrl);
  writeFileSync(join(folder, 'bot.mjs'), code);
  writeFileSync(join(folder, 'bot.cjs'), asCommonJs(code));
  writeFileSync(join(folder, 'server.mjs'), SERVER);
  writeFileSync(join(folder, 'worker.mjs'), WORKER);
});
after(async () => {
  await scene?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** As in the README below the bot. */
function asCommonJs(code: string): string {
  return withoutAwait(code).replace(/^import (.*) from ('.*');$/m, 'const $1 = require($2);');
}

const BOT = `
import { Bot } from 'parley-sdk';
const create = ({ PARLEY_URL, PARLEY_API_KEY, PARLEY_WEBHOOK_SECRET }) =>
  new Bot({ baseUrl: PARLEY_URL, apiKey: PARLEY_API_KEY, webhookSecret: PARLEY_WEBHOOK_SECRET })
    .on('message', (message) => message.reply(\`You wrote: \${message.textMsg}\`));`;

const SERVER = `${BOT}
const handle = create(process.env).fetchHandler();
const server = globalThis.Bun ? Bun.serve({ port: 0, fetch: handle }) : Deno.serve({ port: 0, onListen() {} }, handle);
console.log(server.port ?? server.addr.port);`;

const WORKER = `${BOT}
let handle;
export default { fetch: (request, env) => (handle ??= create(env).fetchHandler())(request) };`;

/** Starts it in the folder, until the test ends. */
function start(t: TestContext, { command, args }: Runtime, rest: string[], bot: Bot) {
  const child = spawn(command, [...args, ...rest], {
    cwd: folder,
    env: { ...environment, ...environmentOf(scene, bot) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill());
  return child;
}

/** Sends the latest event of a bot to its webhook, as Parley does. */
async function deliverTo(url: string, bot: Bot): Promise<void> {
  const request = await latestWebhookOf(bot);
  assert.equal((await fetch(url, request)).status, 204);
  const forged = request.body.replace('"Hello', '"Hullo');
  assert.equal((await fetch(url, { ...request, body: forged })).status, 401);
}

/** The README's bot, installed in an empty folder, answers a first message and handles a command. */
async function pollsAndAnswers(t: TestContext, runtime: Runtime, script: string): Promise<void> {
  const bot = await scene.world.bot();
  start(t, runtime, [script], bot);
  await scene.ada.writes(bot, `Hello from ${runtime.name}`);
  await answered(scene, bot, `You wrote: Hello from ${runtime.name}`);
  await scene.ada.writes(bot, '/start');
  await answered(scene, bot, 'Hello! Write me something.');
}

for (const runtime of runtimes) {
  const { name, kind } = runtime;
  if (kind === 'workerd') {
    test(`${name} runs a bot as a Worker: it takes a webhook and answers`, async (t) => {
      const bot = await scene.world.bot();
      await scene.ada.writes(bot, 'Hello, Worker');
      writeFileSync(join(folder, 'worker.capnp'), workerConfig(bot));
      const child = start(t, runtime, ['serve', 'worker.capnp', '--control-fd=1'], bot);
      const { port } = JSON.parse(await firstLine(child));
      await deliverTo(`http://127.0.0.1:${port}/hook`, bot);
      await answered(scene, bot, 'You wrote: Hello, Worker');
    });
    continue;
  }
  test(`${name} runs the README's bot as an ES module`, (t) => pollsAndAnswers(t, runtime, 'bot.mjs'));
  test(`${name} runs the README's bot as CommonJS`, (t) => pollsAndAnswers(t, runtime, 'bot.cjs'));
  if (kind === 'Node') continue;
  test(`${name} serves webhooks with fetchHandler()`, async (t) => {
    const bot = await scene.world.bot();
    await scene.ada.writes(bot, 'Hello, server');
    const port = await firstLine(start(t, runtime, ['server.mjs'], bot));
    await deliverTo(`http://127.0.0.1:${port}/hook`, bot);
    await answered(scene, bot, 'You wrote: Hello, server');
  });
}

test('the command line of the package needs nothing but the address of a server and a key', async (t) => {
  const { bot, baseUrl } = scene;
  const home = join(folder, 'home');
  const env = { ...environment, HOME: home, XDG_CONFIG_HOME: undefined };
  const started = (words: string[]) =>
    spawn(join(folder, 'node_modules/.bin/parley'), words, { cwd: folder, env });
  const parley = async (words: string[], input = '') => {
    const child = started(words);
    child.stdin.end(input);
    const [output, errors, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    return { output, errors, exitCode };
  };
  const nobody = await parley(['login', '--server', baseUrl]);
  assert.deepEqual([nobody.exitCode, nobody.output], [2, ''], 'the input ended');
  const login = await parley(['login', '--server', baseUrl, '--secret', bot.webhookSecret], `${bot.key}\n`);
  assert.match(login.output, /^You act as /);
  assert.equal(statSync(join(home, '.config/parley/config.json')).mode & 0o777, 0o600);

  const json = async (...words: string[]) => JSON.parse((await parley([...words, '--json'])).output);
  assert.equal((await json('api', 'GET', '/v1/me')).data.userId, bot.accountId);
  assert.match((await parley(['lisen'])).errors, /^parley: there is no command "lisen"; did you mean/);

  const receiver = await startReceiver({ tls: 'plain', host: '127.0.0.1' });
  t.after(() => receiver[Symbol.asyncDispose]());
  const listener = started(['listen', '--forward-to', receiver.url, '--json']);
  const line = firstLine(listener);
  await once(listener.stderr, 'data');
  const { msgId } = await json('trigger', 'message.received', '--type', 'image');
  assert.partialDeepStrictEqual(JSON.parse(await line), {
    status: 200,
    type: 'message.received',
    eventId: msgId,
  });
  listener.kill('SIGINT');
  assert.deepEqual(await once(listener, 'exit'), [0, null]);
  const { version } = JSON.parse(readFileSync('sdk/package.json', 'utf8'));
  const byName = await run('npx', ['parley-sdk', '--version'], { cwd: folder, env });
  const anywhere = await run('npx', ['--yes', ...packageOf(scene), '--version'], { cwd: home, env });
  assert.deepEqual([byName.stdout.trim(), anywhere.stdout.trim()], [version, version]);
});

test('missing runtimes are reported', (t) => {
  for (const name of missing) t.diagnostic(`not run: this machine has no ${name}`);
  // In the project's CI, .ci/run has installed them.
  if (process.env['CI']) assert.deepEqual(missing, []);
});

/** A Worker has neither files nor an environment: its modules and variables are in its configuration. */
function workerConfig({ key, webhookSecret }: Bot): string {
  const root = 'node_modules/parley-sdk/dist/esm';
  const files = globSync('**/*.js', { cwd: join(folder, root), exclude: ['cli/**', 'node/**'] });
  const modules = [
    '(name = "worker.mjs", esModule = embed "worker.mjs")',
    `(name = "parley-sdk", esModule = "export * from './sdk/index.js';")`,
    ...files.map((file) => `(name = "sdk/${file}", esModule = embed "${root}/${file}")`),
  ];
  const variables = { PARLEY_URL: scene.baseUrl, PARLEY_API_KEY: key, PARLEY_WEBHOOK_SECRET: webhookSecret };
  const bindings = Object.entries(variables).map(([name, text]) => `(name = "${name}", text = "${text}")`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [${modules.join(', ')}],
      bindings = [${bindings.join(', ')}],
      compatibilityDate = "2025-01-01",
      globalOutbound = "network",
    )),
    (name = "network", network = (allow = ["private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);`;
}
