/** A bot that streams an answer without end. */
const { sdk, ...settings } = JSON.parse(process.argv[2]);
const { Bot } = await import(sdk);

async function* words() {
  yield 'Tomorrow will be';
  await new Promise(() => undefined);
}

const bot = new Bot(settings);
bot.on('message', (message) => message.stream(words(), { keepIfLost: true }));
process.once('disconnect', () => process.exit());
await bot.poll();
