import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '#contract/reasons.ts';
import type { Answer } from '#testing/answers.ts';
import { plain, readAnswer, refusal } from '#testing/answers.ts';
import { type EventSource, listen } from '#testing/event-source.ts';
import { eventually } from '#testing/waits.ts';
import { createWorldFor, type Person } from '#testing/world.ts';

function text(to: { accountId: string }) {
  return { to: to.accountId, type: 'text', content: 'hello' };
}

/** The server notices a closed connection with a short delay. */
function openOnceThereIsRoom(open: () => Promise<EventSource>): Promise<EventSource> {
  return eventually(async () => {
    const source = await open();
    if (source.status === 200) return source;
    await source[Symbol.asyncDispose]();
    return undefined;
  });
}

function assertLimited(answer: Answer, what: string, seconds: number): void {
  // Pages add the wait themselves.
  const message = answer.reason === undefined ? `${what}; try again in ${seconds} s` : what;
  assert.deepEqual(plain(answer), refusal(429, 'RATE_LIMIT_EXCEEDED', message));
  assert.equal(answer.headers['retry-after'], String(seconds));
}

test('messages per person and minute are limited, private or in groups, in the chat or through an application', async (t) => {
  const world = await createWorldFor(t, { messagesPerMinute: 6 });
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const bot = await world.bot();
  const { groupId } = (await ada.calls('POST', '/api/chat/groups', { name: 'Team' })).body.data;
  const token = await world.token({ person: ada, scopes: ['groups:manage', 'polls:write', 'stories:write'] });
  const through = async (url: string, payload: object): Promise<Answer> => {
    const answer = await world.app.inject({
      method: 'POST',
      url,
      payload,
      headers: { authorization: `Bearer ${token}` },
    });
    return readAnswer(answer);
  };
  const poll = { receiverId: bot.accountId, question: 'Tea?', options: ['yes', 'no'] };
  const writes: (() => Promise<Answer>)[] = [
    () => ada.calls('POST', '/api/chat/messages', text(bob)),
    () => ada.calls('POST', '/api/chat/groups/messages', { groupId, type: 'text', content: 'hello' }),
    () => ada.calls('POST', '/api/chat/polls', poll),
    () => ada.calls('POST', '/api/chat/stories', { type: 'text', text: 'hello' }),
    () => through('/v1/groups/broadcast', { groupId, content: 'hello' }),
    () => through('/v1/polls', { ...poll, receiverId: undefined, groupId }),
  ];
  const refused = await ada.calls('POST', '/api/chat/messages', text({ accountId: 'usr_nobody' }));
  assert.equal(refused.status, 404, 'what is refused does not count');
  for (const write of writes) assert.equal((await write()).status, 201);
  world.clock.advance({ seconds: 15 });
  for (const write of [...writes, () => through('/v1/stories', { type: 'text', text: 'hello' })]) {
    assertLimited(await write(), 'you are sending messages too fast', 45);
  }
  assert.equal((await bob.calls('POST', '/api/chat/messages', text(ada))).status, 201);
  assert.equal((await bot.calls('POST', '/v1/messages', text(ada))).status, 201);
  world.clock.advance({ seconds: 45 });
  for (const write of writes) assert.equal((await write()).status, 201);
});

test('a retry with the same Idempotency-Key does not count again', async (t) => {
  const world = await createWorldFor(t, { messagesPerMinute: 1 });
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const send = () => ada.calls('POST', '/api/chat/messages', text(bob), { 'idempotency-key': 'once' });
  const first = await send();
  assert.equal(first.status, 201);
  assert.deepEqual(plain(await send()), plain(first));
});

test('people who have not answered get few messages; an answer lifts the limit', async (t) => {
  const world = await createWorldFor(t, { unansweredMessagesPerHour: 3 });
  const [ada, bob, carol] = await world.people('Ada', 'Bob', 'Carol');
  for (const to of [bob, carol, bob]) await ada.writes(to, 'hello?');
  const refused = await ada.calls('POST', '/api/chat/messages', text(carol));
  assertLimited(refused, 'you have sent too many messages to people who have not answered yet', 3600);
  await bob.writes(ada, 'hello!');
  for (let i = 0; i < 10; i++) await ada.writes(bob, 'good to hear from you');
  assert.equal((await ada.calls('POST', '/api/chat/messages', text(carol))).status, 429);
  await ada.writes(await world.bot(), 'bots are there to be written to');
  world.clock.advance({ hours: 1 });
  await ada.writes(carol, 'hello again');
});

test('new contacts per day are limited, messages to people who wrote first are not', async (t) => {
  const world = await createWorldFor(t, { newPeoplePerDay: 2 });
  const [ada, friend] = await world.people('Ada', 'Friend');
  await friend.writes(ada, 'hi');
  for (const name of ['One', 'Two']) await ada.writes(await world.person(name), 'hello');
  const three = await world.person('Three');
  const refused = await ada.calls('POST', '/api/chat/messages', text(three));
  assertLimited(refused, 'you have written to too many new people today', 86_400);
  assert.deepEqual((await three.calls('GET', '/api/chat/conversations')).body.data.conversations, []);
  await ada.writes(friend, 'hi');
  world.clock.advance({ days: 1 });
  await ada.writes(three, 'hello');
});

test('new groups per day are limited; a refused one does not count', async (t) => {
  const world = await createWorldFor(t, { groupsPerDay: 2 });
  const ada = await world.person('Ada');
  const create = (members: string[] = []) => ada.calls('POST', '/api/chat/groups', { name: 'Team', members });
  assert.equal((await create(['usr_nobody'])).status, 404);
  assert.equal((await create()).status, 201);
  const token = await world.token({ person: ada, scopes: ['groups:manage'] });
  const headers = { authorization: `Bearer ${token}` };
  const api = { method: 'POST', url: '/v1/groups', headers, payload: { name: 'Team' } } as const;
  assert.equal((await world.app.inject(api)).statusCode, 201);
  assertLimited(await create(), 'you have created too many groups today', 86_400);
  assert.equal((await world.app.inject(api)).statusCode, 429);
  const bot = await world.bot();
  for (let i = 0; i < 3; i++)
    assert.equal((await bot.calls('POST', '/v1/groups', { name: 'Team' })).status, 201);
});

test('few people who never wrote can be added to groups; contacts, bots and members do not count', async (t) => {
  const world = await createWorldFor(t, { newPeopleAddedPerDay: 2 });
  const ada = await world.person('Ada');
  const [friend, one, two, three] = await world.people('Friend', 'One', 'Two', 'Three');
  await friend.writes(ada, 'hi');
  const bot = await world.bot();
  const ids = (...people: { accountId: string }[]) => people.map(({ accountId }) => accountId);
  const many = await ada.calls('POST', '/api/chat/groups', { name: 'Team', members: ids(one, two, three) });
  assertLimited(many, 'you have added too many people today who never wrote to you', 86_400);
  const made = await ada.calls('POST', '/api/chat/groups', {
    name: 'Team',
    members: ids(friend, bot, one),
  });
  assert.equal(made.status, 201, 'what was refused counted for nothing');
  const { groupId } = made.body.data;
  const add = (...people: { accountId: string }[]) =>
    ada.calls('POST', '/api/chat/groups/members', { groupId, memberIds: ids(...people) });
  assert.equal((await add(one, friend)).status, 200);
  assert.equal((await add(one, two)).status, 200);
  assertLimited(await add(three), 'you have added too many people today who never wrote to you', 86_400);
  await three.writes(ada, 'let me in');
  assert.equal((await add(three)).status, 200);
});

test('open live streams per person are limited, and a closed one frees its slot', async (t) => {
  const world = await createWorldFor(t, { liveStreamsPerPerson: 2 });
  const origin = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const open = ({ cookie }: Person) => listen(`${origin}/api/chat/live`, { cookie });
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const first = await open(ada);
  await using _second = await open(ada);
  const refused = await fetch(`${origin}/api/chat/live`, { headers: { cookie: ada.cookie } });
  assert.deepEqual(
    [refused.status, await refused.json()],
    [
      429,
      { status: 'error', code: 'resource-exhausted', ...say('http.too-many-live-streams', { count: 2 }) },
    ],
  );
  assert.equal(refused.headers.get('retry-after'), '30');
  await using _other = await open(bob);
  await first[Symbol.asyncDispose]();
  await using _third = await openOnceThereIsRoom(() => open(ada));
});
