import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { CONTENT_TYPES } from '#contract/messages.ts';
import { columnOf } from '#testing/columns.ts';
import { listen } from '#testing/event-source.ts';
import { type Bot, createWorld, type Person, type World } from '#testing/world.ts';

const FILE = 'https://cdn.example.com/a.png';
const CONTENTS: Record<(typeof CONTENT_TYPES)[number], object> = {
  text: { content: 'hello' },
  image: { fileUrl: FILE },
  video: { fileUrl: FILE, thumbnailUrl: FILE },
  audio: { fileUrl: FILE },
  doc: { fileUrl: FILE, caption: 'read me' },
  gif: { fileUrl: FILE },
  sticker: { fileUrl: FILE },
  location: { location: { latitude: 1, longitude: 2 } },
};

function simulatorOf(bot: Bot) {
  const at = `/api/console/applications/${bot.appId}/simulator`;
  return (method: 'GET' | 'POST', path = '', body?: object, headers?: Record<string, string>) =>
    bot.owner.calls(method, `${at}${path}`, body, headers);
}

test('the owner simulates a person, and the bot receives and answers the messages', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const call = simulatorOf(bot);
  const shown = (await call('GET')).body.data;
  assert.deepEqual(
    { ...shown, testPerson: { ...shown.testPerson, userId: '' } },
    {
      testPerson: { userId: '', name: 'Test person', isBot: false, isDeleted: false, isTest: true },
      bot: { userId: bot.accountId, name: 'Helper', isBot: true, isDeleted: false, username: bot.username },
      isBlocked: false,
      hasWritten: false,
    },
  );
  const { userId } = shown.testPerson;
  assert.deepEqual((await call('GET', '/messages')).body.data, { messages: [], people: [] });

  for (const type of CONTENT_TYPES) {
    const sent = await call('POST', '/messages', { type, ...CONTENTS[type] });
    assert.equal(sent.status, 201, type);
  }
  const polled = await call('POST', '/polls', { question: 'Tea?', options: ['Yes', 'No'] });
  assert.equal(polled.status, 201);
  const feed = await bot.calls('GET', '/v1/events');
  assert.deepEqual(
    feed.body.data.events.map(({ event }: { event: { data: { type: string } } }) => event.data.type),
    [...CONTENT_TYPES, 'poll'],
  );
  const answered = await bot.calls('POST', '/v1/messages', { to: userId, type: 'text', content: 'hi' });
  assert.equal(answered.status, 201);
  const quoting = await call('POST', '/messages', {
    type: 'text',
    content: 'thanks',
    replyToMsgId: answered.body.data.msgId,
  });
  assert.equal(quoting.body.data.quote.excerpt, 'hi');
  const [optionId] = polled.body.data.poll.options.map(({ id }: { id: string }) => id);
  const voted = await call('POST', '/polls/vote', { messageId: polled.body.data.msgId, optionId });
  assert.deepEqual(voted.body.data.poll.myOptionIds, [optionId]);
  assert.equal((await call('GET', '/messages')).body.data.messages.length, 11);

  const { items } = (await call('GET', '/timeline')).body.data;
  const count = (kind: string) => items.filter((item: { kind: string }) => item.kind === kind).length;
  assert.deepEqual([count('message'), count('event'), count('request')], [11, 10, 2]);
  const again = { 'idempotency-key': 'once' };
  const [one, other] = [
    await call('POST', '/messages', { type: 'text', content: 'once' }, again),
    await call('POST', '/messages', { type: 'text', content: 'once' }, again),
  ];
  assert.equal(one.body.data.msgId, other.body.data.msgId);
});

test('the test person blocks the bot, and starts over', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const call = simulatorOf(bot);
  const { userId } = (await call('GET')).body.data.testPerson;
  await call('POST', '/messages', { type: 'text', content: 'hello' });
  const send = () => bot.calls('POST', '/v1/messages', { to: userId, type: 'text', content: 'hi' });
  assert.equal((await send()).status, 201);
  assert.equal((await call('POST', '/block')).body.data.isBlocked, true);
  assert.equal((await send()).status, 403);
  assert.equal((await call('POST', '/unblock')).body.data.hasWritten, true);
  assert.equal((await send()).status, 201);
  const reset = await call('POST', '/reset');
  assert.deepEqual([reset.status, reset.body.data.hasWritten], [200, false]);
  assert.deepEqual((await call('GET', '/messages')).body.data.messages, []);
  assert.equal((await send()).body.code, 'failed-precondition');
  await call('POST', '/messages', { type: 'text', content: 'anew' });
  assert.equal((await call('GET', '/messages')).body.data.messages.length, 1);
  assert.equal((await send()).status, 201);
});

test('the test person is the same for all bots of the owner, nobody else can use it, and it is deleted with the owner', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const other = await world.bot({ owner: bot.owner });
  const [{ body: one }, { body: two }] = [await simulatorOf(bot)('GET'), await simulatorOf(other)('GET')];
  assert.equal(one.data.testPerson.userId, two.data.testPerson.userId);
  const stranger = await world.person();
  const at = `/api/console/applications/${bot.appId}/simulator`;
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/messages'],
    ['GET', '/timeline'],
    ['GET', '/live'],
    ['POST', '/block'],
    ['POST', '/reset'],
  ] as const) {
    assert.equal((await stranger.calls(method, at + path)).status, 404, path);
  }
  const { appId } = await bot.owner.creates('No bot');
  assert.equal((await bot.owner.calls('GET', `/api/console/applications/${appId}/simulator`)).status, 404);

  await simulatorOf(bot)('POST', '/messages', { type: 'text', content: 'hello' });
  const to = one.data.testPerson.userId;
  await stranger.writes(bot, 'hello');
  const group = { name: 'Team', members: [stranger.accountId, to] };
  const { groupId } = (await bot.calls('POST', '/v1/groups', group)).body.data;
  const email = `${bot.owner.accountId}@example.com`;
  assert.equal((await bot.owner.calls('POST', '/api/auth/account/delete', { email })).status, 200);
  const message = { to, type: 'text', content: 'hello' };
  assert.equal((await stranger.calls('POST', '/api/chat/messages', message)).status, 404);
  const { members } = (await stranger.calls('GET', `/api/chat/groups/members?groupId=${groupId}`)).body.data;
  assert.deepEqual(columnOf(members, 'userId'), [stranger.accountId], 'it also leaves the groups of bots');
  for (const table of ['account_conversations', 'contacts', 'members'])
    assert.equal((await world.db`select from ${world.db(table)} where account_id = ${to}`).length, 0, table);
});

test('messages of people are masked in a payload, those of the owner are not', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const person = await world.person();
  await person.writes(bot, 'canary');
  await simulatorOf(bot)('POST', '/messages', { type: 'text', content: 'own words' });
  const at = `/api/console/applications/${bot.appId}/events`;
  const { body } = await bot.owner.calls('GET', at);
  const [own, foreign] = await Promise.all(
    body.data.map(async ({ eventId }: { eventId: string }) => {
      return (await bot.owner.calls('GET', `${at}/${eventId}/payload`)).body.data;
    }),
  );
  assert.deepEqual([own.isMasked, own.payload.data.textMsg], [false, 'own words']);
  assert.deepEqual([foreign.isMasked, foreign.payload.data.textMsg], [true, '••• 6 characters']);
  assert.equal(foreign.payload.data.from, person.accountId);
  assert.equal((await person.calls('GET', `${at}/${body.data[0].eventId}/payload`)).status, 404);
  const later = world.clock.now() + 1;
  assert.deepEqual((await bot.owner.calls('GET', `${at}?since=${later}`)).body.data, []);
});

test('events are streamed to the owner until the session ends', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const url = await listening(world);
  const at = `${url}/api/console/applications/${bot.appId}`;
  await using tail = await listen(`${at}/live`, { cookie: bot.owner.cookie });
  await using simulator = await listen(`${at}/simulator/live`, { cookie: bot.owner.cookie });
  assert.equal((await tail.next())?.type, 'ready');
  assert.equal((await simulator.next())?.type, 'ready');
  await simulatorOf(bot)('POST', '/messages', { type: 'text', content: 'hello' });
  const told = await tail.next();
  assert.deepEqual([told?.type, JSON.parse(told?.data ?? '').state], ['event', 'unsent']);
  const seen = [await simulator.next(), await simulator.next()].map((event) => event?.type);
  assert.deepEqual(seen, ['message', 'event']);
  await bot.calls('GET', '/v1/me');
  const request = await tail.next();
  assert.deepEqual([request?.type, JSON.parse(request?.data ?? '').route], ['request', '/v1/me']);
  const refused = await listen(`${at}/live`, { cookie: (await world.person()).cookie });
  assert.equal(refused.status, 404);
  await refused[Symbol.asyncDispose]();
  assert.equal((await simulator.next())?.type, 'request');
  world.app.openStreams.beat = async () => {};
  await bot.owner.calls('POST', '/api/auth/sign-out');
  assert.deepEqual([await tail.next(), await simulator.next()], [undefined, undefined]);
});

test('streams end with the access to the application', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const url = await listening(world);
  world.app.openStreams.beat = async () => {};
  const at = `/api/console/applications/${bot.appId}`;
  const team = async (person: Person) => {
    const { body } = await bot.owner.calls('POST', `${at}/team/invitations`, { role: 'viewer' });
    await person.calls('POST', '/api/console/invitations/accept', { token: body.data.token });
    const tail = await listen(`${url}${at}/live`, { cookie: person.cookie });
    assert.equal((await tail.next())?.type, 'ready');
    return tail;
  };
  const removed = await world.person();
  await using ofRemoved = await team(removed);
  await using ofTeammate = await team(await world.person());
  await using feed = await listen(`${url}/v1/events`, { authorization: `Bearer ${bot.key}` });
  assert.equal(feed.status, 200);

  await bot.owner.calls('DELETE', `${at}/team/${removed.accountId}`);
  while (await ofRemoved.next());
  const email = `${bot.owner.accountId}@example.com`;
  assert.equal((await bot.owner.calls('POST', '/api/auth/account/delete', { email })).status, 200);
  for (const stream of [ofTeammate, feed]) while (await stream.next());
});

test('the consent page can be previewed', async () => {
  await using world = await createWorld();
  const owner = await world.person();
  const { appId } = await owner.creates('Wea\u202Ether');
  const at = `/api/console/applications/${appId}/consent-preview`;
  const { body } = await owner.calls('GET', `${at}?scope=profile&redirectUri=https://app.example.com/cb`);
  assert.deepEqual(body.data, {
    question: 'Let Weather act for you?',
    ifYouApprove: 'If you approve, it can:',
    scopes: [
      {
        scope: 'profile',
        title: 'See who you are',
        detail: 'Your user id, your name and your photo. Not your e-mail address.',
      },
    ],
    goesOnTo: 'Whether you approve or deny, your browser will go to app.example.com.',
    deny: 'Deny',
    approve: 'Approve',
  });
  assert.equal((await owner.calls('GET', at)).body.data.scopes.length, 5);
  assert.equal((await owner.calls('GET', `${at}?scope=messages:send`)).status, 400);
});

async function listening({ app }: World): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

test('people cannot write to a test person, its owner included', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  const call = simulatorOf(bot);
  const { userId } = (await call('GET')).body.data.testPerson;
  for (const person of [await world.person('Stranger'), bot.owner]) {
    const message = { to: userId, type: 'text', content: 'Who are you?' };
    const { status, body } = await person.calls('POST', '/api/chat/messages', message);
    assert.deepEqual([status, body.message], [404, 'no account has the id in `to`']);
  }
  assert.equal((await call('GET', '/messages')).body.data.messages.length, 0);
});
