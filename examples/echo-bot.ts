/** Answers everybody with what they wrote. It receives webhooks. */
import { createServer } from 'node:http';
import { Bot } from 'parley-sdk';
import { FileEventStore } from 'parley-sdk/node';

const {
  PARLEY_URL,
  PARLEY_API_KEY,
  PARLEY_WEBHOOK_SECRET,
  PORT = '4000',
  BOT_DIRECTORY = 'data',
} = process.env;
const bot = new Bot({
  baseUrl: PARLEY_URL,
  apiKey: PARLEY_API_KEY,
  webhookSecret: PARLEY_WEBHOOK_SECRET,
  store: new FileEventStore({ directory: BOT_DIRECTORY }),
});

bot.on('message', async (message) => {
  switch (message.type) {
    case 'text':
      return message.reply(message.textMsg);
    case 'location':
      return message.reply({ type: 'location', location: message.location });
    default:
      return message.reply(`Thank you for the ${message.type}.`);
  }
});

bot.on('groupMessage', async (message) => {
  if (message.isMentioned) await message.reply(`You called? You said: ${message.textMsg}`);
});

// In production, put an https proxy in front of it.
createServer(bot.nodeHandler()).listen(Number(PORT), () => console.log('listening'));
