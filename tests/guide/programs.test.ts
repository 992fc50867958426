import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { privateConversationId } from '#platform/ids.ts';
import { findFreePort } from '#testing/free-port.ts';
import { eventually } from '#testing/waits.ts';
import { Bot, OAuthClient } from '../../sdk/index.ts';
import { firstLine } from '../processes.ts';
import { createBotDatabase } from '../sdk/bot-database.ts';
import { type BuiltSdk, buildSdk } from '../sdk/built-sdk.ts';
import { answered, createSdkScene, environmentOf, latestWebhookOf, type SdkScene } from '../sdk/sdk-scene.ts';
import { readGuidePages, readNamedFiles } from './pages.ts';

const pages = await readGuidePages();
const files = await readNamedFiles(pages);
let scene: SdkScene;
let sdk: BuiltSdk;
before(async () => {
  scene = await createSdkScene();
  sdk = buildSdk();
  for (const { name, text } of files) await writeFile(join(sdk.directory, name), text);
  await writeFile(join(sdk.directory, 'package.json'), '{"type":"module"}');
  await mkdir(join(sdk.directory, 'node_modules/@chat-adapter'));
  for (const name of ['pg', 'chat', '@chat-adapter/state-memory'])
    await symlink(resolve('node_modules', name), join(sdk.directory, 'node_modules', name));
});
after(async () => {
  sdk?.[Symbol.dispose]();
  await scene?.[Symbol.asyncDispose]();
});

/** Runs a program of the guide until the test ends. */
function start(t: TestContext, name: string, bot: SdkScene['bot'], more: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [name], {
    cwd: sdk.directory,
    env: { ...process.env, ...environmentOf(scene, bot), ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill());
  return child;
}

const POLLING: Record<string, [said: string, answer: string][]> = {
  'poll.ts': [
    ['/weather Berlin', 'Sunny in Berlin.'],
    ['remind me in 5 minutes', 'In 5 minutes.'],
    ['Hello', 'You wrote: Hello'],
  ],
  'order.ts': [
    ['Soup', 'For how many?'],
    ['3', 'Soup for 3 it is.'],
  ],
  'ask.ts': [
    ['/order', 'Soup or salad?'],
    ['Stew', 'Stew for how many?'],
    ['2', 'Stew for 2 it is.'],
    ['thanks', 'Write /order.'],
  ],
  'echo.mjs': [['Ahoy', 'Ahoy']],
};

for (const [name, exchanges] of Object.entries(POLLING)) {
  test(`${name} answers while it polls`, async (t) => {
    const bot = await scene.world.bot();
    start(t, name, bot);
    for (const [said, answer] of exchanges) {
      await scene.ada.writes(bot, said);
      await answered(scene, bot, answer);
    }
  });
}

/** Replaces what is particular to the reader in a program of the guide. */
async function adapt(name: string, values: Record<string, string>): Promise<string> {
  const own = join(sdk.directory, name);
  let text = await readFile(own, 'utf8');
  for (const [shown, value] of Object.entries(values)) {
    assert.ok(text.includes(shown), `${name}: ${shown}`);
    text = text.replace(shown, value);
  }
  await writeFile(own, text);
  return own;
}

test('receive.ts answers incoming messages', async (t) => {
  const bot = await scene.world.bot();
  const port = await findFreePort();
  await adapt('receive.ts', { '4000': String(port) });
  assert.equal(await firstLine(start(t, 'receive.ts', bot)), 'listening');
  await scene.ada.writes(bot, 'Hello');
  const answer = await fetch(`http://127.0.0.1:${port}/`, await latestWebhookOf(bot));
  assert.equal(answer.status, 204);
  await answered(scene, bot, 'You wrote: Hello');
});

test('shared.ts counts on in another process', async (t) => {
  await using database = await createBotDatabase();
  const bot = await scene.world.bot();
  const port = await findFreePort();
  await adapt('shared.ts', { '4000': String(port) });
  for (const [said, answer] of [
    ['Hello', 'That was message 1.'],
    ['Again', 'That was message 2.'],
  ] as const) {
    const child = start(t, 'shared.ts', bot, { DATABASE_URL: database.url });
    await scene.ada.writes(bot, said);
    const request = await latestWebhookOf(bot);
    await eventually(() =>
      fetch(`http://127.0.0.1:${port}/`, request).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    await answered(scene, bot, answer);
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
});

test('chat-sdk.ts offers soup, and takes the order', async () => {
  const { ada, baseUrl, world } = scene;
  const bot = await world.bot();
  const own = await adapt('chat-sdk.ts', {
    "'http://localhost:3000'": JSON.stringify(baseUrl),
    "process.env['PARLEY_API_KEY']": JSON.stringify(bot.key),
    "process.env['PARLEY_WEBHOOK_SECRET']": JSON.stringify(bot.webhookSecret),
  });
  const { hook } = await import(pathToFileURL(own).href);
  const receives = async () =>
    assert.equal(
      (await hook(new Request('https://bot.example.com/', await latestWebhookOf(bot)))).status,
      200,
    );
  await ada.writes(bot, 'Hello');
  await receives();
  const card = await eventually(async () => (await ada.reads(bot)).find(({ quickReplies }) => quickReplies));
  const conversationId = privateConversationId(ada.accountId, bot.accountId);
  await ada.calls('POST', `/api/chat/conversations/${conversationId}/messages/${card.msgId}/quick-replies`, {
    button: 0,
  });
  await receives();
  await answered(scene, bot, 'Ordered.');
});

test('send.ts sends a location, and a poll to the group; person.ts publishes a story', async () => {
  const { ada, baseUrl, bot, clientId, clientSecret, redirectUri, consentAt } = scene;
  const load = (name: string) => import(pathToFileURL(join(sdk.directory, name)).href);
  const { askAround } = await load('send.ts');
  await askAround(new Bot({ baseUrl, apiKey: bot.key }), ada.accountId);
  assert.equal((await ada.reads(bot))[0]?.type, 'location');
  const conversations = (await ada.calls('GET', '/api/chat/conversations')).body.data.conversations;
  const hikers = conversations.find(({ group }: { group?: { name: string } }) => group?.name === 'Hikers');
  assert.equal(hikers.lastMessage.type, 'poll');
  const oauth = new OAuthClient({ baseUrl, clientId, clientSecret, redirectUri });
  const { url, ...pending } = await oauth.authorize({ scopes: ['stories:read', 'stories:write'] });
  const person = await oauth.exchange(await consentAt(url), pending, 'session-1');
  const { publish } = await load('person.ts');
  await publish(oauth, 'session-1');
  const [story] = await person.listOwnStories();
  assert.equal(story?.texts[0]?.text, 'Sunny, 21 °C.');
});

test('events in the guide match the OpenAPI document and have the fields of a real one', async () => {
  const { components } = JSON.parse(await readFile('contract/openapi.json', 'utf8'));
  const ajv = new Ajv2020({ strict: false }).addSchema({ $id: 'api', components });
  const isEvent = ajv.compile({ $ref: 'api#/components/schemas/ReceivedEvent' });
  const { events } = (await scene.bot.calls('GET', '/v1/events?limit=1')).body.data;
  const text = await readFile('docs/guide/webhooks.md', 'utf8');
  const shown = [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = '']) => JSON.parse(json));
  assert.equal(shown.length, 1);
  for (const event of shown) {
    assert.ok(isEvent(event), JSON.stringify(isEvent.errors));
    const { data } = event as { data: object };
    assert.deepEqual(Object.keys(data), Object.keys(events[0].event.data));
  }
});

test('JSON and YAML of the guide are well-formed', async () => {
  for (const page of pages) {
    const blocks = (await readFile(page, 'utf8')).matchAll(/^```(json|yaml)\n([\s\S]*?)^```$/gm);
    for (const [, syntax, text = ''] of blocks) {
      const read: unknown = syntax === 'json' ? JSON.parse(text) : parse(text);
      assert.equal(typeof read, 'object', `${page}: ${text}`);
    }
  }
});
