import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { disableApplication } from '#features/applications/life-cycle.ts';
import { removeWebhookUrl } from '#features/applications/settings.ts';
import { invalid, missing, plain, precondition, success } from '#testing/answers.ts';
import { ownConsole } from '#testing/webhook-console.ts';
import { type Bot, createWorld } from '#testing/world.ts';
import { composeFeatures } from '../../../app.ts';
import { SANDBOX } from './sandbox-content.ts';

const FILES = 'https://example.com/parley-sandbox';
const TYPES = ['text', 'image', 'video', 'audio', 'doc', 'gif', 'sticker', 'location', 'poll'] as const;

/** The fields that depend on the type (contract §6). */
const FIELDS = {
  text: { textMsg: 'Hello! This message is simulated.' },
  image: { fileUrl: `${FILES}/image.jpg`, caption: 'A simulated image' },
  video: {
    fileUrl: `${FILES}/video.mp4`,
    videoThumbnail: `${FILES}/video.jpg`,
    caption: 'A simulated video',
  },
  audio: { fileUrl: `${FILES}/audio.m4a` },
  doc: { fileUrl: `${FILES}/document.pdf`, caption: 'A simulated document' },
  gif: { fileUrl: `${FILES}/animation.gif`, gifUrl: `${FILES}/animation.gif` },
  sticker: { fileUrl: `${FILES}/sticker.webp` },
  location: { location: { latitude: 46.948, longitude: 7.4474, name: 'Bern' } },
};

async function createScene(t: TestContext) {
  const { world, own, owner } = await ownConsole(t);
  const { userId: botId } = await composeFeatures(world.platform).bots.create(own, {
    username: 'weather_bot',
  });
  return { world, own, botId, owner };
}

test('every type of message is simulated and delivered like any other event', async (t) => {
  const { world, owner } = await createScene(t);
  const sentAt = world.platform.clock.now();
  for (const type of TYPES) {
    const asked = { event: 'message.received', type };
    const { status, body } = await owner.call('POST', '/webhook/simulate', asked);
    const { eventId, msgId } = body.data;
    assert.deepEqual([status, body], [201, success('event simulated', { eventId, msgId }, sentAt)]);
    assert.deepEqual(await world.deliver(world.sender()), { delivered: 1 });
    const { headers, rawBody } = world.receiver.requests.at(-1) ?? assert.fail();
    assert.equal(headers['x-service-event'], 'message.received');
    const event = JSON.parse(rawBody.toString());
    const common = { msgId, type, textMsg: '', sentAt, sandbox: true };
    const nobody = { from: SANDBOX.userId, chatId: SANDBOX.userId };
    const fields = type === 'poll' ? pollLike(event.data.poll) : FIELDS[type];
    assert.deepEqual(event, { type: 'message.received', data: { ...common, ...nobody, ...fields } });
    const shown = (await owner.call('GET', `/events/${eventId}`)).body.data;
    assert.deepEqual([shown.msgId, shown.type, shown.state], [msgId, 'message.received', 'delivered']);
  }
});

/** With the ids of that one. */
function pollLike({ id, options }: { id: string; options: { id: string }[] }) {
  assert.match(id, /^pol_/);
  for (const option of options) assert.match(option.id, /^opt_/);
  const texts = ['Tea', 'Coffee'].map((text, i) => ({ id: options[i]?.id, text }));
  const kind = { allowMultipleAnswers: false, isAnonymous: false };
  return { poll: { id, question: 'Tea or coffee?', options: texts, ...kind } };
}

test('a group message is simulated with the bot mentioned or not', async (t) => {
  const { world, botId, owner } = await createScene(t);
  const event = 'group_message.received';
  for (const isMentioned of [undefined, true, false]) {
    const asked = { event, type: 'sticker', isMentioned };
    const { status, body } = await owner.call('POST', '/webhook/simulate', asked);
    assert.equal(status, 201);
    await world.deliver(world.sender());
    const { rawBody } = world.receiver.requests.at(-1) ?? assert.fail();
    const { type, data } = JSON.parse(rawBody.toString());
    const { fileUrl, sentAt } = data;
    const { userId: from, groupId } = SANDBOX;
    const mentions = { mentionedUserIds: isMentioned ? [botId] : [], isMentioned: isMentioned ?? false };
    const sent = { msgId: body.data.msgId, type: 'sticker', textMsg: '', fileUrl, sentAt, sandbox: true };
    assert.deepEqual([type, data], [event, { ...sent, from, groupId, ...mentions }]);
  }
});

test('the text can be chosen; fields that do not belong to the event are 400', async (t) => {
  const { world, owner } = await createScene(t);
  const simulate = (asked: object) =>
    owner.call('POST', '/webhook/simulate', { event: 'message.received', ...asked });
  assert.equal((await simulate({ type: 'text', text: 'grüezi 😀' })).status, 201);
  await world.deliver(world.sender());
  assert.match(world.receiver.requests[0]?.rawBody.toString() ?? '', /"textMsg":"grüezi 😀"/);
  for (const [asked, message] of [
    [{ type: 'image', text: 'x' }, 'text belongs to type text'],
    [{ type: 'text', isMentioned: true }, 'isMentioned belongs to group_message.received'],
    [{ type: 'text', text: ' ' }, 'text must not be blank'],
    [{ type: 'song' }, 'type must be one of: text, image, video, audio, doc, gif, sticker, location, poll'],
    [{ type: 'text', event: 'ping' }, 'event must be one of: message.received, group_message.received'],
    [{}, 'type is required'],
  ] as const)
    assert.deepEqual(plain(await simulate(asked)), invalid(message));
});

test('without a bot, or while events are not recorded, simulating is refused', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const asked = { event: 'message.received', type: 'text' };
  const simulate = async () => plain(await owner.call('POST', '/webhook/simulate', asked));
  assert.deepEqual(await simulate(), precondition('the application has no bot: create one first'));
  await composeFeatures(world.platform).bots.create(own, { username: 'weather_bot' });
  await disableApplication(world.platform, own);
  const disabled = 'the application is disabled, so its events are not recorded';
  assert.deepEqual(await simulate(), precondition(disabled));
});

test('without a webhook URL a simulated event is recorded for fetching', async (t) => {
  const { world, own, owner } = await createScene(t);
  await removeWebhookUrl(world.platform, own, []);
  const asked = { event: 'message.received', type: 'text' };
  const { eventId } = (await owner.call('POST', '/webhook/simulate', asked)).body.data;
  assert.equal((await owner.call('GET', `/events/${eventId}`)).body.data.state, 'unsent');
});

const simulatedTo = async (bot: Bot, event: string) => {
  const path = `/api/console/applications/${bot.appId}/webhook/simulate`;
  assert.equal((await bot.owner.calls('POST', path, { event, type: 'text' })).status, 201);
  const feed = await bot.calls('GET', '/v1/events');
  return feed.body.data.events.at(-1).event.data;
};

test('an answer to a simulated message is accepted, quoting or not, and goes nowhere', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const direct = await simulatedTo(bot, 'message.received');
  const inGroup = await simulatedTo(bot, 'group_message.received');
  const content = { type: 'text', content: 'You wrote: Hello!' };
  for (const [path, body] of [
    ['/v1/messages', { to: direct.chatId, ...content }],
    ['/v1/messages', { to: direct.chatId, ...content, replyToMsgId: direct.msgId }],
    ['/v1/messages/group', { groupId: inGroup.groupId, ...content, replyToMsgId: inGroup.msgId }],
  ] as const) {
    const { status, body: answer } = await bot.calls('POST', path, body);
    assert.deepEqual([status, answer.message], [201, 'message sent'], path);
    assert.match(answer.data.msgId, /^msg_/);
  }
  const [{ stored } = assert.fail()] = await world.db`select count(*)::integer as stored from messages`;
  assert.equal(stored, 0);
  const bad = await bot.calls('POST', '/v1/messages', { to: direct.chatId, type: 'text' });
  assert.deepEqual([bad.status, bad.body.message], [400, 'content is required']);
  const { apiKey } = (await bot.owner.calls('POST', `/api/console/applications/${bot.appId}/api-key`)).body
    .data;
  assert.notEqual(apiKey, bot.key);
  const revoked = await bot.calls('POST', '/v1/messages', { to: direct.chatId, ...content });
  assert.equal(revoked.status, 401);
});

test('the sandbox is nobody: the owner of the bot is still a person who has to write first', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const { msgId } = await simulatedTo(bot, 'message.received');
  const answer = { to: bot.owner.accountId, type: 'text', content: 'answer' };
  assert.equal((await bot.calls('POST', '/v1/messages', answer)).body.code, 'failed-precondition');
  await bot.owner.writes(bot, 'hello');
  const quoting = await bot.calls('POST', '/v1/messages', { ...answer, replyToMsgId: msgId });
  const message = 'no message of this conversation has the id in `replyToMsgId`';
  assert.deepEqual(plain(quoting), missing(message));
});
