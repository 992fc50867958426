/**
 * Holds polls: write `/poll Tea or coffee? | Tea | Coffee` to it or in a group, and `/close` for the result. It fetches
 * its events, so it needs no public address. Its key needs the scope `polls:write`.
 */
import { Bot, type IncomingGroupMessage, type IncomingMessage, ParleyError } from 'parley-sdk';
import { FileCursor } from 'parley-sdk/node';
import { setting } from './setting.ts';

const bot = new Bot({ baseUrl: setting('PARLEY_URL'), apiKey: setting('PARLEY_API_KEY') });

/** The open poll of each conversation. */
const polls = new Map<string, string>();

bot.on('message', (message) => obey(message, { receiverId: message.chatId }));
bot.on('groupMessage', (message) => obey(message, { groupId: message.groupId }));

async function obey(
  message: IncomingMessage | IncomingGroupMessage,
  place: { receiverId: string } | { groupId: string },
): Promise<void> {
  const conversation = JSON.stringify(place);
  const [command, ...words] = message.textMsg.split(' ');
  if (command === '/poll') {
    const [question = '', ...options] = words
      .join(' ')
      .split('|')
      .map((part) => part.trim());
    try {
      const { msgId } = await bot.createPoll(
        { ...place, question, options },
        { idempotencyKey: `poll-${message.msgId}` },
      );
      polls.set(conversation, msgId);
    } catch (error) {
      if (!(error instanceof ParleyError) || error.code !== 'invalid-argument') throw error;
      await message.reply(`I cannot hold this poll: ${error.message}`);
    }
  }
  if (command === '/close') {
    const messageId = polls.get(conversation);
    if (!messageId) return void (await message.reply('There is no open poll here.'));
    const { question, options } = await bot.closePoll({ messageId });
    polls.delete(conversation);
    const results = options.map(({ text, votes }) => `${text}: ${votes}`);
    await message.reply([question, ...results].join('\n'));
  }
}

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
console.log('listening');
await bot.poll({ signal: stop.signal, cursor: new FileCursor(`${setting('BOT_DIRECTORY')}/cursor`) });
