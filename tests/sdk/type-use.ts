/** Typical use of the package in a developer's project; only type-checked, never run. */
import { createServer } from 'node:http';
import { fastify } from 'fastify';
import { Bot, Composer, type MessageContent, OAuthClient, ParleyError } from 'parley-sdk';
import { FileCursor, FileEventStore, FileTokenStore } from 'parley-sdk/node';

const service = { baseUrl: 'https://chat.example.com' };
const store = new FileEventStore({ directory: 'events' });
const bot = new Bot({ ...service, apiKey: 'key', webhookSecret: 'secret', store });

bot.on('message', async (message) => {
  const sent = await message.reply(`Hello ${message.chatId}`);
  const latitude: number | undefined = message.location?.latitude;
  console.log(sent?.msgId, latitude);
  if (message.type === 'video') await message.reply(message.fileUrl + message.videoThumbnail);
  const { type, location } = message;
  if (type === 'location') await message.reply({ type, location });
  // @ts-expect-error a text has no file
  if (type === 'text') await message.reply(message.fileUrl);
  for await (const earlier of bot.history(message.chatId)) if (earlier.type === 'gif') earlier.gifUrl.slice();
});
bot.on(
  'groupMessage',
  (message) => message.isMentioned && message.reply({ type: 'gif', fileUrl: 'https://x' }),
);
// @ts-expect-error a private message has no group
bot.on('message', (message) => message.groupId);
// @ts-expect-error there is no such event
bot.on('vote', () => undefined);
// @ts-expect-error there are no filters
bot.on('message:text', () => undefined);

// @ts-expect-error a video needs a thumbnail
export const video: MessageContent = { type: 'video', fileUrl: 'https://x' };
// @ts-expect-error text takes no caption
export const text: MessageContent = { type: 'text', content: 'x', caption: 'y' };
// @ts-expect-error there is no such type
export const story: MessageContent = { type: 'story' };

bot.command(['start', 'help'], (message) => message.reply(message.match.toUpperCase()));
bot.hears(/^(\d+)$/, async (message, next) => {
  const digits: string | undefined = message.match[1];
  if (!digits) await next();
});
bot.hears('ping', (message) => message.reply(message.match.length > 0 ? 'pong' : ''));
bot.command('order', (message) => bot.ask(message, 'What?', { name: 'dish', data: { at: 12 } }));
bot.onAnswer<{ at: number }>('dish', ({ match }) => console.log(match.value.length, match.data.at));
// @ts-expect-error nothing is known of the data
bot.onAnswer('dish', ({ match }) => match.data.at);
// @ts-expect-error the handlers of the answer are found by the name
bot.command('order', (message) => bot.ask(message, 'What?', {}));
// @ts-expect-error the input is text
bot.hears('ping', (message) => message.match.index);
bot.catch(({ error, message, attempt = 1 }) => console.error(message.msgId, attempt, error));

const known = new Bot<{ isStaff: boolean }>({ ...service, apiKey: 'key' });
known.use(async (message, next) => {
  message.state.isStaff = message.from === 'usr_1';
  if ('groupId' in message) console.log(message.groupId, message.isMentioned);
  await next();
});
// @ts-expect-error nothing sets that
known.on('message', (message) => message.state.isGuest);
known.use(new Composer<{ isStaff: boolean }>());

// Declarations name the types of what is exported.
export const receive = bot.nodeHandler();
export const receiver = bot.fastifyPlugin({ path: '/hook' });
createServer(receive);
export const plugin = fastify().register(bot.fastifyPlugin({ path: '/hook' }));
export const handler: (request: Request) => Promise<Response> = bot.fetchHandler();
export const polling = bot.poll({ cursor: new FileCursor('cursor') });

const tokens = new FileTokenStore({ directory: 'tokens' });
const oauth = new OAuthClient({ ...service, clientId: 'a', clientSecret: 'b', redirectUri: 'c', tokens });
await oauth.person('ada').addToStory({ type: 'text', text: 'x' });
// @ts-expect-error bots have no stories
await bot.addToStory({ type: 'text', text: 'x' });
// @ts-expect-error a person may not grant it
await oauth.authorize({ scopes: ['messages:send'] });

try {
  await bot.sendMessage({ to: 'usr_1', type: 'text', content: 'x' });
} catch (error) {
  if (error instanceof ParleyError && error.code === 'RATE_LIMIT_EXCEEDED')
    console.log(error.retryAfterSeconds);
  // @ts-expect-error there is no such code
  if (error instanceof ParleyError && error.code === 'SLOW_DOWN') console.log(error.retryAfterSeconds);
}
