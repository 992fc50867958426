import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type ReceivedRequest, type Receiver, startReceiver } from '#testing/receiver.ts';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { eventually } from '#testing/waits.ts';
import { runCommandLine } from '../../sdk/cli/command-line.ts';
import { signedHeaders } from '../../sdk/cli/commands/listen.ts';
import { type FeedEvent, verifySignature } from '../../sdk/index.ts';
import { createSdkScene, type SdkScene } from './sdk-scene.ts';

interface Result {
  exitCode: number;
  printed: string[];
  errors: string[];
}

interface Scene extends SdkScene {
  directory: string;
  environment: Record<string, string>;
  parley(words: string[], options?: { asked?: string[]; signal?: AbortSignal }): Promise<Result>;
}

async function sceneFor(t: TestContext): Promise<Scene> {
  const scene = await createSdkScene();
  const directory = await scratchFolder(t);
  t.after(() => scene[Symbol.asyncDispose]());
  const environment = {
    XDG_CONFIG_HOME: directory,
    PARLEY_URL: `${scene.baseUrl}/`,
    PARLEY_API_KEY: scene.bot.key,
    PARLEY_WEBHOOK_SECRET: scene.bot.webhookSecret,
  };
  return {
    ...scene,
    directory,
    environment,
    async parley(words, { asked = [], signal = new AbortController().signal } = {}) {
      const result: Result = { exitCode: 0, printed: [], errors: [] };
      result.exitCode = await runCommandLine(words, {
        environment,
        print: (line) => void result.printed.push(line),
        printError: (line) => void result.errors.push(line),
        ask: async () => asked.shift() ?? '',
        signal,
      });
      return result;
    },
  };
}

interface Listening {
  local: Receiver;
  state: string;
  cursor(): string | undefined;
  /** Listens until the work is done. */
  listens(work: () => Promise<void>, forwardTo?: string, flags?: string[]): Promise<Result>;
}

async function listening(t: TestContext, { directory, parley }: Scene, status = 200): Promise<Listening> {
  const local = await startReceiver({ tls: 'plain', host: '127.0.0.1', respond: () => ({ status }) });
  t.after(() => local[Symbol.asyncDispose]());
  const state = join(directory, 'deep', 'listen.json');
  return {
    local,
    state,
    cursor: () =>
      existsSync(state) ? Object.values<string>(JSON.parse(readFileSync(state, 'utf8')))[0] : undefined,
    async listens(work, forwardTo = local.url, flags = []) {
      const stopping = new AbortController();
      const running = parley(['listen', '--forward-to', forwardTo, '--state', state, ...flags], {
        signal: stopping.signal,
      });
      await Promise.race([work(), running]);
      stopping.abort();
      return running;
    },
  };
}

async function untilCursor({ cursor }: Listening, wanted: string): Promise<void> {
  await eventually(() => cursor() === wanted);
}

test('listen: events go to the bot on this machine as they happen, signed over their exact bytes', async (t) => {
  const scene = await sceneFor(t);
  const { ada, bot } = scene;
  const listener = await listening(t, scene);
  const { exitCode, printed } = await listener.listens(async () => {
    await untilCursor(listener, '1');
    await ada.writes(bot, 'é 😀');
    await untilCursor(listener, '2');
  });
  assert.deepEqual([exitCode, printed.at(-1), listener.local.requests.length], [0, 'stopped', 1]);
  const [{ headers, rawBody }] = listener.local.requests as [ReceivedRequest];
  const [, seconds, v1] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['x-service-signature'])) ?? [];
  assert.equal(
    v1,
    createHmac('sha256', bot.webhookSecret).update(`${seconds}.`).update(rawBody).digest('hex'),
  );
  const { msgId, textMsg } = JSON.parse(rawBody.toString()).data;
  assert.deepEqual(
    [textMsg, headers['x-service-event'], headers['webhook-id']],
    ['é 😀', 'message.received', msgId],
  );
  assert.match(printed[1] ?? '', new RegExp(`^200 message.received ${msgId} in \\d+ ms$`));
  assert.equal(statSync(listener.state).mode & 0o777, 0o600);
});

test('listen: it continues where it stopped, and waits for a bot that is down', async (t) => {
  const scene = await sceneFor(t);
  const { ada, bot } = scene;
  const listener = await listening(t, scene);
  await listener.listens(() => untilCursor(listener, '1'));
  const down = http.createServer((_, response) => response.socket?.destroy());
  down.listen(0, '127.0.0.1');
  await once(down, 'listening');
  t.after(() => down.close());
  await ada.writes(bot, 'one');
  await ada.writes(bot, 'two');
  const { printed } = await listener.listens(
    async () => {
      for (let refusals = 0; refusals < 2; refusals++) await once(down, 'connection');
    },
    `http://127.0.0.1:${(down.address() as AddressInfo).port}/hook`,
  );
  assert.match(printed[1] ?? '', /^the bot cannot be reached \(\w+\); waiting for it$/);
  assert.equal(listener.cursor(), '1', 'what was not handed over is not passed');
  const asJson = await listener.listens(() => untilCursor(listener, '3'), undefined, ['--json']);
  assert.deepEqual(
    asJson.printed.map((line) => JSON.parse(line).status),
    [200, 200],
  );
  assert.match(asJson.errors[0] ?? '', /^listening at /);
  const texts = listener.local.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()).data.textMsg);
  assert.deepEqual(texts, ['one', 'two']);
});

test('listen: a proxy that answers with pages while the service is away does not end it', async (t) => {
  const scene = await sceneFor(t);
  const listener = await listening(t, scene);
  const statuses = [404, 200];
  const { fetch } = globalThis;
  t.mock.method(globalThis, 'fetch', (async (url, init) => {
    const status = String(url).endsWith('/v1/events') ? statuses.shift() : undefined;
    return status ? new Response('<h1>Welcome</h1>', { status }) : fetch(url, init);
  }) as typeof fetch);
  const { exitCode, printed } = await listener.listens(() => untilCursor(listener, '1'));
  assert.equal(exitCode, 0);
  assert.deepEqual(printed.slice(1), [
    'Parley cannot be reached (the response was 404 and did not come from Parley); trying again',
    'stopped',
  ]);
});

test('listen: events about one message have ids of their own, and a refusal is explained', async (t) => {
  const scene = await sceneFor(t);
  const { ada, bot, world } = scene;
  const own = { actorId: bot.owner.accountId, appId: bot.appId };
  for (const extension of ['bot.blocked', 'reaction.changed'] as const)
    await world.applications.switchExtension(own, { extension, isOn: true });
  const { conversationId, msgId } = await ada.writes(bot, 'Tea?');
  const listener = await listening(t, scene, 401);
  const { printed } = await listener.listens(async () => {
    await untilCursor(listener, '2');
    await ada.calls('PUT', `/api/chat/conversations/${conversationId}/messages/${msgId}/reactions`, {
      emoji: ['👍'],
    });
    await ada.blocks(bot);
    await untilCursor(listener, '4');
  });
  const ids = listener.local.requests.map(({ headers }) => headers['webhook-id']);
  const events = listener.local.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()).data.eventId);
  assert.deepEqual(ids, events);
  assert.match(
    printed[1] ?? '',
    /^401 .* ms: the bot probably has another webhook secret, or parsed the body before/,
  );
});

test('the SDK accepts both signatures of listen', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const event = { secret, type: 'ping', eventId: 'evt_1', body: '{"é":1}', at: 1_795_236_845_210 };
  const headers = signedHeaders(event);
  const standard = { id: 'evt_1', signature: headers['webhook-signature'] };
  const signature = headers['x-service-signature'];
  await verifySignature({ ...event, signature, now: event.at });
  await verifySignature({
    ...event,
    signature: signature?.replace(/.{4}$/, '0000'),
    standard,
    now: event.at,
  });
});

test('login checks the key, and stores server, key and secret, readable only by their owner', async (t) => {
  const { environment, directory, baseUrl, bot, parley } = await sceneFor(t);
  for (const name of ['PARLEY_URL', 'PARLEY_API_KEY', 'PARLEY_WEBHOOK_SECRET']) delete environment[name];
  const me = ['api', 'GET', '/v1/me'];
  const login = ['login', '--server', baseUrl, '--key'];
  for (const [words, exitCode, error] of [
    [me, 2, 'an API key is needed: run "parley login"'],
    [[...me, '--key', bot.key.slice(0, -1)], 2, 'an API key consists of xk_live_ and 64 hex digits'],
    [
      [...login, bot.key, '--secret', 'xcs_1'],
      2,
      'a webhook secret begins with whsec_; the console shows it when it is made',
    ],
    [[...login, bot.key.replace(/.{4}$/, '0000')], 1, 'Parley answered 401 unauthenticated'],
  ] as const) {
    const refused = await parley([...words]);
    assert.equal(refused.exitCode, exitCode, error);
    assert.ok(refused.errors[0]?.startsWith(`parley: ${error}`), refused.errors[0]);
  }
  const words = ['login', '--server', baseUrl, '--secret', 'whsec_x'];
  const { exitCode, printed } = await parley(words, { asked: [bot.key] });
  assert.equal(exitCode, 0);
  assert.match(printed[0] ?? '', /^You act as .* at http/);
  const path = join(directory, 'parley', 'config.json');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), {
    server: baseUrl,
    key: bot.key,
    secret: 'whsec_x',
  });
  const shown = await parley(['api', 'get', '/v1/me', '--json']);
  assert.equal(JSON.parse(shown.printed.join('')).data.userId, bot.accountId);
  writeFileSync(path, '{');
  assert.match(
    (await parley(['events'])).errors[0] ?? '',
    /config.json is damaged: remove it and run "parley login"/,
  );
});

test('send, events, dead-letters, replay, logs and api work, also with JSON output', async (t) => {
  const { ada, bot, directory, parley } = await sceneFor(t);
  const json = async (...words: string[]) =>
    JSON.parse((await parley([...words, '--json'])).printed.join(''));
  const sent = await parley(['send', ada.accountId, 'Sunny, 21 °C.']);
  assert.match(sent.printed[0] ?? '', /^sent msg_/);
  assert.equal((await ada.reads(bot))[0]?.content, 'Sunny, 21 °C.');
  assert.match((await json('send', ada.accountId, 'Until noon.')).msgId, /^msg_/);
  const [listed] = (await parley(['events'])).printed;
  assert.match(listed ?? '', /^1 {2}\S+Z {2}message\.received {2}msg_\w+ {2}"Hello"$/);
  await ada.writes(bot, 'Thanks');
  assert.deepEqual(
    (await json('events', '--limit', '1')).map(({ cursor }: FeedEvent) => cursor),
    ['1'],
  );
  await parley([
    'api',
    'POST',
    '/v1/events/acknowledge',
    '--data',
    '{"failed":[{"cursor":"1","attempts":8}]}',
  ]);
  const [letter] = await json('dead-letters');
  assert.match(
    (await parley(['dead-letters'])).printed[0] ?? '',
    /^dlv_\w+ {2}message\.received .*\n {2}The bot fetched/,
  );
  assert.deepEqual((await parley(['replay', letter.eventId])).printed, ['1 of 1 sent again']);
  assert.deepEqual(await parley(['replay', letter.eventId, 'dlv_unknown']), {
    exitCode: 1,
    printed: ['0 of 2 sent again; the others are unknown or about to be sent'],
    errors: [],
  });
  assert.deepEqual(await json('replay', 'dlv_unknown'), { replayed: 0 });
  assert.deepEqual((await parley(['dead-letters'])).printed, ['no dead letters']);
  assert.match((await parley(['logs'])).printed[0] ?? '', /201 {2}POST \/v1\/messages {2}\d+ ms/);
  assert.equal((await json('logs')).at(-1).status, 200);
  const unknown = JSON.stringify({ to: ada.accountId, type: 'text', content: 'x', parse_mode: 'HTML' });
  await parley(['api', 'POST', '/v1/messages', '--data', unknown]);
  assert.match((await parley(['logs'])).printed[0] ?? '', /ms {2}ignored, since unknown: parse_mode$/m);
  assert.match((await json('trigger', 'message.received', '--type', 'image')).msgId, /^msg_/);

  const file = join(directory, 'body.json');
  writeFileSync(file, JSON.stringify({ to: 'usr_nobody', type: 'text', content: 'x' }));
  const fetched = await parley(['api', 'GET', '/v1/events', '--data', '{"limit":3}']);
  assert.deepEqual(
    [fetched.exitCode, fetched.errors[0]?.split('\n')[0]],
    [2, 'parley: a GET has no body: put the parameters into the path, as in "/v1/events?limit=10"'],
  );
  const refused = await parley(['api', 'POST', '/v1/messages', '--data', `@${file}`]);
  assert.deepEqual(refused, {
    exitCode: 1,
    printed: [],
    errors: ['parley: Parley answered 404 not-found: no account has the id in `to`'],
  });
});

test('events --follow prints new events until it is stopped, as JSON on the standard output, also after an outage', async (t) => {
  const { ada, bot, environment } = await sceneFor(t);
  const stopping = new AbortController();
  const printed: string[] = [];
  const errors: string[] = [];
  const first = Promise.withResolvers<void>();
  const { fetch } = globalThis;
  let calls = 0;
  t.mock.method(globalThis, 'fetch', (async (url, init) => {
    if (!String(url).includes('/v1/events')) return fetch(url, init);
    if (++calls === 2) return new Response('<h1>Bad gateway</h1>', { status: 502 });
    // Stopped during a request.
    if (printed.length === 2) stopping.abort();
    return fetch(url, init);
  }) as typeof fetch);
  const running = runCommandLine(['events', '--follow', '--json'], {
    ...{ environment, ask: async () => '', signal: stopping.signal },
    printError: (line) => void errors.push(line),
    print(line) {
      printed.push(line);
      first.resolve();
    },
  });
  await first.promise;
  await ada.writes(bot, 'two');
  assert.equal(await running, 0);
  assert.deepEqual(errors, [
    'Parley cannot be reached (the response was 502 and did not come from Parley); trying again',
  ]);
  assert.deepEqual(
    printed.map((line) => JSON.parse(line).event.data.textMsg),
    ['Hello', 'two'],
  );
});

test('a typo gets a suggestion, and changes nothing', async (t) => {
  const { parley } = await sceneFor(t);
  const cases: [words: string[], error: string][] = [
    [[], 'parley: no command given'],
    [['lisen'], 'parley: there is no command "lisen"; did you mean "listen"?'],
    [['evnets'], 'parley: there is no command "evnets"; did you mean "events"?'],
    [['frobnicate'], 'parley: there is no command "frobnicate"'],
    [['events', '--folow'], 'parley: there is no option "--folow"; did you mean "--follow"?'],
    [['events', '--limit', 'ten'], 'parley: --limit must be a number'],
    [['send', 'usr_1'], 'parley: send takes <to> <text>'],
    [['send', 'usr_1', ' '], 'parley: there is no text to send'],
    [['replay'], 'parley: replay takes <eventId…>'],
    [['api', 'HEAD', '/v1/me'], 'parley: the method must be one of GET, POST, PUT, PATCH, DELETE'],
    [
      ['trigger', 'mesage.received'],
      'parley: the event must be one of message.received, group_message.received; did you mean "message.received"?',
    ],
    [
      ['trigger', 'message.received', '--type', 'vidoe'],
      'parley: --type must be one of text, image, video, audio, doc, gif, sticker, location, poll; did you mean "video"?',
    ],
    [['api', 'GET', 'v1/me'], 'parley: the path must begin with /, such as /v1/me'],
    [['listen'], 'parley: listen needs --forward-to with an http or https address'],
    [
      ['listen', '--forward-to', 'localhost:4000'],
      'parley: listen needs --forward-to with an http or https address',
    ],
    [['events', '--server', 'chat'], 'parley: the server must be an http or https address, not "chat"'],
    [['completion', 'fish'], 'parley: the shell must be one of bash, zsh'],
  ];
  for (const [words, error] of cases) {
    const { exitCode, printed, errors } = await parley(words);
    assert.deepEqual([exitCode, printed, errors[0]], [2, [], error]);
    assert.match(errors[1] ?? '', /^See "parley .*--help"\.$/);
  }
});
