/**
 * Tells the weather: commands, buttons, a picture, and an answer that appears word by word. It polls its events, so it needs no
 * public address. Its key needs the scope `bot:manage`, to set the commands that people see.
 */
import { openAsBlob } from 'node:fs';
import { Bot } from 'parley-sdk';

const FORECASTS: Record<string, string> = { bern: 'Sunny, 21 °C.', geneva: 'Rain until noon.' };

async function* explain(question: string): AsyncGenerator<string> {
  for (const word of ['You asked: ', question, '. ', 'Look ', 'out ', 'of ', 'the ', 'window.']) yield word;
}

// Connect
const { PARLEY_URL, PARLEY_API_KEY, MAP_FILE = 'map.png' } = process.env;
const bot = new Bot({ baseUrl: PARLEY_URL, apiKey: PARLEY_API_KEY });

// Commands
await bot.changeMe({
  commands: [
    { command: 'today', description: 'The weather of today' },
    { command: 'map', description: 'Where it rains' },
  ],
});
bot.command('start', (message) => message.reply('Write /today or /map, or ask me something.'));

// Buttons
const buttons = [
  { label: 'Bern', value: 'bern' },
  { label: 'Geneva', value: 'geneva' },
];
bot.command('today', (message) =>
  bot.ask(message, 'Where?', { name: 'city', quickReplies: { once: true, buttons } }),
);
bot.onAnswer('city', (message) => message.reply(FORECASTS[message.match.value] ?? 'I know Bern and Geneva.'));

// Picture
bot.command('map', async (message) => {
  const { fileUrl } = await bot.upload({ data: await openAsBlob(MAP_FILE), name: 'map.png' });
  await message.reply({ type: 'image', fileUrl, caption: 'Rain in the west' });
});

// Streamed answer
bot.on('message', (message) => message.stream(explain(message.textMsg)));

// Run
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
console.log('listening');
await bot.poll({ signal: stop.signal });
