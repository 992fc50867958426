import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installManagementBot, MANAGEMENT_BOT_ID } from '#features/management-bot/identity.ts';
import { missing } from '#testing/answers.ts';
import { createWorld } from '#testing/world.ts';

test('a bot is found by its exact username and by nothing else', async () => {
  await using world = await createWorld();
  const bot = await world.bot({ name: 'Weather', username: 'weather_bot' });
  const person = await world.person();
  const find = (username: string) => person.calls('GET', `/api/chat/profiles?username=${username}`);
  const { status, body } = await find('weather_bot');
  assert.equal(status, 200);
  assert.equal(body.data.userId, bot.accountId);
  assert.equal(body.data.name, 'Weather');
  for (const username of ['weather', 'Weather_bot', 'weather_bo', 'eather_bot', '%25', '', bot.accountId]) {
    const message = username.endsWith('bot')
      ? 'no bot has the name in `username`'
      : 'nobody has this username';
    assert.deepEqual(await find(username).then(({ status, body }) => ({ status, body })), missing(message));
  }
});

test('everybody can find the management bot, by its username from the settings', async () => {
  await using world = await createWorld();
  await installManagementBot(world);
  const person = await world.person();
  const { status, body } = await person.calls('GET', '/api/chat/management-bot');
  assert.equal(status, 200);
  assert.equal(body.data.userId, MANAGEMENT_BOT_ID);
  assert.equal(body.data.username, world.config.managementBotUsername);
  assert.match(body.data.conversationId, /^prv_/);
  assert.match(body.data.description, /^Creates and manages your bots/);
  await person.calls('PUT', '/api/auth/language', { language: 'de' });
  const { description, commands } = (await person.calls('GET', '/api/chat/management-bot')).body.data;
  assert.match(description, /^Erstellt und verwaltet deine Bots/);
  assert.deepEqual(commands[0], { command: 'newbot', description: 'einen Bot erstellen' });
  await person.writes({ accountId: MANAGEMENT_BOT_ID }, '/help');
  const at = `/api/chat/conversations/${body.data.conversationId}/commands`;
  assert.deepEqual((await person.calls('GET', at)).body.data[0].commands, commands);
});

test('an invite link leads to its owner, and to the conversation that may begin', async () => {
  await using world = await createWorld();
  const [host, guest] = [await world.person(), await world.person()];
  const { token } = (await host.calls('POST', '/api/auth/invite-link', {})).body.data;
  const { body } = await guest.calls('GET', `/api/chat/invites/${token}`);
  assert.equal(body.data.userId, host.accountId);
  assert.equal(body.data.isBlocked, false);
  const sent = await guest.calls('POST', '/api/chat/messages', {
    to: host.accountId,
    type: 'text',
    content: 'hello',
  });
  assert.equal(sent.body.data.conversationId, body.data.conversationId);
  await host.calls('POST', '/api/auth/invite-link', {});
  assert.equal((await guest.calls('GET', `/api/chat/invites/${token}`)).status, 404);
});

test('conversations are listed by their newest message, with the peer and whether it is blocked', async () => {
  await using world = await createWorld();
  const person = await world.person();
  const [weather, news] = [await world.bot({ name: 'Weather' }), await world.bot({ name: 'News' })];
  await person.writes(weather, 'a');
  await person.writes(news, 'b');
  await weather.writes(person, 'sunny');
  await person.blocks(news);
  const { body } = await person.calls('GET', '/api/chat/conversations');
  assert.deepEqual(
    body.data.conversations.map(
      (c: { peer: { name: string }; isBlocked: boolean; lastMessage: { content: string } }) => [
        c.peer.name,
        c.isBlocked,
        c.lastMessage.content,
      ],
    ),
    [
      ['Weather', false, 'sunny'],
      ['News', true, 'b'],
    ],
  );
});

test('a deleted bot is shown as "Deleted bot", its messages stay, and writing to it is 404', async () => {
  await using world = await createWorld();
  const [person, bot] = [await world.person(), await world.bot({ name: 'Weather' })];
  await person.writes(bot, 'hello');
  await bot.writes(person, 'sunny');
  await bot.deleted();
  const { body } = await person.calls('GET', '/api/chat/conversations');
  assert.deepEqual(body.data.conversations[0].peer, {
    userId: bot.accountId,
    name: 'Deleted bot',
    isBot: true,
    isDeleted: true,
  });
  assert.deepEqual(
    (await person.reads(bot)).map(({ content, from }) => [content, from]),
    [
      ['sunny', bot.accountId],
      ['hello', person.accountId],
    ],
  );
  const refused = await person.calls('POST', '/api/chat/messages', {
    to: bot.accountId,
    type: 'text',
    content: 'x',
  });
  assert.equal(refused.status, 404);
  assert.equal((await person.calls('GET', `/api/chat/profiles?username=${bot.username}`)).status, 404);
});

test('a failed send that is tried again with its Idempotency-Key is one message and one event', async () => {
  await using world = await createWorld();
  const person = await world.person();
  const bot = await world.bot({ webhookUrl: 'https://hooks.example.com/x' });
  const body = { to: bot.accountId, type: 'text', content: 'once' };
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      person.calls('POST', '/api/chat/messages', body, { 'idempotency-key': 'k' }),
    ),
  );
  assert.equal(new Set(answers.map((answer) => answer.body.data.msgId)).size, 1);
  assert.equal((await person.reads(bot)).length, 1);
  const [events] = await world.db`select count(*) from events`;
  assert.equal(events?.['count'], 1);
});

test('a disabled application’s bot can be written to, but no event is recorded', async () => {
  await using world = await createWorld();
  const person = await world.person();
  const bot = await world.bot({ webhookUrl: 'https://hooks.example.com/x' });
  await bot.owner.disables(bot);
  await person.writes(bot, 'anybody there?');
  assert.deepEqual(Array.from(await world.db`select 1 from events`), []);
});

test('file details of a client reach other clients but not bots', async () => {
  await using world = await createWorld();
  const [ada, bot] = [await world.person(), await world.bot()];
  const write = async (content: object) => {
    const { status, body } = await ada.calls('POST', '/api/chat/messages', { to: bot.accountId, ...content });
    return { status, told: body.data?.fileDetails ?? body.message, msgId: body.data?.msgId };
  };
  const [image, video, audio, doc, gif] = ['image', 'video', 'audio', 'doc', 'gif'].map((type) => ({
    type,
    fileUrl: 'https://files.example.com/1',
    ...(type === 'video' && { thumbnailUrl: 'https://files.example.com/2' }),
  }));
  const [albumId, durationMs, waveform] = ['3f9K0v5m2c8x7Q1t', 12_345, [0, 55, 100]];
  const sent = [];
  for (const [content, fileDetails] of [
    [doc, { size: 0 }],
    [gif, { width: 1, height: 100_000 }],
    [image, { albumId, width: 800, height: 1200 }],
    [video, { albumId, durationMs, width: 1920, height: 1080 }],
    [audio, { durationMs, waveform }],
  ]) {
    const { msgId, ...written } = await write({ ...content, fileDetails });
    assert.deepEqual(written, { status: 201, told: fileDetails });
    sent.push([msgId, false]);
  }
  const { events } = (await bot.calls('GET', '/v1/events')).body.data;
  assert.deepEqual(
    events.map(({ event: { data } }: { event: { data: { msgId: string } } }) => [
      data.msgId,
      'fileDetails' in data,
    ]),
    sent,
  );
  const refused = 'is not used by this type';
  for (const [content, fileDetails, message] of [
    [image, { durationMs }, `fileDetails.durationMs ${refused}`],
    [audio, { albumId }, `fileDetails.albumId ${refused}`],
    [{ type: 'text', content: 'hello' }, { albumId }, `fileDetails ${refused}`],
    [audio, { waveform: [101] }, 'fileDetails.waveform.0 must be <= 100'],
    [image, { width: 0, height: 1 }, 'fileDetails.width must be >= 1'],
    [gif, { width: 1, height: 100_001 }, 'fileDetails.height must be <= 100000'],
    [doc, { size: 1.5 }, 'fileDetails.size must be of type integer'],
    [doc, { width: 1 }, `fileDetails.width ${refused}`],
    [image, { albumId: 'no good' }, 'fileDetails.albumId must match ^[A-Za-z0-9_-]{1,64}$'],
  ] as const) {
    const { status, told } = await write({ ...content, fileDetails });
    assert.deepEqual([status, told], [400, message]);
  }
  // From a bot, it is a field that the contract does not know.
  const ofBot = { to: ada.accountId, ...image, fileDetails: { albumId } };
  assert.equal((await bot.calls('POST', '/v1/messages', ofBot)).status, 201);
  const { conversationId } = (await ada.calls('GET', '/api/chat/conversations')).body.data.conversations[0];
  const page = await ada.calls('GET', `/api/chat/conversations/${conversationId}/messages`);
  const [newest, before] = page.body.data.messages;
  assert.deepEqual([newest.fileDetails, before.fileDetails], [undefined, { durationMs, waveform }]);
});
