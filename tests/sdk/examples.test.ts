import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { KEY_SCOPES } from '#contract/scopes.ts';
import { findFreePort } from '#testing/free-port.ts';
import { fieldsOf } from '#testing/html-page.ts';
import { eventually } from '#testing/waits.ts';
import { Browser } from '../browser.ts';
import { firstLine, type ServerProcess, startParley } from '../processes.ts';
import { type BuiltSdk, buildSdk } from './built-sdk.ts';

/** A picture of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const stack = new AsyncDisposableStack();
let sdk: BuiltSdk;
let server: ServerProcess;
/** The ports of the examples; the server trusts them although they use plain http. */
const ports: number[] = [];

before(async () => {
  sdk = stack.use(buildSdk());
  cpSync('examples', join(sdk.directory, 'examples'), { recursive: true });
  for (let i = 0; i < 3; i++) ports.push(await findFreePort());
  server = stack.use(
    await startParley({
      DATA_DIR: join(sdk.directory, 'data'),
      WEBHOOK_TRUSTED_HOSTS: ports.map((port) => `localhost:${port}`).join(),
    }),
  );
});
after(() => stack.disposeAsync());

async function signUp(name: string): Promise<Browser> {
  const browser = new Browser(server.url);
  const email = `${crypto.randomUUID()}@example.com`;
  await browser.post('/api/auth/sign-up', { email, password: 'correct horse', name });
  return browser;
}

/** Runs an example as its reader would, until the tests end. */
async function run(name: string, environment: Record<string, string>): Promise<void> {
  const directory = join(sdk.directory, 'of', name);
  const child = spawn(process.execPath, [`examples/${name}.ts`], {
    cwd: sdk.directory,
    env: {
      ...process.env,
      PARLEY_URL: server.url,
      BOT_DIRECTORY: directory,
      APP_DIRECTORY: directory,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stack.defer(async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  assert.equal(await firstLine(child), 'listening');
}

interface ConsoleBot {
  userId: string;
  environment: Record<string, string>;
}

async function createBot(name: string, port?: number): Promise<ConsoleBot> {
  const owner = await signUp('Owner');
  const { appId, webhookSecret } = await owner.post('/api/console/applications', { name });
  const path = `/api/console/applications/${appId}`;
  const { apiKey } = await owner.post(`${path}/api-keys`, { name, scopes: KEY_SCOPES });
  if (port) await owner.put(`${path}/webhook-url`, { webhookUrl: `http://localhost:${port}/hook` });
  const { userId } = await owner.post(`${path}/bot`, { username: `${name.toLowerCase()}_bot` });
  const environment = {
    PARLEY_API_KEY: String(apiKey),
    PARLEY_WEBHOOK_SECRET: String(webhookSecret),
    PORT: String(port),
  };
  return { userId: String(userId), environment };
}

interface Message {
  msgId: string;
  conversationId: string;
  quickReplies?: { buttons: { label: string }[] };
  from: string;
  type: string;
  content?: string;
  caption?: string;
  replyToMsgId?: string;
  location?: object;
  poll?: { question: string };
}

function write(person: Browser, to: string, content: string | object): Promise<Message> {
  const body = typeof content === 'string' ? { type: 'text', content } : content;
  return person.post('/api/chat/messages', { to, ...body });
}

interface Conversation {
  conversationId: string;
  peer?: { userId: string };
}

/** Polls the conversation with a bot or group until the message is there. */
function find(person: Browser, withWhom: string, isIt: (message: Message) => boolean): Promise<Message> {
  return eventually(async () => {
    const { conversations } = await person.get<{ conversations: Conversation[] }>('/api/chat/conversations');
    for (const { conversationId, peer } of conversations) {
      if (peer?.userId !== withWhom && conversationId !== withWhom) continue;
      const path = `/api/chat/conversations/${conversationId}/messages`;
      const { messages } = await person.get<{ messages: Message[] }>(path);
      const found = messages.find(isIt);
      if (found) return found;
    }
    return undefined;
  });
}

/** The same for what the bot wrote: this text, or a message of which that is true. */
function answers(person: Browser, bot: string, wanted: string | ((message: Message) => boolean)) {
  const isIt = typeof wanted === 'string' ? ({ content }: Message) => content === wanted : wanted;
  return find(person, bot, (message) => message.from === bot && isIt(message));
}

function press(person: Browser, { conversationId, msgId }: Message, button: number) {
  const path = `/api/chat/conversations/${conversationId}/messages/${msgId}/quick-replies`;
  return person.post(path, { button });
}

test('no example is longer than 100 lines', () => {
  for (const file of globSync('examples/*.ts')) {
    assert.ok(readFileSync(file, 'utf8').split('\n').length < 100, file);
  }
});

test('the echo bot answers with what was written', async () => {
  const { userId: bot, environment } = await createBot('Echo', ports[0]);
  await run('echo-bot', environment);
  const ada = await signUp('Ada');
  const { msgId } = await write(ada, bot, 'Is there an echo?');
  const echo = await answers(ada, bot, () => true);
  assert.deepEqual([echo.content, echo.replyToMsgId], ['Is there an echo?', msgId]);
  const location = { latitude: 46.9, longitude: 7.4 };
  await write(ada, bot, { type: 'location', location });
  assert.deepEqual((await answers(ada, bot, ({ type }) => type === 'location')).location, location);
});

test('the poll bot runs a poll and reports its result', async () => {
  const { userId: bot, environment } = await createBot('Poll');
  await run('poll-bot', environment);
  const ada = await signUp('Ada');
  await write(ada, bot, '/poll Tea?');
  const refusal = await answers(ada, bot, () => true);
  assert.match(refusal.content ?? '', /^I cannot hold this poll: options must have at least 2 entries/);
  await write(ada, bot, '/poll Tea or coffee? | Tea | Coffee');
  const { poll } = await find(ada, bot, ({ type }) => type === 'poll');
  assert.equal(poll?.question, 'Tea or coffee?');
  await write(ada, bot, '/close');
  const result = await find(ada, bot, ({ content }) => content?.startsWith('Tea or coffee?') === true);
  assert.equal(result.content, 'Tea or coffee?\nTea: 0\nCoffee: 0');
});

/**
 * A stand-in for a language model: says what it was asked, word by word; asked to wait, it does so until `finish()`. Asked for a fault, it
 * has that.
 */
async function startModel() {
  const asked: string[][] = [];
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const model = createServer(async (request, response) => {
    const { messages } = (await json(request)) as { messages: { content: string }[] };
    const question = messages.at(-1)?.content ?? '';
    const says = (event: object) => response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.writeHead(question === 'busy' ? 429 : 200, { 'content-type': 'text/event-stream' });
    if (question === 'error') says({ error: { message: 'overloaded' } });
    else if (question !== 'nothing')
      for (const content of ['You ', 'asked: ', question]) says({ choices: [{ delta: { content } }] });
    asked.push(messages.map(({ content }) => content));
    if (question === 'wait') await finished;
    if (question === 'broken') response.destroy();
    else response.end('data: [DONE]\n\n');
  });
  await once(model.listen(0, '127.0.0.1'), 'listening');
  stack.defer(() => {
    model.closeAllConnections();
    model.close();
  });
  return { asked, finish, url: `http://127.0.0.1:${(model.address() as AddressInfo).port}` };
}

/** The assistant, its model, and somebody who asks it. */
async function startAssistant(name: string) {
  const model = await startModel();
  const { userId: bot, environment } = await createBot(name);
  const directory = join(sdk.directory, 'of', name);
  await run('assistant-bot', { ...environment, BOT_DIRECTORY: directory, MODEL_URL: model.url });
  return { model, bot, environment, ada: await signUp('Ada') };
}

test('the assistant streams what a model says, remembers, and has buttons to stop, repeat and start anew', async () => {
  const { model, bot, environment, ada } = await startAssistant('Assistant');
  const says = (text: string, after = '') =>
    answers(ada, bot, ({ content, msgId }) => content === text && msgId > after);

  await write(ada, bot, 'one');
  const first = await says('You asked: one');
  assert.deepEqual(
    first.quickReplies?.buttons.map(({ label }) => label),
    ['Another answer', 'Start anew'],
  );
  await press(ada, first, 0);
  const second = await says('You asked: one', first.msgId);
  await write(ada, bot, 'two');
  const third = await says('You asked: two', second.msgId);
  await press(ada, third, 1);
  await says('What is it about?');

  const drafts = async () =>
    (await requests(environment)).filter(({ route }) => route === '/v1/messages/draft').length;
  const before = await drafts();
  await write(ada, bot, 'wait');
  const waiting = await says('One moment …', third.msgId);
  await eventually(async () => (await drafts()) > before || undefined);
  await press(ada, waiting, 0);
  await says('You asked: wait', waiting.msgId);
  assert.deepEqual(model.asked, [
    ['one'],
    ['one'],
    ['one', 'You asked: one', 'You asked: one', 'two'],
    ['What is it about?', 'wait'],
  ]);
});

test('the assistant says so when the model fails, breaks off, is busy or says nothing, and answers the next question', async () => {
  const { bot, ada } = await startAssistant('Unlucky');
  for (const question of ['busy', 'error', 'broken', 'nothing']) {
    const { msgId } = await write(ada, bot, question);
    const isAnswer = (it: Message) => it.replyToMsgId === msgId && it.type === 'text';
    const answer = await answers(ada, bot, (it) => isAnswer(it) && it.content !== 'One moment …');
    assert.equal(answer.content, 'That did not work. Ask me again in a moment.', question);
  }
  await write(ada, bot, 'one');
  await answers(ada, bot, 'You asked: one');
});

test('the assistant goes on when a person blocks it while it answers', async () => {
  const { model, bot, environment, ada } = await startAssistant('Blocked');
  await write(ada, bot, 'wait');
  await eventually(async () => model.asked.length > 0 || undefined);
  await ada.post('/api/chat/blocks', { userId: bot });
  model.finish();
  await eventually(async () => {
    const sends = (await requests(environment)).filter(({ route }) => route === '/v1/messages');
    return sends.filter(({ status }) => status === 403).length >= 2 || undefined;
  });
  const bob = await signUp('Bob');
  await write(bob, bot, 'one');
  await answers(bob, bot, 'You asked: one');
});

async function requests({ PARLEY_API_KEY }: ConsoleBot['environment']) {
  const answer = await fetch(`${server.url}/v1/requests`, {
    headers: { authorization: `Bearer ${PARLEY_API_KEY}` },
  });
  const { data } = (await answer.json()) as { data: { requests: { route: string; status: number }[] } };
  return data.requests;
}

test('the weather bot has commands, buttons, a picture and a streamed answer', async () => {
  const { userId: bot, environment } = await createBot('Weather');
  const map = join(sdk.directory, 'map.png');
  writeFileSync(map, Buffer.from(PIXEL, 'base64'));
  await run('weather-bot', { ...environment, MAP_FILE: map });
  const ada = await signUp('Ada');
  await write(ada, bot, '/today');
  const question = await answers(ada, bot, 'Where?');
  assert.deepEqual(
    question.quickReplies?.buttons.map(({ label }) => label),
    ['Bern', 'Geneva'],
  );
  await press(ada, question, 0);
  await answers(ada, bot, 'Sunny, 21 °C.');
  await write(ada, bot, '/map');
  assert.equal((await answers(ada, bot, ({ type }) => type === 'image')).caption, 'Rain in the west');
  await write(ada, bot, 'Will it rain?');
  await answers(ada, bot, 'You asked: Will it rain?. Look out of the window.');
});

test('the table of the guide counts the lines of the moved bot and of the original', () => {
  const guide = readFileSync('docs/guide/coming-from.md', 'utf8');
  const [, original = ''] = /```js\n(import \{ autoRetry[\s\S]*?)```/.exec(guide) ?? [];
  const counts = [original, readFileSync('examples/weather-bot.ts', 'utf8')].map((code) => {
    const parts = code.split(/^\/\/ (?=[A-Z][a-z ]+$)/m).slice(1);
    return parts.map((part) => part.trim().split(/\n+/).length - 1);
  });
  const sections = guide.slice(guide.indexOf('## A small Telegram bot'));
  const rows = [...sections.matchAll(/^\|.* \| (\d+) \| .*\| (\d+) \|$/gm)].map((row) =>
    row.slice(1).map(Number),
  );
  const [originals, moved] = counts as [number[], number[]];
  const sum = (lines: number[]) => lines.reduce((all, one) => all + one, 0);
  assert.deepEqual(rows, [...originals.map((lines, i) => [lines, moved[i]]), [sum(originals), sum(moved)]]);
});

test('the support desk forwards questions to the staff, and answers back', async () => {
  const { userId: bot, environment } = await createBot('Support', ports[1]);
  await run('support-desk', environment);
  const [ada, staff] = [await signUp('Ada'), await signUp('Staff')];
  const early = await write(ada, bot, 'Anybody there?');
  const closed = await find(ada, bot, ({ replyToMsgId }) => replyToMsgId === early.msgId);
  assert.equal(closed.content, 'The desk is closed. Please come back later.');

  await write(staff, bot, 'I am of the staff');
  const desk = { name: 'Desk', members: [bot] };
  const { groupId } = await staff.post<{ groupId: string }>('/api/chat/groups', desk);
  const say = (content: string, replyToMsgId: string | null = null) =>
    staff.post('/api/chat/groups/messages', { groupId, type: 'text', content, replyToMsgId });
  await say('/desk');
  await find(staff, groupId, ({ content }) => content === 'The desk is open. Quote a question to answer it.');

  const asked = await write(ada, bot, 'My parcel is late');
  const question = await find(staff, groupId, ({ content }) => content === 'Ada: My parcel is late');
  await say('It comes tomorrow', question.msgId);
  const answer = await find(ada, bot, ({ content }) => content === 'Support: It comes tomorrow');
  assert.equal(answer.replyToMsgId, asked.msgId);
  await say('🙂'.repeat(4096), question.msgId);
  await find(ada, bot, ({ content }) => content === `Support: ${'🙂'.repeat(4087)}`);
});

test('“post my story” signs a person in with OAuth and posts', async () => {
  const origin = `http://localhost:${ports[2]}`;
  const owner = await signUp('Owner');
  const { appId, clientSecret } = await owner.post('/api/console/applications', { name: 'Story' });
  await owner.post(`/api/console/applications/${appId}/redirect-uris`, { redirectUri: `${origin}/callback` });
  const client = { PARLEY_CLIENT_ID: String(appId), PARLEY_CLIENT_SECRET: String(clientSecret) };
  await run('post-my-story', { APP_URL: origin, PORT: String(ports[2]), ...client });
  const ada = await signUp('Ada');

  const login = await fetch(`${origin}/login`, { redirect: 'manual' });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] as string;
  const consentPage = await ada.page(login.headers.get('location') as string);
  const { consent } = fieldsOf(await consentPage.text(), '/oauth/consent');
  const decided = await ada.page('/oauth/consent', { consent: consent as string, decision: 'approve' });
  const welcome = await fetch(decided.headers.get('location') as string, { headers: { cookie } });
  assert.match(await welcome.text(), /Welcome, Ada!/);

  const form = { method: 'POST', headers: { cookie }, body: new URLSearchParams({ text: 'On the summit!' }) };
  const posted = await fetch(`${origin}/story`, form);
  assert.deepEqual([posted.status, /It is in your story now/.test(await posted.text())], [201, true]);
  const refused = await fetch(`${origin}/story`, { ...form, body: new URLSearchParams({ text: ' ' }) });
  assert.deepEqual([refused.status, /text/.test(await refused.text())], [400, true]);
  const stranger = await fetch(`${origin}/story`, { ...form, headers: {} });
  assert.equal(stranger.status, 400);
  const forged = await fetch(`${origin}/callback?code=x&state=y`, { headers: { cookie } });
  assert.match(await forged.text(), /Please begin again/);
});
