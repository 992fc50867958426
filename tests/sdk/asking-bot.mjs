/** A bot that asks, and whose process dies, as by `kill -9`, at a given point. */
const { sdk, sdkForNode, directory, diesAt, now, ...settings } = JSON.parse(process.argv[2]);
const [{ Bot }, { FileEventStore, FileSessionStore }] = await Promise.all([import(sdk), import(sdkForNode)]);

function die(here) {
  if (here === diesAt) process.kill(process.pid, 'SIGKILL');
}

const bot = new Bot({
  ...settings,
  now: () => now,
  store: new FileEventStore({ directory: `${directory}/events` }),
  questions: new FileSessionStore({ directory: `${directory}/questions` }),
});
bot.command('order', async (message) => {
  const quickReplies = { buttons: [{ label: 'Soup', value: 'soup-1' }] };
  await bot.ask(message, 'What?', { name: 'dish', data: { for: 'Ada' }, quickReplies });
  die('asked');
});
bot.onAnswer('dish', async (message) => {
  die('answering');
  const { value, data } = message.match;
  await message.reply(`${value} for ${data.for}`);
  die('answered');
});
process.once('disconnect', () => process.exit());
await bot.poll();
