import assert from 'node:assert/strict';
import { test } from 'node:test';
import { denied, invalid, missing, refusal, success } from '#testing/answers.ts';
import { groupScene } from '#testing/group-scene.ts';

const PHOTO_OF_2048 = `https://cdn.example.com/${'a'.repeat(2048 - 24)}`;
const UNKNOWN = 'usr_00000000000000000000000a';

test('a bot creates a group: 201 with its groupId; the bot is in it as the sole administrator', async (t) => {
  const { world, bot, people, call, roles } = await groupScene(t, { people: 2 });
  const [ada, bob] = people.map(({ accountId }) => accountId) as [string, string];
  const answer = await call('POST', '/v1/groups', {
    name: '  Team 😀 ',
    description: 'All of us',
    members: [ada, bob, ada, bot.accountId],
    photoUrl: 'https://cdn.example.com/team.png',
  });
  const { groupId } = answer.body.data;
  assert.match(groupId, /^grp_[0-9a-z]{24}$/);
  const envelope = success('group created', { groupId }, world.clock.now());
  assert.deepEqual(answer, { status: 201, body: envelope });
  assert.deepEqual(await roles(groupId), { [bot.accountId]: 'admin', [ada]: 'member', [bob]: 'member' });
  const seen = await people[0]?.calls('GET', `/api/chat/conversations/${groupId}`);
  assert.deepEqual(seen?.body.data.group, {
    groupId,
    name: '  Team 😀 ',
    description: 'All of us',
    photoUrl: 'https://cdn.example.com/team.png',
    photoSetBy: bot.accountId,
    isBroadcast: false,
    sendMessages: true,
    editInfoOnlyAdmin: true,
    creatorId: bot.accountId,
    memberCount: 3,
  });
});

test('limits of creation: name 1 to 100 code points, description 500, photoUrl 2048, members 100 raw entries', async (t) => {
  const { bot, call } = await groupScene(t, { people: 0 });
  const self = bot.accountId;
  const accepted = [
    { name: 'a' },
    { name: '😀'.repeat(100) },
    { name: 'a', description: '' },
    { name: 'a', description: '😀'.repeat(500) },
    { name: 'a', photoUrl: PHOTO_OF_2048 },
    { name: 'a', members: [] },
    { name: 'a', members: Array(100).fill(self) },
    { name: 'a', description: null, members: null, isBroadcast: null, photoUrl: null, sendMessages: null },
    { name: 'a', isBroadcast: true, sendMessages: false, editInfoOnlyAdmin: false, unknown: 1 },
  ];
  for (const body of accepted) {
    const { status } = await call('POST', '/v1/groups', body);
    assert.equal(status, 201, JSON.stringify(body).slice(0, 80));
  }
  const refused: [object, string][] = [
    [{}, 'name is required'],
    [{ name: null }, 'name must be of type string'],
    [{ name: 12 }, 'name must be of type string'],
    [{ name: '' }, 'name must have at least 1 character'],
    [{ name: ' \n\t ' }, 'name must not be blank'],
    [{ name: 'a'.repeat(101) }, 'name must have at most 100 characters'],
    [{ name: 'a', description: 'a'.repeat(501) }, 'description must have at most 500 characters'],
    [{ name: 'a', photoUrl: `${PHOTO_OF_2048}a` }, 'photoUrl must have at most 2048 characters'],
    [{ name: 'a', photoUrl: 'http://cdn.example.com/a' }, 'photoUrl must begin with https://'],
    [{ name: 'a', members: Array(101).fill(self) }, 'members must have at most 100 entries'],
    [{ name: 'a', members: self }, 'members must be of type array'],
    [{ name: 'a', members: ['a b'] }, 'members.0 must be an id: 1 to 128 letters, digits, _ and -'],
    [{ name: 'a', isBroadcast: 'true' }, 'isBroadcast must be of type boolean'],
    [{ name: 'a', sendMessages: 0 }, 'sendMessages must be of type boolean'],
    [{ name: 'a', editInfoOnlyAdmin: 'no' }, 'editInfoOnlyAdmin must be of type boolean'],
  ];
  for (const [body, message] of refused) {
    assert.deepEqual(await call('POST', '/v1/groups', body), invalid(message));
  }
  const local = await call('POST', '/v1/groups', { name: 'a', photoUrl: 'https://10.0.0.1/a.png' });
  assert.equal(local.status, 400);
  assert.match(local.body.message, /^photoUrl must /);
});

test('order of checks at creation: 400 body, 404 unknown member, 403 never wrote, 403 blocked, 429 size; all or nothing', async (t) => {
  const { world, bot, people, call } = await groupScene(t, { people: 3, config: { maxGroupMembers: 3 } });
  const [ada, bob, blocker] = people.map(({ accountId }) => accountId) as [string, string, string];
  await people[2]?.blocks(bot);
  const stranger = await world.person();
  const otherBot = await world.bot();
  const gone = await world.bot();
  await gone.deleted();
  const create = (members: string[], name = 'a') => call('POST', '/v1/groups', { name, members });
  const unknown = missing('members includes an id that no account has');
  const neverWrote = denied('members includes somebody who never wrote to this bot');
  assert.equal((await create([UNKNOWN], '')).body.code, 'invalid-argument');
  assert.deepEqual(await create([stranger.accountId, blocker, UNKNOWN, ada, bob]), unknown);
  assert.deepEqual(await create([ada, 'nobody']), unknown);
  assert.deepEqual(await create([gone.accountId]), unknown);
  assert.deepEqual(await create([blocker, stranger.accountId, ada, bob]), neverWrote);
  assert.deepEqual(await create([otherBot.accountId]), neverWrote);
  assert.deepEqual(
    await create([blocker, ada, bob]),
    denied('members includes somebody who blocked this bot'),
  );
  const trio = [ada, bob, (await world.person()).accountId];
  await world.db`update contacts set blocked_at = null`;
  const tooMany = refusal(429, 'resource-exhausted', 'a group can have at most 3 members');
  assert.deepEqual(await create([ada, bob, blocker]), tooMany);
  assert.equal((await create(trio)).status, 403);
  assert.deepEqual([...(await world.db`select group_id from groups`)], []);
  assert.equal((await world.db`select 1 from account_conversations where kind = 'group'`).length, 0);
  assert.equal((await create([ada, bob])).status, 201);
});

test('a person can add any existing account, including bots, regardless of earlier messages, and a hundred at once', async (t) => {
  const { world, bot, groupOf, roles } = await groupScene(t, { people: 0 });
  const [creator, stranger] = [await world.person(), await world.person()];
  const groupId = await groupOf(creator, [stranger, bot]);
  assert.deepEqual(await roles(groupId), {
    [creator.accountId]: 'admin',
    [stranger.accountId]: 'member',
    [bot.accountId]: 'member',
  });
  const crowd = Array.from({ length: 100 }, () => ({ accountId: world.newId('usr') }));
  const rows = crowd.map((one) => ({ ...one, isBot: false, name: 'Bob', createdAt: 0 }));
  await world.db.write((tx) => tx`insert into accounts ${tx(rows)}`);
  assert.equal(Object.keys(await roles(await groupOf(creator, crowd))).length, 101);
});

test('100 parallel creations with one Idempotency-Key create one group and get the same response', async (t) => {
  const { world, bot, people } = await groupScene(t, { people: 1 });
  const body = { name: 'Once', members: [people[0]?.accountId] };
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => bot.calls('POST', '/v1/groups', body, { 'idempotency-key': 'k' })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.body))).size, 1);
  const groups = await world.db`select member_count from groups`;
  assert.deepEqual([...groups], [{ memberCount: 2 }]);
});
