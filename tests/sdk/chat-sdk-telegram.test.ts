import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { createMemoryState } from '@chat-adapter/state-memory';
import { createTelegramAdapter } from '@chat-adapter/telegram';
import { Actions, type Adapter, Button, Card, Chat, ConsoleLogger } from 'chat';
import { privateConversationId } from '#platform/ids.ts';
import { eventually } from '#testing/waits.ts';
import { createParleyAdapter } from '../../sdk/chat-sdk/index.ts';
import { createSdkScene } from './sdk-scene.ts';

/** A bot that knows nothing of the platform: an echo, a question with buttons, and an answer that streams. */
function soupBot(adapters: Record<string, Adapter>): Chat {
  const chat = new Chat({ userName: 'soup_bot', adapters, state: createMemoryState(), logger: 'silent' });
  chat.onDirectMessage(async (thread, message) => {
    if (message.text === 'menu') {
      const buttons = [
        Button({ id: 'order', label: 'Order', value: 'soup' }),
        Button({ id: 'no', label: 'No' }),
      ];
      await thread.post(Card({ title: 'Soup today?', children: [Actions(buttons)] }));
    } else if (message.text === 'forecast') {
      async function* words() {
        for (const word of ['Tomorrow ', 'will be ', 'sunny.']) yield word;
      }
      await thread.post(words());
    } else await thread.post(`You wrote: ${message.text}`);
  });
  chat.onAction('order', async ({ thread, value }) => void (await thread?.post(`Ordered: ${value}`)));
  return chat;
}

/** What the bot has said in a private chat. */
interface Said {
  text: string;
  buttons: string[];
}

/** A person's chat with the bot. */
interface Phone {
  writes(text: string): Promise<unknown>;
  presses(label: string): Promise<unknown>;
  reads(): Promise<Said[]>;
}

/** The person writes, presses and waits for each answer. Returns all answers, without marks of formatting. */
async function talks({ writes, presses, reads }: Phone): Promise<Said[]> {
  const said = (text: string) => eventually(async () => (await reads()).some((one) => one.text === text));
  await writes('tea');
  await said('You wrote: tea');
  await writes('menu');
  await eventually(async () => (await reads()).some(({ buttons }) => buttons.length > 0));
  await presses('Order');
  await said('Ordered: soup');
  await writes('forecast');
  await said('Tomorrow will be sunny.');
  return (await reads()).map(({ text, buttons }) => ({ text: text.replaceAll('*', '').trim(), buttons }));
}

async function onParley(): Promise<Said[]> {
  await using scene = await createSdkScene();
  const { ada, bot, baseUrl } = scene;
  const parley = createParleyAdapter({ baseUrl, apiKey: bot.key });
  const chat = soupBot({ parley });
  await chat.initialize();
  const stop = new AbortController();
  const polling = parley.poll({ signal: stop.signal });
  const at = `/api/chat/conversations/${privateConversationId(ada.accountId, bot.accountId)}/messages`;
  const reads = async () => (await ada.reads(bot)).filter(({ from }) => from === bot.accountId).reverse();
  try {
    // The scene begins with a message of Ada's.
    const said = await talks({
      writes: (text) => ada.writes(bot, text),
      async presses(label) {
        const asked = (await reads()).find(({ quickReplies }) => quickReplies);
        const button = asked?.quickReplies?.buttons.findIndex((one) => one.label === label);
        await ada.calls('POST', `${at}/${asked?.msgId}/quick-replies`, { button });
      },
      reads: async () =>
        (await reads()).map(({ content = '', quickReplies }) => ({
          text: content,
          buttons: quickReplies?.buttons.map(({ label }) => label) ?? [],
        })),
    });
    assert.equal(said.shift()?.text, 'You wrote: Hello');
    return said;
  } finally {
    stop.abort();
    await polling;
    await chat.shutdown();
  }
}

interface Keyboard {
  inline_keyboard: { text: string; callback_data: string }[][];
}
interface Call {
  text?: string;
  rich_message?: { markdown: string };
  message_id?: number;
  reply_markup?: Keyboard;
}

const SELF = { id: 1, is_bot: true, first_name: 'Soup', username: 'soup_bot' };
const ADA = { id: 7, is_bot: false, first_name: 'Ada' };
const IN_CHAT = { date: 1_700_000_000, chat: { id: ADA.id, type: 'private', first_name: 'Ada' } };

/** The methods of Telegram's Bot API that its adapter calls, and the messages of the bot by their ids. */
async function startBotApi() {
  const messages = new Map<number, Call>();
  const put = (id: number, call: Call) => {
    messages.set(id, call);
    return { ...IN_CHAT, message_id: id, from: SELF, text: textOf(call) };
  };
  const send = (call: Call) => put(100 + messages.size, call);
  const methods: Record<string, (call: Call) => unknown> = {
    getMe: () => SELF,
    sendMessage: send,
    sendRichMessage: send,
    editMessageText: (call) => put(Number(call.message_id), call),
    answerCallbackQuery: () => true,
    sendChatAction: () => true,
  };
  const server = createServer(async (request, response) => {
    const [, name = ''] = /^\/bot1:token\/(\w+)$/.exec(request.url ?? '') ?? [];
    const call = (await json(request)) as Call;
    const answer = methods[name]
      ? { ok: true, result: methods[name](call) }
      : { ok: false, error_code: 404, description: `no method ${name}` };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    [Symbol.dispose]: () => server.close().closeAllConnections(),
  };
}

async function onTelegram(): Promise<Said[]> {
  using api = await startBotApi();
  const telegram = createTelegramAdapter({
    apiUrl: api.url,
    botToken: '1:token',
    secretToken: 's',
    mode: 'webhook',
    logger: new ConsoleLogger('silent'),
  });
  // Its types are not written for `exactOptionalPropertyTypes`.
  const chat = soupBot({ telegram: telegram as Adapter });
  let updates = 0;
  const update = async (content: object) => {
    const request = new Request('https://bot.example.com/hook', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': 's' },
      body: JSON.stringify({ update_id: ++updates, ...content }),
    });
    const tasks: Promise<unknown>[] = [];
    const answer = await chat.webhooks['telegram']?.(request, { waitUntil: (task) => void tasks.push(task) });
    assert.equal(answer?.status, 200);
    await Promise.all(tasks);
  };
  const keysOf = ({ reply_markup }: Call) => reply_markup?.inline_keyboard.flat() ?? [];
  try {
    return await talks({
      writes: (text) => update({ message: { ...IN_CHAT, message_id: ++updates, from: ADA, text } }),
      async presses(label) {
        for (const [message_id, call] of api.messages) {
          const key = keysOf(call).find(({ text }) => text === label);
          const message = { ...IN_CHAT, message_id, from: SELF };
          const query = { id: 'q1', from: ADA, message, chat_instance: 'c', data: key?.callback_data };
          if (key) await update({ callback_query: query });
        }
      },
      reads: async () =>
        [...api.messages.values()].map((call) => ({
          text: textOf(call),
          buttons: keysOf(call).map(({ text }) => text),
        })),
    });
  } finally {
    await chat.shutdown();
  }
}

/** Without what Markdown of Telegram escapes. */
function textOf({ text, rich_message }: Call): string {
  return (text ?? rich_message?.markdown ?? '').replace(/\\(.)/g, '$1');
}

test('one and the same bot of the Chat SDK says the same on Parley and on Telegram', async () => {
  const expected = [
    { text: 'You wrote: tea', buttons: [] },
    { text: 'Soup today?', buttons: ['Order', 'No'] },
    { text: 'Ordered: soup', buttons: [] },
    { text: 'Tomorrow will be sunny.', buttons: [] },
  ];
  assert.deepEqual(await onTelegram(), expected);
  assert.deepEqual(await onParley(), expected);
});
