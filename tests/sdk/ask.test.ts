import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { privateConversationId } from '#platform/ids.ts';
import { scratchFolder } from '#testing/scratch-folder.ts';
import type { Person } from '#testing/world.ts';
import { Bot, type BotOptions, type FeedEvent, type SentMessage } from '../../sdk/index.ts';
import { PostgresSessionStore } from '../../sdk/postgres/index.ts';
import { createBotDatabase } from './bot-database.ts';
import { buildSdk } from './built-sdk.ts';
import { createSdkScene, webhookOf } from './sdk-scene.ts';

const BUTTONS = [{ label: 'Soup', value: 'soup-1' }, { label: 'Salad' }];

async function createScene(t: TestContext) {
  const scene = await createSdkScene();
  t.after(() => scene[Symbol.asyncDispose]());
  const { ada, bot: account, baseUrl, world } = scene;
  const settings = { baseUrl, apiKey: account.key, webhookSecret: account.webhookSecret };
  const now = () => world.clock.now();
  const bob = await world.person('Bob');
  await bob.writes(account, 'Hello');
  const { groupId } = await new Bot(settings).createGroup({
    name: 'Lunch',
    members: [ada.accountId, bob.accountId],
  });

  /** A bot that takes orders; `heard` are the messages that were no answers. */
  const startBot = (options: Partial<BotOptions> = {}) => {
    const heard: string[] = [];
    const bot = new Bot({ ...settings, now, onError: () => undefined, ...options });
    bot.command('order', (message) =>
      bot.ask(message, 'What?', { name: 'dish', quickReplies: { buttons: BUTTONS }, timeoutMinutes: 30 }),
    );
    bot.onAnswer('dish', (message) =>
      bot.ask(message, 'How many?', { name: 'count', data: { dish: message.match.value } }),
    );
    bot.onAnswer<{ dish: string }>('count', async (message, next) => {
      const { value, data } = message.match;
      if (value === 'one') return next();
      await message.reply(`${value} ${data.dish}`);
    });
    bot.use(({ textMsg, type }) => heard.push(textMsg || type));
    return { bot, heard };
  };

  let after = (await new Bot(settings).listEvents()).nextAfter;
  /** The events since the last call. */
  const newEvents = async (): Promise<FeedEvent[]> => {
    const page = await new Bot(settings).listEvents({ after });
    after = page.nextAfter;
    return page.events;
  };
  const deliver = async (bot: Bot, { event }: FeedEvent): Promise<number> => {
    const request = new Request('http://localhost/', webhookOf(account, event, now()));
    return (await bot.fetchHandler()(request)).status;
  };
  const deliverNew = async (bot: Bot) => {
    for (const event of await newEvents()) assert.equal(await deliver(bot, event), 204);
  };

  const conversationOf = (person: Person) => privateConversationId(person.accountId, account.accountId);
  /** What the bot wrote in a conversation, oldest first. */
  const written = async (person: Person, conversationId: string) => {
    const { body } = await person.calls('GET', `/api/chat/conversations/${conversationId}/messages`);
    const messages: { msgId: string; from: string; content: string }[] = body.data.messages;
    return messages.filter(({ from }) => from === account.accountId).toReversed();
  };
  return {
    ...{ scene, world, account, settings, ada, bob, groupId, startBot, newEvents, deliver, deliverNew },
    adaChat: conversationOf(ada),
    texts: async (person: Person, conversationId = conversationOf(person)) =>
      (await written(person, conversationId)).map(({ content }) => content),
    lastQuestion: async (person: Person, conversationId = conversationOf(person)) =>
      (await written(person, conversationId)).at(-1)?.msgId as string,
    async writesInGroup(person: Person, content: string, replyToMsgId?: string) {
      const sent = { groupId, type: 'text', content, ...(replyToMsgId && { replyToMsgId }) };
      assert.equal((await person.calls('POST', '/api/chat/groups/messages', sent)).status, 201);
    },
    presses: async (person: Person, conversationId: string, msgId: string, button = 0) =>
      (
        await person.calls(
          'POST',
          `/api/chat/conversations/${conversationId}/messages/${msgId}/quick-replies`,
          { button },
        )
      ).status,
  };
}

test('a button or the next text answers; a question has one answer, and the rest are ordinary messages', async (t) => {
  const { ada, account, startBot, deliverNew, texts, lastQuestion, presses, adaChat } = await createScene(t);
  const { bot, heard } = startBot();
  await ada.writes(account, 'hi');
  await ada.writes(account, '/order');
  await deliverNew(bot);
  const question = await lastQuestion(ada);
  await presses(ada, adaChat, question);
  await deliverNew(bot);
  await ada.writes(account, '2');
  await ada.writes(account, 'thanks');
  await presses(ada, adaChat, question, 1);
  await deliverNew(bot);
  assert.deepEqual(await texts(ada), ['What?', 'How many?', '2 soup-1']);
  assert.deepEqual(heard, ['hi', 'thanks', 'Salad']);

  await ada.writes(account, '/order');
  await ada.writes(account, 'Stew');
  await ada.writes(account, 'one');
  await ada.writes(account, { type: 'location', location: { latitude: 46.9, longitude: 7.4 } });
  await deliverNew(bot);
  assert.deepEqual((await texts(ada)).slice(3), ['What?', 'How many?']);
  assert.deepEqual(heard.slice(3), ['one', 'location'], 'a handler passes on what it does not take');
});

test('of two questions the latest takes the next text, and each takes what quotes it; a command comes first', async (t) => {
  const { ada, account, startBot, deliverNew, texts, lastQuestion, presses, adaChat } = await createScene(t);
  const { bot, heard } = startBot();
  await ada.writes(account, '/order');
  await deliverNew(bot);
  const first = await lastQuestion(ada);
  await ada.writes(account, '/order');
  await deliverNew(bot);
  await ada.writes(account, 'Stew');
  await ada.writes(account, '3');
  await ada.writes(account, 'thanks');
  await deliverNew(bot);
  assert.deepEqual(heard, ['thanks'], 'the first question does not take it');
  await presses(ada, adaChat, first, 1);
  await ada.writes(account, '4');
  await deliverNew(bot);
  const expected = ['What?', 'What?', 'How many?', '3 Stew', 'How many?', '4 Salad'];
  assert.deepEqual(await texts(ada), expected);
});

test('what the bot deletes is no question any more, unless it was answered; deleting it again does nothing', async (t) => {
  const { ada, account, settings, world, newEvents, deliver, deliverNew, texts } = await createScene(t);
  const bot = new Bot({ ...settings, now: () => world.clock.now(), onError: () => undefined });
  let asked: SentMessage | undefined;
  bot.command('ask', async (message) => {
    asked = await bot.ask(message, 'Sure?', { name: 'sure' });
  });
  bot.command('never', (message) => message.delete(asked));
  let runs = 0;
  bot.onAnswer('sure', async (message) => {
    await message.delete(asked);
    if (++runs === 1) throw new Error('crashed');
    await message.reply('Done.');
  });
  const heard: string[] = [];
  bot.use(({ textMsg }) => heard.push(textMsg));
  for (const text of ['/ask', '/never', 'yes']) await ada.writes(account, text);
  await deliverNew(bot);
  assert.deepEqual([heard, runs], [['yes'], 0]);
  for (const text of ['/ask', 'yes']) await ada.writes(account, text);
  const [command, answer] = await newEvents();
  assert.ok(command && answer);
  for (const [event, status] of [
    [command, 204],
    [answer, 500],
    [answer, 204],
  ] as const)
    assert.equal(await deliver(bot, event), status);
  const deleted = undefined;
  assert.deepEqual([await texts(ada), runs], [[deleted, deleted, 'Done.'], 2]);
});

test('in a group the person who is asked answers, by a button or a quote', async (t) => {
  const scene = await createScene(t);
  const { ada, bob, groupId, startBot, deliverNew, lastQuestion, presses, writesInGroup } = scene;
  const { bot, heard } = startBot();
  await writesInGroup(ada, '/order');
  await deliverNew(bot);
  const question = await lastQuestion(ada, groupId);
  assert.equal(await presses(bob, groupId, question), 403);
  await writesInGroup(bob, 'Stew', question);
  await writesInGroup(ada, 'What is there?');
  await deliverNew(bot);
  assert.deepEqual(heard, ['Stew', 'What is there?']);
  assert.equal(await presses(ada, groupId, question), 201);
  await deliverNew(bot);
  await writesInGroup(ada, '2', await lastQuestion(ada, groupId));
  await deliverNew(bot);
  assert.deepEqual(await scene.texts(ada, groupId), ['What?', 'How many?', '2 soup-1']);
});

test('an answer counts if it was written in time, however late it arrives', async (t) => {
  const { ada, account, world, startBot, deliverNew, texts } = await createScene(t);
  const { bot, heard } = startBot();
  await ada.writes(account, '/order');
  await deliverNew(bot);
  world.clock.advance({ minutes: 29, seconds: 59 });
  await ada.writes(account, 'Stew');
  world.clock.advance({ days: 2 });
  await deliverNew(bot);
  assert.deepEqual(await texts(ada), ['What?', 'How many?']);
  await ada.writes(account, '/order');
  await deliverNew(bot);
  world.clock.advance({ minutes: 30 });
  await ada.writes(account, 'Salad');
  await deliverNew(bot);
  assert.deepEqual(heard, ['Salad']);
  const [message] = await ada.reads(account);
  for (const timeoutMinutes of [0, -1, Number.NaN, Infinity])
    await assert.rejects(bot.ask(message as never, 'When?', { name: 'when', timeoutMinutes }), {
      name: 'TypeError',
      message: 'timeoutMinutes must be a number above 0',
    });
});

test('what was written before the question is no answer to it, however late it is handled', async (t) => {
  const { ada, account, startBot, newEvents, deliver, deliverNew, texts } = await createScene(t);
  const { bot, heard } = startBot();
  await ada.writes(account, 'What is the weather?');
  await ada.writes(account, '/order');
  const [before, asking] = await newEvents();
  for (const event of [asking, before]) assert.equal(await deliver(bot, event as FeedEvent), 204);
  await ada.writes(account, 'Stew');
  await deliverNew(bot);
  assert.deepEqual([heard, await texts(ada)], [['What is the weather?'], ['What?', 'How many?']]);
});

test('a reply about a failure leaves that of the next run; a deleted message is answered without a quote', async (t) => {
  const { ada, account, adaChat, settings, world, newEvents, deliver, texts } = await createScene(t);
  const bot = new Bot({ ...settings, now: () => world.clock.now() });
  let runs = 0;
  bot.command('flaky', async (message) => {
    if (++runs === 1) throw new Error('not yet');
    await message.reply('Sunny');
  });
  bot.catch(({ message }) => message.reply('One moment, please'));
  const { msgId } = await ada.writes(account, '/flaky');
  const [event] = await newEvents();
  assert.equal(await deliver(bot, event as FeedEvent), 500);
  await ada.calls('DELETE', `/api/chat/conversations/${adaChat}/messages/${msgId}`);
  assert.equal(await deliver(bot, event as FeedEvent), 204);
  assert.deepEqual(await texts(ada), ['One moment, please', 'Sunny']);
});

test('a handler that runs again asks and answers the same; what it asked before is not asked anew', async (t) => {
  const { ada, account, startBot, newEvents, deliver, deliverNew, texts } = await createScene(t);
  const failures: string[] = [];
  const { bot, heard } = startBot();
  // As if the process died between a handler and its acknowledgement, also once the answer was handled.
  const { bot: dying, heard: unanswered } = startBot({
    store: { claim: async () => 'claimed', done: async () => undefined, release: async () => undefined },
  });
  dying.catch(({ error }) => failures.push(String(error)));
  await ada.writes(account, '/order');
  const [asking] = await newEvents();
  await deliver(dying, asking as FeedEvent);
  await deliver(dying, asking as FeedEvent);
  await ada.writes(account, 'Stew');
  const [answering] = await newEvents();
  await deliver(dying, answering as FeedEvent);
  await deliver(dying, answering as FeedEvent);
  await deliver(dying, asking as FeedEvent);
  await ada.writes(account, '2');
  await ada.writes(account, 'thanks');
  await deliverNew(dying);
  assert.deepEqual(await texts(ada), ['What?', 'How many?', '2 Stew']);
  assert.deepEqual([unanswered, failures], [['thanks'], []]);

  // Another bot, in whose memory there is no question.
  await ada.writes(account, 'hi');
  await deliverNew(bot);
  assert.deepEqual(heard, ['hi']);
});

test('an answer that arrives while its question is being stored waits for that', async (t) => {
  const { ada, account, startBot, deliverNew, newEvents, deliver, texts } = await createScene(t);
  const stored = new Map();
  const writing = Promise.withResolvers<void>();
  const { promise: mayWrite, resolve: allow } = Promise.withResolvers<void>();
  const { bot } = startBot({
    questions: {
      read: async (key) => stored.get(key),
      async write(key, asked) {
        writing.resolve();
        await mayWrite;
        stored.set(key, asked);
      },
    },
  });
  await ada.writes(account, '/order');
  const asking = deliverNew(bot);
  await writing.promise;
  await ada.writes(account, 'Stew');
  const [answer] = await newEvents();
  const answering = deliver(bot, answer as FeedEvent);
  allow();
  await Promise.all([asking, answering]);
  assert.deepEqual(await texts(ada), ['What?', 'How many?']);
});

test('of two processes with one database, one asks and the other handles the answer, once', async (t) => {
  const { ada, account, startBot, deliverNew, newEvents, deliver, texts } = await createScene(t);
  await using database = await createBotDatabase();
  const start = () =>
    startBot({ questions: new PostgresSessionStore({ pool: database.openPool(), name: 'questions' }) });
  const [one, other] = [start(), start()];
  await ada.writes(account, '/order');
  await deliverNew(one.bot);
  await ada.writes(account, 'Stew');
  await deliverNew(other.bot);
  assert.deepEqual(await texts(ada), ['What?', 'How many?']);
  await ada.writes(account, '2');
  await ada.writes(account, '3');
  const [first, second] = (await newEvents()) as [FeedEvent, FeedEvent];
  await Promise.all([deliver(one.bot, first), deliver(other.bot, second)]);
  assert.equal(one.heard.length + other.heard.length, 1, 'a question has one answer');
});

test('a simulated message is asked, and the next one answers, in a group too', async (t) => {
  const { account, startBot, deliverNew } = await createScene(t);
  const { bot, heard } = startBot();
  for (const event of ['message.received', 'group_message.received']) {
    for (const text of ['/order', 'Stew', 'one', 'thanks']) {
      const simulated = await account.calls('POST', '/v1/events/simulate', { event, type: 'text', text });
      assert.equal(simulated.body.message, 'event simulated');
      await deliverNew(bot);
    }
  }
  assert.deepEqual(heard, ['one', 'thanks', 'one', 'thanks'], 'Stew was the answer');
});

test('a bot that is killed after asking, and while it handles the answer, asks once and answers once', async (t) => {
  const { ada, account, world, settings, presses, adaChat, lastQuestion, texts } = await createScene(t);
  const directory = await scratchFolder(t);
  using sdk = buildSdk();
  /** Polls until it is killed, by itself where it is told to, or by this test once it has answered. */
  const run = async (diesAt: string) => {
    const given = {
      ...settings,
      sdk: sdk.url,
      sdkForNode: sdk.urlForNode,
      directory,
      diesAt,
      now: world.clock.now(),
    };
    const child = fork('tests/sdk/asking-bot.mjs', [JSON.stringify(given)]);
    const [, signal] = await once(child, 'exit');
    assert.equal(signal, 'SIGKILL');
  };
  await ada.writes(account, '/order');
  await run('asked');
  assert.deepEqual(await texts(ada), ['What?']);
  await presses(ada, adaChat, await lastQuestion(ada));
  await run('answering');
  await run('answered');
  assert.deepEqual(await texts(ada), ['What?', 'soup-1 for Ada']);
});
