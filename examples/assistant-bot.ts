/**
 * Answers with a language model, word by word: any server with OpenAI's chat completions, such as Ollama. Its memory is the
 * conversation, which it reads again for each answer. It polls its events, so it needs no public address.
 */
import { Bot, type IncomingMessage } from 'parley-sdk';
import { FileCursor } from 'parley-sdk/node';

const { PARLEY_URL, PARLEY_API_KEY, BOT_DIRECTORY = 'data' } = process.env;
const { MODEL_URL = 'http://localhost:11434/v1', MODEL = 'llama3.2', MODEL_API_KEY = '' } = process.env;
const bot = new Bot({ baseUrl: PARLEY_URL, apiKey: PARLEY_API_KEY });

const REMEMBERED = 20;
const WAITING = 'One moment …';
const STOP = { label: 'Stop', value: 'stop' };
const AGAIN = { label: 'Another answer', value: 'again' };
const ANEW = { label: 'Start anew', value: 'anew' };

interface Said {
  role: 'user' | 'assistant';
  content: string;
}

/** The answers that are being written, by chat. */
const writing = new Map<string, AbortController>();

bot.command('start', (message) => message.reply('Ask me something.'));

bot.on('message', async (message) => {
  const pressed = await message.quickReplyValue();
  writing.get(message.chatId)?.abort();
  if (pressed === ANEW.value) await message.reply('What is it about?');
  // Not awaited: the next message, such as "Stop", would wait for it.
  else if (pressed !== STOP.value) answer(message).catch(console.error);
});

async function answer(message: IncomingMessage): Promise<void> {
  const controller = new AbortController();
  writing.set(message.chatId, controller);
  const waiting = await message.reply({
    type: 'text',
    content: WAITING,
    quickReplies: { buttons: [STOP] },
  });
  try {
    const words = complete(await remember(message.chatId), controller.signal);
    const sent = await message.stream(words, { quickReplies: { buttons: [AGAIN, ANEW], once: true } });
    if (sent.length === 0 && !controller.signal.aborted) throw new Error('the model said nothing');
  } catch (error) {
    console.error(error);
    await message.reply('That did not work. Ask me again in a moment.');
  } finally {
    await message.delete(waiting);
  }
}

/** The latest messages since the person started anew, up to the question. */
async function remember(chatId: string): Promise<Said[]> {
  const said: Said[] = [];
  for await (const { from, textMsg, quickReplyValue } of bot.history(chatId)) {
    if (quickReplyValue === ANEW.value || said.length === REMEMBERED) break;
    // The model learns neither of buttons nor of what is about to be deleted.
    if (quickReplyValue !== undefined || textMsg === '' || textMsg === WAITING) continue;
    said.unshift({ role: from === chatId ? 'user' : 'assistant', content: textMsg });
  }
  // Also the answer that is to be replaced by another.
  while (said.at(-1)?.role === 'assistant') said.pop();
  return said;
}

/** The words of the model, until it has finished or the person stops it. */
async function* complete(messages: Said[], signal: AbortSignal): AsyncGenerator<string> {
  try {
    const response = await fetch(`${MODEL_URL}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${MODEL_API_KEY}` },
      body: JSON.stringify({ model: MODEL, messages, stream: true }),
      signal,
    });
    if (!response.ok || !response.body) throw new Error(`the model answered ${response.status}`);
    let rest = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines.filter((one) => one.startsWith('data: {')))
        yield JSON.parse(line.slice('data: '.length)).choices[0]?.delta?.content ?? '';
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
console.log('listening');
await bot.poll({ signal: stop.signal, cursor: new FileCursor(`${BOT_DIRECTORY}/cursor`) });
