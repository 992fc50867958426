import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { eventually, LONGEST_WAIT_MS } from '#testing/waits.ts';
import { Bot, MemoryTokenStore, OAuthClient, ParleyError } from '../../sdk/index.ts';
import type * as Testing from '../../sdk/testing/index.ts';
import { readNamedFiles } from '../guide/pages.ts';
import { buildSdk } from './built-sdk.ts';
import { installTesting } from './built-testing.ts';

let parley: Testing.Parley;
let installed: Awaited<ReturnType<typeof installTesting>>;

before(async () => {
  installed = await installTesting();
  const main = join(installed.directory, 'node_modules/parley-testing/dist/index.js');
  const { startParley }: typeof Testing = await import(pathToFileURL(main).href);
  parley = await startParley({ settings: { REQUESTS_PER_MINUTE: '20', MESSAGE_RETENTION_DAYS: '7' } });
});
after(async () => {
  await parley?.stop();
  installed?.[Symbol.dispose]();
});

const PATIENTLY = { timeoutMs: LONGEST_WAIT_MS };

/** A bot to which Ada has written. */
async function chat(options?: Parameters<Testing.Parley['createBot']>[0]) {
  const account = await parley.createBot(options);
  const bot = new Bot({ baseUrl: parley.url, apiKey: account.apiKey });
  const ada = await parley.createPerson('Ada');
  const { msgId } = await ada.send(account, 'Hello');
  return { account, bot, ada, msgId };
}

test('a server whose Node was not installed says what to do', async (t) => {
  const folder = await scratchFolder(t);
  await cp(join(installed.directory, 'node_modules/parley-testing/dist'), folder, { recursive: true });
  const { startParley }: typeof Testing = await import(pathToFileURL(join(folder, 'index.js')).href);
  await assert.rejects(startParley(), {
    message: /install script of the npm package node .* npm install-scripts approve node.* npm rebuild node/,
  });
});

test('a bot that polls answers a person', async () => {
  const { account, bot, ada } = await chat({ name: 'Echo', username: 'echo_bot' });
  bot.on('message', (message) => message.reply(`You wrote: ${message.textMsg}`));
  const stop = new AbortController();
  const polling = bot.poll({ signal: stop.signal });
  const { content, from } = await ada.nextMessage(account, PATIENTLY);
  assert.deepEqual([content, from], ['You wrote: Hello', account.userId]);
  await ada.send(account, 'Again');
  assert.equal((await ada.nextMessage(account, PATIENTLY)).content, 'You wrote: Again');
  await assert.rejects(ada.nextMessage(account, { timeoutMs: 50 }), /no message came within 50 ms/);
  stop.abort();
  await polling;
});

test('a bot uploads a file, and a person sees it', async () => {
  const { account, bot, ada } = await chat();
  const { fileUrl } = await bot.upload({ data: 'Warm tea', name: 'list.txt' });
  await bot.sendMessage({ to: ada.userId, type: 'doc', fileUrl });
  const message = await ada.nextMessage(account, PATIENTLY);
  assert.equal(message.type, 'doc');
  assert.equal(await (await fetch(parley.url + message.fileUrl)).text(), 'Warm tea');
});

test('a person reads the whole of a conversation that has more than one page', async () => {
  const account = await parley.createBot();
  const ada = await parley.createPerson('Ada');
  const written = Array.from({ length: 60 }, (_, i) => `Message ${i}`);
  for (const text of written) await ada.send(account, text);
  assert.deepEqual(
    (await ada.messages(account)).map(({ content }) => content),
    written,
  );
});

test('what expires by the clock is gone as soon as that is advanced', async () => {
  const { account, bot, ada } = await chat();
  const { fileUrl } = await bot.upload({ data: 'Never sent', name: 'draft.txt' });
  const isFileThere = async () => {
    const answer = await fetch(parley.url + new URL(fileUrl).pathname);
    await answer.body?.cancel();
    return answer.ok;
  };
  assert.ok(await isFileThere());
  await parley.advance({ hours: 25 });
  await eventually(async () => !(await isFileThere()));
  assert.equal((await ada.messages(account)).length, 1);
  await parley.advance({ days: 7 });
  await eventually(async () => (await ada.messages(account)).length === 0);
});

test('a bot reacts, and a person sees it', async () => {
  const { account, bot, ada, msgId } = await chat();
  await bot.reactToMessage({ msgId, conversationId: ada.userId, emoji: ['👍'] });
  const [message] = await ada.messages(account);
  assert.deepEqual(message?.reactions?.given, [{ emoji: '👍', userIds: [account.userId] }]);
});

test('people press, vote, react, edit, delete and block, and write in groups', async () => {
  const { account, bot, ada } = await chat({ scopes: ['polls:write', 'bot:manage'] });
  const events = [
    'message.edited',
    'message.deleted',
    'reaction.changed',
    'poll.voted',
    'bot.blocked',
  ] as const;
  await bot.setWebhook({ events: [...events] });
  const ben = await parley.createPerson('Ben');
  await ben.send(account, 'Hello');
  await ben.send(ada, 'Lunch?');
  const [hello] = await ada.messages(account);
  assert.ok(hello);

  const quickReplies = { buttons: [{ label: 'Soup', value: 'soup-1' }, { label: 'Salad' }] };
  await bot.sendMessage({ to: ada.userId, type: 'text', content: 'What?', quickReplies });
  const question = await ada.nextMessage(account, PATIENTLY);
  const { msgId } = await ada.press(question, 'Soup');
  const pressed = await bot.getMessage({ msgId, conversationId: ada.userId });
  assert.deepEqual([pressed.textMsg, pressed.quickReplyValue], ['Soup', 'soup-1']);
  await assert.rejects(async () => ada.press(question, 'Stew'), /does not offer Stew, only: Soup, Salad/);

  await bot.createPoll({ receiverId: ada.userId, question: 'When?', options: ['Noon', 'One'] });
  await ada.vote(await ada.nextMessage(account, PATIENTLY), 'One');
  const { poll } = (await ada.messages(account)).at(-1) ?? {};
  assert.deepEqual(
    poll?.options.map(({ votes }) => votes),
    [0, 1],
  );

  await ada.react(hello, '👍', '🎉');
  await ada.edit(hello, 'Good day');
  assert.equal(
    (await bot.getMessage({ msgId: hello.msgId, conversationId: ada.userId })).textMsg,
    'Good day',
  );
  await ada.delete(hello);

  const group = await ada.createGroup({ name: 'Lunch', members: [account, ben] });
  const text = { type: 'text', content: '@Test, hello', mentionedUserIds: [account.userId] };
  await ada.send(group, text);
  await bot.sendGroupMessage({ ...group, type: 'text', content: 'Hello, everybody!' });
  const heard = [await ben.nextMessage(group, PATIENTLY), await ben.nextMessage(group, PATIENTLY)];
  assert.deepEqual(
    heard.map(({ content }) => content),
    ['@Test, hello', 'Hello, everybody!'],
  );

  const answer = { to: ada.userId, type: 'text', content: 'Anything else?' } as const;
  await ada.block(account);
  await assert.rejects(bot.sendMessage(answer), { status: 403 });
  await ada.unblock(account);
  await bot.sendMessage(answer);
  const { events: told } = await bot.listEvents();
  const types = told.map(({ event }) => event.type);
  assert.deepEqual(
    events.filter((type) => !types.includes(type)),
    [],
  );
  assert.ok(told.some(({ event }) => event.type === 'group_message.received' && event.data.isMentioned));
});

test('what a bot has shown is kept once it has been silent for 30 seconds of the clock', async () => {
  const { account, bot, ada } = await chat();
  await bot.showDraft({ conversationId: ada.userId, content: 'Tomorrow will be', keepIfLost: true });
  await parley.advance({ seconds: 30 });
  assert.equal((await ada.nextMessage(account, PATIENTLY)).content, 'Tomorrow will be');
});

test('a request that cannot be consented to is explained in the words of its page', async () => {
  const redirectUri = 'https://app.example.com/callback';
  const { clientId, clientSecret } = await parley.createBot({ redirectUris: [redirectUri] });
  const oauth = new OAuthClient({
    baseUrl: parley.url,
    clientId,
    clientSecret,
    redirectUri: `${redirectUri}s`,
  });
  const { url } = await oauth.authorize({ scopes: ['profile'] });
  const ada = await parley.createPerson('Ada');
  await assert.rejects(ada.approve(url), ({ message }: Error) => {
    assert.match(message, /^Parley did not ask for consent: [^<>{}]*redirect_uri[^<>{}]*$/);
    return true;
  });
});

test('the clock only moves forward', async () => {
  for (const wrong of [{ hours: -1 }, { hour: 1 }, {}])
    await assert.rejects(parley.advance(wrong), {
      name: 'TypeError',
      message: 'advance() takes days, hours, minutes or seconds, more than 0 in all',
    });
});

test('a failed webhook has been retried once the clock is advanced', async (t) => {
  let attempts = 0;
  const receiver = createServer((_request, response) => {
    response.writeHead(++attempts < 4 ? 500 : 200).end();
  }).listen(0, '127.0.0.1');
  t.after(() => receiver.close());
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const account = await parley.createBot({ webhookUrl: `http://127.0.0.1:${port}/hook` });
  const ada = await parley.createPerson();
  await ada.send(account, 'Hello');
  for (const [wait, expected] of [
    [{ seconds: 30 }, 2],
    [{ minutes: 1 }, 3],
    [{ minutes: 1 }, 3],
    [{ minutes: 1 }, 4],
    [{ days: 1 }, 4],
  ] as const) {
    await parley.advance(wait);
    assert.equal(attempts, expected, JSON.stringify(wait));
  }
});

test('a person consents, tokens expire by the clock, and the SDK refreshes them', async () => {
  const redirectUri = 'https://app.example.com/callback';
  const { clientId, clientSecret } = await parley.createBot({ redirectUris: [redirectUri] });
  let aheadMs = 0;
  const oauth = new OAuthClient({
    ...{ baseUrl: parley.url, clientId, clientSecret, redirectUri, tokens: new MemoryTokenStore() },
    now: () => Date.now() + aheadMs,
  });
  const { url, ...pending } = await oauth.authorize({ scopes: ['profile'] });
  const ada = await parley.createPerson('Ada Lovelace');
  const person = await oauth.exchange(await ada.approve(url), pending, 'ada');
  const now = await parley.advance({ hours: 2 });
  aheadMs = now - Date.now();
  assert.equal((await person.getUserInfo()).name, 'Ada Lovelace');
  await parley.advance({ days: 40 });
  await assert.rejects(person.getMe(), ParleyError);
  await ada.messages(ada);
});

test('a quota starts again once the clock is advanced', async () => {
  const { apiKey } = await parley.createBot();
  const bot = new Bot({ baseUrl: parley.url, apiKey, retries: 0, mostWaiting: 0 });
  for (let i = 0; i < 20; i++) await bot.getMe();
  await assert.rejects(bot.getMe(), { status: 429 });
  await parley.advance({ minutes: 1 });
  await bot.getMe();
});

test('the guide’s test passes in a developer’s folder', async () => {
  const [file] = await readNamedFiles(['docs/guide/testing.md']);
  assert.ok(file);
  using sdk = buildSdk();
  symlinkSync(join(sdk.directory, 'parley-sdk'), join(installed.directory, 'node_modules/parley-sdk'));
  await writeFile(join(installed.directory, file.name), file.text);
  // Without the variables that this test's runner sets for child processes.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', file.name], {
    cwd: installed.directory,
    env,
  });
  assert.match(stdout, /pass 2\n/);
});
