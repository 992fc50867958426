import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#platform/clock.ts';
import { systemRandom } from '#platform/random.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '#testing/receiver.ts';
import { type Bot, createWorld, type World } from '#testing/world.ts';
import { type CommandDeps, UsageError } from './command.ts';
import { listenCommand } from './listen.ts';
import { triggerCommand } from './trigger.ts';

interface Scene {
  world: World;
  bot: Bot;
  local: Receiver;
  deps: CommandDeps;
  options: Record<string, string>;
  printed: string[];
  /** Listens until the work is done. */
  listens(work: () => Promise<void>): Promise<string>;
}

async function sceneFor(t: TestContext): Promise<Scene> {
  const world = await createWorld();
  t.after(() => world[Symbol.asyncDispose]());
  await world.app.listen({ host: '127.0.0.1', port: 0 });
  const directory = await mkdtemp(join(tmpdir(), 'parley-listen-'));
  t.after(() => rm(directory, { recursive: true }));
  const local = await startReceiver({ tls: 'plain', host: '127.0.0.1' });
  t.after(() => local[Symbol.asyncDispose]());
  const bot = await world.bot();
  const printed: string[] = [];
  const { port } = world.app.server.address() as AddressInfo;
  const deps: CommandDeps = {
    clock: systemClock,
    random: systemRandom,
    newId: world.newId,
    live: world.live,
    openDatabase: () => Promise.reject(new Error('not here')),
    environment: {
      PARLEY_URL: `http://127.0.0.1:${port}/`,
      PARLEY_API_KEY: bot.key,
      PARLEY_WEBHOOK_SECRET: bot.webhookSecret,
    },
    print: (line) => void printed.push(line),
    signal: new AbortController().signal,
  };
  const options = { 'forward-to': local.url, state: join(directory, 'deep', 'listen.json') };
  const listens = async (work: () => Promise<void>) => {
    const stopping = new AbortController();
    const running = listenCommand.run({ ...deps, signal: stopping.signal }, [], options);
    await Promise.race([work(), running]);
    stopping.abort();
    return running;
  };
  return { world, bot, local, deps, options, printed, listens };
}

async function cursors({ options, bot }: Scene): Promise<string | undefined> {
  const text = await readFile(options['state'] as string, 'utf8').catch(() => '{}');
  return Object.entries<string>(JSON.parse(text)).find(([place]) => place.endsWith(bot.appId))?.[1];
}

async function untilCursor(scene: Scene, cursor: string): Promise<void> {
  while ((await cursors(scene)) !== cursor);
}

function verify({ headers, rawBody }: ReceivedRequest, secret: string): void {
  const [t = '', v1] = String(headers['x-service-signature'])
    .split(',')
    .map((part) => part.slice(part.indexOf('=') + 1));
  assert.equal(v1, createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest('hex'));
}

test('events go to the bot on this machine as they happen, signed over their very bytes', async (t) => {
  const scene = await sceneFor(t);
  const { world, bot, local, printed } = scene;
  const ada = await world.person();
  await ada.writes(bot, 'before anybody listened');
  assert.equal(
    await scene.listens(async () => {
      await untilCursor(scene, '1');
      await ada.writes(bot, 'é 😀');
      await untilCursor(scene, '2');
    }),
    'stopped',
  );
  assert.equal(local.requests.length, 1);
  const [request] = local.requests as [ReceivedRequest];
  verify(request, bot.webhookSecret);
  assert.equal(request.headers['x-service-event'], 'message.received');
  const { msgId, textMsg } = JSON.parse(request.rawBody.toString()).data;
  assert.equal(textMsg, 'é 😀');
  assert.equal(request.headers['webhook-id'], msgId);
  assert.match(printed[1] ?? '', new RegExp(`^200 message.received ${msgId} in \\d+ ms$`));
  assert.equal((await stat(scene.options['state'] as string)).mode & 0o777, 0o600);
});

test('it goes on where it stopped, also when it stopped before the first event', async (t) => {
  const scene = await sceneFor(t);
  const { world, bot, local } = scene;
  const ada = await world.person();
  await scene.listens(() => untilCursor(scene, '0'));
  await ada.writes(bot, 'one');
  await scene.listens(() => untilCursor(scene, '1'));
  await ada.writes(bot, 'two');
  await ada.writes(bot, 'three');
  await scene.listens(() => untilCursor(scene, '3'));
  const texts = local.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()).data.textMsg);
  assert.deepEqual(texts, ['one', 'two', 'three']);
});

test('a bot that is down is waited for, and gets every event in order', async (t) => {
  const scene = await sceneFor(t);
  const { world, bot, local, printed } = scene;
  const ada = await world.person();
  const down = http.createServer((_, response) => response.socket?.destroy());
  down.listen(0, '127.0.0.1');
  await once(down, 'listening');
  t.after(() => down.close());
  let refusals = 0;
  down.on('connection', () => refusals++);
  const { port } = down.address() as AddressInfo;
  const forwardTo = scene.options['forward-to'] as string;
  scene.options['forward-to'] = `http://127.0.0.1:${port}/hook`;
  await scene.listens(async () => {
    await untilCursor(scene, '0');
    await ada.writes(bot, 'one');
    await ada.writes(bot, 'two');
    while (refusals < 2) await once(down, 'connection');
  });
  assert.match(printed[1] ?? '', /^the bot cannot be reached \(\w+\); waiting for it$/);
  assert.equal(await cursors(scene), '0', 'what was not handed over is not passed');
  scene.options['forward-to'] = forwardTo;
  await scene.listens(() => untilCursor(scene, '2'));
  const texts = local.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()).data.textMsg);
  assert.deepEqual(texts, ['one', 'two']);
});

test('a wrong key, secret or address is said at once', async (t) => {
  const { deps, options, bot } = await sceneFor(t);
  const cases: [environment: Record<string, string>, options: Record<string, string>, RegExp][] = [
    [{ PARLEY_API_KEY: 'xk_live_x' }, {}, /an API key is needed/],
    [{ PARLEY_WEBHOOK_SECRET: '' }, {}, /listen needs --secret/],
    [{ PARLEY_URL: 'chat.example.com' }, {}, /must be an http or https address/],
    [{}, { 'forward-to': 'localhost:4000' }, /listen needs --forward-to/],
    [{}, { key: bot.key.replace(/.{4}$/, '0000') }, /Parley answered 401/],
  ];
  for (const [environment, more, message] of cases) {
    const run = listenCommand.run({ ...deps, environment: { ...deps.environment, ...environment } }, [], {
      ...options,
      ...more,
    });
    await assert.rejects(run, (error) => error instanceof UsageError && message.test(error.message));
  }
});

test('trigger simulates an event, which listen forwards', async (t) => {
  const scene = await sceneFor(t);
  const { deps, local, bot } = scene;
  let said = '';
  await scene.listens(async () => {
    await untilCursor(scene, '0');
    said = await triggerCommand.run(deps, ['message.received'], { type: 'image' });
    await untilCursor(scene, '1');
  });
  const { type, data } = JSON.parse(local.requests[0]?.rawBody.toString() ?? '');
  assert.deepEqual(
    [type, data.type, data.sandbox, data.from],
    ['message.received', 'image', true, bot.owner.accountId],
  );
  assert.match(said, new RegExp(`^message.received simulated: event dlv_\\w+, message ${data.msgId}$`));
  await assert.rejects(triggerCommand.run(deps, ['message.sent'], {}), {
    message: 'event is not one of the allowed values',
  });
});
