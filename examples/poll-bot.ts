/**
 * Runs polls: write `/poll Tea or coffee? | Tea | Coffee` to it or in a group, and `/close` for the result. It polls its
 * events, so it needs no public address. Its key needs the scope `polls:write`.
 */
import { type AnyMessage, Bot, ParleyError } from 'parley-sdk';
import { FileCursor } from 'parley-sdk/node';

const { PARLEY_URL, PARLEY_API_KEY, BOT_DIRECTORY = 'data' } = process.env;
const bot = new Bot({ baseUrl: PARLEY_URL, apiKey: PARLEY_API_KEY });

/** The open poll of each conversation. */
const polls = new Map<string, string>();

bot.command('poll', async (message) => {
  const [question = '', ...options] = message.match.split('|').map((part) => part.trim());
  const conversation = 'groupId' in message ? { groupId: message.groupId } : { receiverId: message.chatId };
  try {
    const { msgId } = await bot.createPoll(
      { ...conversation, question, options },
      { idempotencyKey: `poll-${message.msgId}` },
    );
    polls.set(conversationOf(message), msgId);
  } catch (error) {
    if (!(error instanceof ParleyError) || error.code !== 'invalid-argument') throw error;
    await message.reply(`I cannot hold this poll: ${error.message}`);
  }
});

bot.command('close', async (message) => {
  const messageId = polls.get(conversationOf(message));
  if (!messageId) return message.reply('There is no open poll here.');
  const { question, options } = await bot.closePoll({ messageId });
  polls.delete(conversationOf(message));
  const results = options.map(({ text, votes }) => `${text}: ${votes}`);
  return message.reply([question, ...results].join('\n'));
});

function conversationOf(message: AnyMessage): string {
  return 'groupId' in message ? message.groupId : message.chatId;
}

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
console.log('listening');
await bot.poll({ signal: stop.signal, cursor: new FileCursor(`${BOT_DIRECTORY}/cursor`) });
