import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { denied, invalid, missing, precondition, success } from '#testing/answers.ts';
import { type Bot, createWorldFor, type Person, type World } from '#testing/world.ts';

const URL_OF_2048 = `https://cdn.example.com/${'a'.repeat(2048 - 24)}`;

const NO_QUOTE = missing('no message of this conversation has the id in `replyToMsgId`');

/** A body of each type with every field that the type has. */
const EVERY_FIELD = {
  text: { content: 'Hello' },
  image: { fileUrl: 'https://cdn.example.com/a.png', caption: 'a cat' },
  video: {
    fileUrl: 'https://cdn.example.com/a.mp4',
    thumbnailUrl: 'https://cdn.example.com/a.png',
    caption: 'a dog',
  },
  audio: { fileUrl: 'https://cdn.example.com/a.m4a' },
  doc: { fileUrl: 'https://cdn.example.com/a.pdf', caption: 'the plan' },
  gif: { fileUrl: 'https://cdn.example.com/a.gif' },
  sticker: { fileUrl: 'https://cdn.example.com/a.webp' },
  location: { location: { latitude: 48.8584, longitude: 2.2945, name: 'Eiffel Tower', address: 'Paris' } },
};

interface Scene {
  world: World;
  person: Person;
  bot: Bot;
  send(body: object): Promise<{ status: number; body: unknown }>;
}

/** A person who wrote to a bot, which may therefore answer. */
async function scene(t: TestContext): Promise<Scene> {
  const world = await createWorldFor(t);
  const person = await world.person();
  const bot = await world.bot({ requestsPerMinute: 100_000 });
  await person.writes(bot, 'hi');
  return {
    world,
    person,
    bot,
    send: async (body) => {
      const { status, body: answer } = await bot.calls('POST', '/v1/messages', {
        to: person.accountId,
        ...body,
      });
      return { status, body: answer };
    },
  };
}

test('every type is sent with every field and a quote, answered with its msgId, and read unchanged', async (t) => {
  const { world, person, bot, send } = await scene(t);
  const [quoted] = await person.reads(bot);
  for (const [type, content] of Object.entries(EVERY_FIELD)) {
    const sent = { type, ...content, replyToMsgId: quoted?.msgId };
    const answer = await send(sent);
    const { msgId } = (answer.body as { data: { msgId: string } }).data;
    assert.match(msgId, /^msg_[0-9a-z]{24}$/);
    const envelope = success('message sent', { msgId }, world.clock.now());
    assert.deepEqual(answer, { status: 201, body: envelope });
    const [message] = await person.reads(bot);
    const { conversationId, quote, ...shown } = message ?? {};
    assert.deepEqual(shown, { msgId, from: bot.accountId, ...sent, sentAt: world.clock.now() });
    assert.equal(quote?.msgId, quoted?.msgId);
  }
});

test('required fields of each type: missing or null is 400 naming the field', async (t) => {
  const { send } = await scene(t);
  const required: [string, object, string][] = [
    ['text', {}, 'content'],
    ['image', {}, 'fileUrl'],
    ['video', { thumbnailUrl: 'https://cdn.example.com/a.png' }, 'fileUrl'],
    ['video', { fileUrl: 'https://cdn.example.com/a.mp4' }, 'thumbnailUrl'],
    ['audio', {}, 'fileUrl'],
    ['doc', {}, 'fileUrl'],
    ['gif', {}, 'fileUrl'],
    ['sticker', {}, 'fileUrl'],
    ['location', {}, 'location'],
    ['location', { location: { longitude: 2 } }, 'location.latitude'],
    ['location', { location: { latitude: 48 } }, 'location.longitude'],
  ];
  for (const [type, others, field] of required) {
    assert.deepEqual(
      await send({ type, ...others }),
      invalid(`${field} is required`),
      `${type} without ${field}`,
    );
  }
  assert.deepEqual(await send({ type: 'text', content: null }), invalid('content must be of type string'));
  assert.deepEqual(await send({ type: 'image', fileUrl: null }), invalid('fileUrl must be of type string'));
  assert.deepEqual(
    await send({ type: 'location', location: null }),
    invalid('location must be of type object'),
  );
});

test('type is required and one of the 8; poll cannot be sent', async (t) => {
  const { send } = await scene(t);
  const fault = invalid('type must be one of: text, image, video, audio, doc, gif, sticker, location');
  assert.deepEqual(await send({ content: 'x' }), invalid('type is required'));
  for (const type of ['poll', 'TEXT', '', 'unknown', null, 1])
    assert.deepEqual(await send({ type, content: 'x' }), fault);
});

test('a field that the type does not use is 400 naming the field', async (t) => {
  const { send } = await scene(t);
  const values = {
    content: 'x',
    fileUrl: 'https://cdn.example.com/a',
    thumbnailUrl: 'https://cdn.example.com/a.png',
    caption: 'x',
    location: { latitude: 1, longitude: 1 },
  };
  for (const [type, used] of Object.entries(EVERY_FIELD)) {
    for (const [field, value] of Object.entries(values)) {
      if (field in used) continue;
      const answer = await send({ type, ...used, [field]: value });
      assert.deepEqual(answer, invalid(`${field} is not used by this type`), `${field} on ${type}`);
    }
  }
});

test('known fields are never coerced; unknown ones, and null in an optional one, are ignored', async (t) => {
  const { person, bot, send } = await scene(t);
  for (const [body, message] of [
    [{ content: 12 }, 'content must be of type string'],
    [{ to: 12 }, 'to must be of type string'],
    [{ to: [person.accountId] }, 'to must be of type string'],
    [{ replyToMsgId: 1 }, 'replyToMsgId must be of type string'],
    [
      { type: 'location', content: null, location: { latitude: '1', longitude: 1 } },
      'location.latitude must be of type number',
    ],
  ] as const)
    assert.deepEqual(await send({ type: 'text', content: 'x', ...body }), invalid(message));
  const nothing = { caption: null, replyToMsgId: null, content: null, thumbnailUrl: null, location: null };
  const image = { type: 'image', fileUrl: 'https://cdn.example.com/a.png' };
  assert.equal((await send({ ...image, ...nothing, colour: 'red', nested: { a: [1] } })).status, 201);
  const [message] = await person.reads(bot);
  const fields = ['conversationId', 'fileUrl', 'from', 'msgId', 'sentAt', 'type'];
  assert.deepEqual(Object.keys(message ?? {}).sort(), fields);
});

test('lengths are counted in code points, on both sides of each limit', async (t) => {
  const { send } = await scene(t);
  const image = { type: 'image', fileUrl: 'https://cdn.example.com/a.png' };
  const place = { latitude: 1, longitude: 1 };
  const accepted = [
    { type: 'text', content: '😀'.repeat(4096) },
    { ...image, caption: '😀'.repeat(1024) },
    { type: 'location', location: { ...place, name: '😀'.repeat(256), address: '😀'.repeat(256) } },
    { type: 'gif', fileUrl: URL_OF_2048 },
    { type: 'location', location: { latitude: 90, longitude: 180 } },
    { type: 'location', location: { latitude: -90, longitude: -180 } },
  ];
  for (const body of accepted)
    assert.equal((await send(body)).status, 201, JSON.stringify(body).slice(0, 80));
  const refused: [object, string][] = [
    [{ type: 'text', content: 'a'.repeat(4097) }, 'content must have at most 4096 characters'],
    [{ ...image, caption: 'a'.repeat(1025) }, 'caption must have at most 1024 characters'],
    [{ type: 'gif', fileUrl: `${URL_OF_2048}a` }, 'fileUrl must have at most 2048 characters'],
  ];
  for (const [more, message] of [
    [{ name: 'a'.repeat(257) }, 'name must have at most 256 characters'],
    [{ address: 'a'.repeat(257) }, 'address must have at most 256 characters'],
    [{ latitude: 90.000001 }, 'latitude must be <= 90'],
    [{ latitude: -90.000001 }, 'latitude must be >= -90'],
    [{ longitude: 180.000001 }, 'longitude must be <= 180'],
    [{ longitude: -180.000001 }, 'longitude must be >= -180'],
  ] as const)
    refused.push([{ type: 'location', location: { ...place, ...more } }, `location.${message}`]);
  for (const [body, message] of refused) assert.deepEqual(await send(body), invalid(message));
});

test('text that is empty or only white space is 400; other text is stored untrimmed', async (t) => {
  const { person, bot, send } = await scene(t);
  assert.deepEqual(
    await send({ type: 'text', content: '' }),
    invalid('content must have at least 1 character'),
  );
  for (const content of [' ', '\n\t', '\u00a0\u2003']) {
    assert.deepEqual(await send({ type: 'text', content }), invalid('content must not be blank'));
  }
  assert.equal((await send({ type: 'text', content: '  padded \n' })).status, 201);
  assert.equal((await person.reads(bot))[0]?.content, '  padded \n');
});

test('to is required and must look like a userId', async (t) => {
  const { bot, send } = await scene(t);
  const withoutTo = await bot.calls('POST', '/v1/messages', { type: 'text', content: 'x' });
  assert.deepEqual({ status: withoutTo.status, body: withoutTo.body }, invalid('to is required'));
  for (const to of ['', 'a b', 'ü', 'a'.repeat(129)]) {
    assert.deepEqual(
      await send({ type: 'text', content: 'x', to }),
      invalid('to must be an id: 1 to 128 letters, digits, _ and -'),
    );
  }
  for (const to of ['a', 'a'.repeat(128), 'usr_00000000000000000000000a']) {
    assert.deepEqual(
      await send({ type: 'text', content: 'x', to }),
      missing('no account has the id in `to`'),
    );
  }
});

test('file and thumbnail URLs must be public https', async (t) => {
  const { send } = await scene(t);
  assert.deepEqual(
    await send({ type: 'gif', fileUrl: 'http://cdn.example.com/a' }),
    invalid('fileUrl must begin with https://'),
  );
  for (const host of [
    'localhost',
    '127.0.0.1',
    '10.0.0.1',
    '[::1]',
    'printer.local',
    'intranet',
    '169.254.169.254',
  ]) {
    const { status, body } = await send({ type: 'gif', fileUrl: `https://${host}/a` });
    assert.equal(status, 400, host);
    assert.match((body as { message: string }).message, /^fileUrl must /);
    const thumbnail = { fileUrl: 'https://cdn.example.com/a.mp4', thumbnailUrl: `https://${host}/a` };
    const video = await send({ type: 'video', ...thumbnail });
    assert.match((video.body as { message: string }).message, /^thumbnailUrl must /);
  }
});

test('a media URL may have a fragment and unencoded letters, and arrives unchanged', async (t) => {
  const { person, bot, send } = await scene(t);
  for (const fileUrl of [
    'https://cdn.example.com/фото.jpg?größe=1',
    'https://cdn.example.com/film.mp4#t=10,20',
    `https://cdn.example.com/${'ü'.repeat(2048 - 24)}`,
  ]) {
    assert.equal((await send({ type: 'doc', fileUrl })).status, 201, fileUrl);
    assert.equal((await person.reads(bot))[0]?.fileUrl, fileUrl);
  }
});

test('order of checks: body, recipient, recipient is a bot, blocked, never wrote, quoted message', async (t) => {
  const { world, bot, person, send } = await scene(t);
  const [other, gone, stranger] = [await world.bot(), await world.bot(), await world.person()];
  await gone.deleted();
  const to = (accountId: string, content = 'x') =>
    send({ type: 'text', content, replyToMsgId: 'nonsense', to: accountId });
  const unknown = missing('no account has the id in `to`');
  const blocked = denied('the user blocked this bot');
  assert.deepEqual(await to('nobody', ''), invalid('content must have at least 1 character'));
  for (const nobody of ['nobody', gone.accountId]) assert.deepEqual(await to(nobody), unknown);
  assert.deepEqual(await to(other.accountId), denied('to is a bot; bots cannot write to bots'));
  assert.deepEqual(await to(stranger.accountId), precondition('the user never wrote to this bot'));
  for (const blocker of [stranger, person]) {
    await blocker.blocks(bot);
    assert.deepEqual(await to(blocker.accountId), blocked);
  }
  await person.unblocks(bot);
  assert.deepEqual(await to(person.accountId), NO_QUOTE);
});

test('the id of a group is 404 and points to the path for groups', async (t) => {
  const { world, send } = await scene(t);
  const message = '`to` is the id of a group: send it as `groupId`, and messages to POST /v1/messages/group';
  const to = world.newId('grp');
  assert.deepEqual(await send({ to, type: 'text', content: 'x' }), missing(message));
});

test('replyToMsgId quotes a message of the same conversation, either side’s; any other is 404', async (t) => {
  const { world, person, bot, send } = await scene(t);
  const [theirs] = await person.reads(bot);
  const text = { type: 'text', content: 'x' };
  const own = await send({ ...text, replyToMsgId: theirs?.msgId });
  assert.equal(own.status, 201);
  const ownId = (own.body as { data: { msgId: string } }).data.msgId;
  assert.equal((await send({ ...text, replyToMsgId: ownId })).status, 201);
  assert.equal((await person.reads(bot))[0]?.replyToMsgId, ownId);
  const otherPerson = await world.person();
  const elsewhere = await otherPerson.writes(bot, 'hello');
  for (const replyToMsgId of [elsewhere.msgId, 'msg_00000000000000000000000a', 'nonsense'])
    assert.deepEqual(await send({ ...text, replyToMsgId }), NO_QUOTE);
});

test('sends of one batch each get their own answer', async (t) => {
  const { world, person, bot, send } = await scene(t);
  const stranger = await world.person();
  const bodies = Array.from({ length: 90 }, (_, i) => {
    const content = `message ${i}`;
    if (i % 3 === 1) return { type: 'text', content, to: stranger.accountId };
    if (i % 3 === 2) return { type: 'text', content, replyToMsgId: 'msg_00000000000000000000000a' };
    return { type: 'text', content };
  });
  const answers = await Promise.all(bodies.map(send));
  assert.deepEqual(
    answers.map((answer) => answer.status),
    bodies.map((_, i) => [201, 400, 404][i % 3]),
  );
  const stored = (await person.reads(bot)).flatMap((message) =>
    message.from === bot.accountId ? [message.content] : [],
  );
  assert.deepEqual(
    stored.toSorted(),
    bodies.flatMap((body, i) => (i % 3 === 0 ? [body.content] : [])).toSorted(),
  );
});
