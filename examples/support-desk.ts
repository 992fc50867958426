/**
 * A support desk: messages to the bot appear in the staff's group, and a staff member who quotes one there answers the
 * person. Create the group with the bot and the staff; `/desk`, written in it, opens the desk there.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Bot, type IncomingGroupMessage, type IncomingMessage, type MessageContent } from 'parley-sdk';
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
  store: new FileEventStore({ directory: `${BOT_DIRECTORY}/events` }),
});

/** The staff's group, and the open questions: the message in the group → the person and their message. */
interface Desk {
  groupId?: string;
  questions: Record<string, { chatId: string; msgId: string }>;
}

const file = `${BOT_DIRECTORY}/desk.json`;
const desk = readDesk();

bot.on('message', async (message) => {
  if (!desk.groupId) return void (await message.reply('The desk is closed. Please come back later.'));
  const { name } = await message.sender();
  const { msgId } = await bot.sendGroupMessage(
    { groupId: desk.groupId, ...copyOf(message, name) },
    { idempotencyKey: `question-${message.msgId}` },
  );
  desk.questions[msgId] = { chatId: message.chatId, msgId: message.msgId };
  saveDesk();
});

bot.on('groupMessage', async (message) => {
  if (message.textMsg === '/desk' && !desk.groupId) {
    desk.groupId = message.groupId;
    saveDesk();
    await message.reply('The desk is open. Quote a question to answer it.');
  }
  const question = message.groupId === desk.groupId && desk.questions[message.replyToMsgId ?? ''];
  if (!question) return;
  await bot.sendMessage(
    { to: question.chatId, ...copyOf(message, 'Support'), replyToMsgId: question.msgId },
    { idempotencyKey: `answer-${message.msgId}` },
  );
});

/** The same content, with the sender's name if the type has a text or caption. */
function copyOf(message: IncomingMessage | IncomingGroupMessage, who: string): MessageContent {
  // A character may take two places in a string.
  const say = (words: string, longest: number) => [...`${who}: ${words}`].slice(0, longest).join('');
  const caption = say(message.caption ?? '', 1024);
  switch (message.type) {
    case 'text':
      return { type: 'text', content: say(message.textMsg, 4096) };
    case 'image':
    case 'doc':
      return { type: message.type, fileUrl: message.fileUrl, caption };
    case 'video':
      return { type: 'video', fileUrl: message.fileUrl, thumbnailUrl: message.videoThumbnail, caption };
    case 'location':
      return { type: 'location', location: message.location };
    case 'poll':
      return { type: 'text', content: `${who}: a poll` };
    default:
      return { type: message.type, fileUrl: message.fileUrl };
  }
}

function readDesk(): Desk {
  mkdirSync(BOT_DIRECTORY, { recursive: true });
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { questions: {} };
  }
}

function saveDesk(): void {
  writeFileSync(file, JSON.stringify(desk));
}

createServer(bot.nodeHandler()).listen(Number(PORT), () => console.log('listening'));
