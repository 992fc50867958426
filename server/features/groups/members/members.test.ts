import assert from 'node:assert/strict';
import { test } from 'node:test';
import { denied, invalid, missing, precondition, refusal, success } from '#testing/answers.ts';
import { groupScene, NO_ADMIN, NO_GROUP, OUTSIDER } from '#testing/group-scene.ts';
import type { Person } from '#testing/world.ts';

const UNKNOWN = 'usr_00000000000000000000000a';
const UNKNOWN_GROUP = 'grp_00000000000000000000000a';
const ADD = '/v1/groups/members';
const REMOVE = '/v1/groups/members/remove';
const ROLE = '/v1/groups/members/role';
const NO_MEMBER = missing('no member of this group has the id in `memberId`');

test('adding: 200 { added: true }; existing members, duplicates and the creator are a no-op', async (t) => {
  const { world, bot, people, call, group, roles } = await groupScene(t);
  const [ada, bob] = people as [Person, Person];
  const groupId = await group([ada]);
  const memberIds = [bob.accountId, ada.accountId, bob.accountId, bot.accountId];
  const envelope = success('members added', { added: true }, world.clock.now());
  assert.deepEqual(await call('POST', ADD, { groupId, memberIds }), { status: 200, body: envelope });
  assert.deepEqual(await call('POST', ADD, { groupId, memberIds }), { status: 200, body: envelope });
  assert.deepEqual(await roles(groupId), {
    [bot.accountId]: 'admin',
    [ada.accountId]: 'member',
    [bob.accountId]: 'member',
  });
});

test('memberIds has 1 to 100 raw entries that look like userIds', async (t) => {
  const { bot, call, group } = await groupScene(t, { people: 0 });
  const groupId = await group();
  const add = (memberIds: unknown) => call('POST', ADD, { groupId, memberIds });
  assert.equal((await add([bot.accountId])).status, 200);
  assert.equal((await add(Array(100).fill(bot.accountId))).status, 200);
  assert.deepEqual(await add([]), invalid('memberIds must have at least 1 entry'));
  assert.deepEqual(
    await add(Array(101).fill(bot.accountId)),
    invalid('memberIds must have at most 100 entries'),
  );
  assert.deepEqual(await add(undefined), invalid('memberIds is required'));
  assert.deepEqual(await add(null), invalid('memberIds must be of type array'));
  assert.deepEqual(await add(['']), invalid('memberIds.0 must be an id: 1 to 128 letters, digits, _ and -'));
  assert.deepEqual(await call('POST', ADD, { memberIds: [bot.accountId] }), invalid('groupId is required'));
});

test('order of checks of adding: 400 body, 404 group, 403 right, 404 user, 403 never wrote, 429 size', async (t) => {
  const { world, bot, people, call, group, groupOf, roles } = await groupScene(t, {
    people: 4,
    config: { maxGroupMembers: 3 },
  });
  const [ada, bob, cyd, dan] = people as [Person, Person, Person, Person];
  const stranger = await world.person();
  const groupId = await group([ada]);
  const add = (id: string, ...memberIds: string[]) => call('POST', ADD, { groupId: id, memberIds });
  const foreign = await groupOf(ada, []);
  const asMember = await groupOf(ada, [bot]);
  assert.equal((await add(UNKNOWN_GROUP)).status, 400);
  assert.deepEqual(await add(UNKNOWN_GROUP, UNKNOWN), NO_GROUP);
  assert.deepEqual(await add('nonsense', UNKNOWN), NO_GROUP);
  assert.deepEqual(await add(foreign, UNKNOWN), OUTSIDER);
  assert.deepEqual(await add(asMember, UNKNOWN), NO_ADMIN);
  const unknown = missing('memberIds includes an id that no account has');
  assert.deepEqual(await add(groupId, stranger.accountId, UNKNOWN, bob.accountId), unknown);
  assert.deepEqual(
    await add(groupId, bob.accountId, cyd.accountId, stranger.accountId),
    denied('memberIds includes somebody who never wrote to this bot'),
  );
  const tooMany = refusal(429, 'resource-exhausted', 'a group can have at most 3 members');
  assert.deepEqual(await add(groupId, bob.accountId, cyd.accountId), tooMany);
  assert.equal(Object.keys(await roles(groupId)).length, 2);
  // Counts at creation only.
  await bob.blocks(bot);
  assert.equal((await add(groupId, bob.accountId)).status, 200);
  assert.equal((await add(groupId, bob.accountId, ada.accountId)).status, 200);
  assert.deepEqual(await add(groupId, dan.accountId), tooMany);
});

test('group messages do not count as writing to the bot', async (t) => {
  const { world, bot, call, group, groupOf } = await groupScene(t, { people: 0 });
  const ada = await world.person();
  const shared = await groupOf(ada, [bot]);
  const wrote = await ada.calls('POST', '/api/chat/groups/messages', {
    groupId: shared,
    type: 'text',
    content: 'hello bot',
    mentionedUserIds: [bot.accountId],
  });
  assert.equal(wrote.status, 201);
  const added = await call('POST', ADD, { groupId: await group(), memberIds: [ada.accountId] });
  assert.deepEqual(added, denied('memberIds includes somebody who never wrote to this bot'));
});

test('removing: administrators remove members, members remove themselves, nobody else', async (t) => {
  const { world, bot, people, call, group, groupOf, roles } = await groupScene(t);
  const [ada, bob] = people as [Person, Person];
  const groupId = await group([ada]);
  const remove = (id: string, memberId: string) => call('POST', REMOVE, { groupId: id, memberId });
  const envelope = success('member removed', { removed: true }, world.clock.now());
  assert.deepEqual(await remove(groupId, ada.accountId), { status: 200, body: envelope });
  assert.deepEqual(await remove(groupId, ada.accountId), NO_MEMBER);
  assert.deepEqual(await remove(groupId, UNKNOWN), NO_MEMBER);
  assert.deepEqual(await remove(UNKNOWN_GROUP, ada.accountId), NO_GROUP);
  const foreign = await groupOf(ada, [bob]);
  assert.deepEqual(await remove(foreign, bob.accountId), OUTSIDER);
  assert.deepEqual(await remove(foreign, bot.accountId), OUTSIDER);
  const asMember = await groupOf(ada, [bot, bob]);
  assert.deepEqual(await remove(asMember, bob.accountId), NO_ADMIN);
  assert.deepEqual(await remove(asMember, UNKNOWN), NO_ADMIN);
  assert.equal((await remove(asMember, bot.accountId)).status, 200);
  assert.deepEqual(await roles(asMember), { [ada.accountId]: 'admin', [bob.accountId]: 'member' });
  assert.deepEqual(await call('POST', REMOVE, { groupId }), invalid('memberId is required'));
});

test('the last administrator leaves: the longest-standing person succeeds, else the longest-standing member; an empty group is deleted', async (t) => {
  const { world, bot, people, call, groupOf, group, roles } = await groupScene(t);
  const [ada, bob, cyd] = people as [Person, Person, Person];
  const leave = (person: Person, groupId: string) =>
    person.calls('POST', '/api/chat/groups/members/remove', { groupId, memberId: person.accountId });
  const groupId = await groupOf(ada, [bot]);
  for (const person of [cyd, bob]) {
    world.clock.advance({ seconds: 1 });
    await ada.adds(groupId, person);
  }
  await leave(ada, groupId);
  assert.deepEqual(await roles(groupId), {
    [bot.accountId]: 'member',
    [cyd.accountId]: 'admin',
    [bob.accountId]: 'member',
  });
  await leave(cyd, groupId);
  await leave(bob, groupId);
  assert.deepEqual(await roles(groupId), { [bot.accountId]: 'admin' });
  assert.equal((await call('POST', REMOVE, { groupId, memberId: bot.accountId })).status, 200);
  assert.deepEqual(await call('GET', `/v1/groups/members?groupId=${groupId}`), NO_GROUP);
  // Nobody is promoted while there is another administrator.
  const pair = await group([ada, bob]);
  await call('PATCH', ROLE, { groupId: pair, memberId: bob.accountId, isAdmin: true });
  await call('POST', REMOVE, { groupId: pair, memberId: bot.accountId });
  assert.deepEqual(await roles(pair), { [ada.accountId]: 'member', [bob.accountId]: 'admin' });
});

test('role: true promotes, false demotes; the only administrator stays one', async (t) => {
  const { world, bot, people, call, group, groupOf, roles } = await groupScene(t);
  const [ada, bob] = people as [Person, Person];
  const groupId = await group([ada]);
  const role = (id: string, memberId: string, isAdmin: unknown) =>
    call('PATCH', ROLE, { groupId: id, memberId, isAdmin });
  const envelope = success('role updated', { updated: true }, world.clock.now());
  assert.deepEqual(await role(groupId, ada.accountId, true), { status: 200, body: envelope });
  assert.equal((await role(groupId, ada.accountId, true)).status, 200);
  assert.deepEqual(await roles(groupId), { [bot.accountId]: 'admin', [ada.accountId]: 'admin' });
  assert.equal((await role(groupId, bot.accountId, false)).status, 200);
  assert.deepEqual(await role(groupId, ada.accountId, false), NO_ADMIN);
  const alone = await group([ada]);
  const only = precondition('the only administrator cannot be demoted; promote somebody else first');
  assert.deepEqual(await role(alone, bot.accountId, false), only);
  assert.equal((await role(alone, ada.accountId, false)).status, 200);
  assert.deepEqual(await role(alone, bob.accountId, true), NO_MEMBER);
  assert.deepEqual(await role(await groupOf(ada, [bob]), bob.accountId, true), OUTSIDER);
  assert.deepEqual(await role(await groupOf(ada, [bot]), UNKNOWN, true), NO_ADMIN);
  assert.deepEqual(await role(UNKNOWN_GROUP, ada.accountId, true), NO_GROUP);
  assert.deepEqual(await role(alone, ada.accountId, 'true'), invalid('isAdmin must be of type boolean'));
  assert.deepEqual(
    await call('PATCH', ROLE, { groupId, memberId: ada.accountId }),
    invalid('isAdmin is required'),
  );
});

test('a broadcast list has no roles: outsiders 403, any member 400; its creator cannot leave, members can', async (t) => {
  const { bot, people, call, group, groupOf, roles } = await groupScene(t);
  const [ada, bob] = people as [Person, Person];
  const listId = await group([ada], { isBroadcast: true });
  const noRoles = precondition('a broadcast list has no administrators');
  const role = (groupId: string, memberId: string) =>
    call('PATCH', ROLE, { groupId, memberId, isAdmin: true });
  assert.deepEqual(await role(listId, ada.accountId), noRoles);
  assert.deepEqual(await role(listId, UNKNOWN), noRoles);
  assert.deepEqual(await role(await groupOf(ada, [bot], { isBroadcast: true }), bot.accountId), noRoles);
  assert.deepEqual(await role(await groupOf(ada, [bob], { isBroadcast: true }), bob.accountId), OUTSIDER);
  assert.deepEqual(
    await call('POST', REMOVE, { groupId: listId, memberId: bot.accountId }),
    precondition('the creator cannot leave a broadcast list; delete it instead'),
  );
  const body = { groupId: listId, memberId: ada.accountId };
  assert.equal((await ada.calls('POST', '/api/chat/groups/members/remove', body)).status, 200);
  assert.deepEqual(await roles(listId), { [bot.accountId]: 'admin' });
});

test('members are listed page by page, 100 at a time, for members only', async (t) => {
  const { world, bot, call, groupOf } = await groupScene(t, { people: 0 });
  const [ada, outsider] = [await world.person('Ada'), await world.person()];
  const others: Person[] = [];
  for (let i = 0; i < 100; i++) others.push(await world.person());
  const groupId = await groupOf(ada, [...others.slice(1), bot]);
  const list = (query: string) => call('GET', `/v1/groups/members?${query}`);
  const first = (await list(`groupId=${groupId}`)).body.data;
  assert.equal(first.members.length, 100);
  const second = (await list(`groupId=${groupId}&cursor=${first.nextCursor}`)).body.data;
  assert.deepEqual(Object.keys(second), ['members']);
  const ids = [...first.members, ...second.members].map(({ userId }: { userId: string }) => userId);
  const expected = [ada, bot, ...others.slice(1)].map(({ accountId }) => accountId).sort();
  assert.deepEqual(ids, expected);
  assert.deepEqual(
    [...first.members, ...second.members].find(({ userId }: { userId: string }) => userId === bot.accountId),
    {
      userId: bot.accountId,
      isBot: true,
      name: 'Helper',
      username: bot.username,
      isAdmin: false,
      joinedAt: world.clock.now(),
    },
  );
  const shown = await ada.calls('GET', `/api/chat/groups/members?groupId=${groupId}`);
  const own = shown.body.data.members.find(({ userId }: { userId: string }) => userId === ada.accountId);
  assert.deepEqual(own, {
    userId: ada.accountId,
    name: 'Ada',
    isBot: false,
    isDeleted: false,
    isAdmin: true,
    joinedAt: world.clock.now(),
  });
  assert.deepEqual(await list('groupId=nonsense'), NO_GROUP);
  assert.deepEqual(await list(''), invalid('groupId is required'));
  assert.equal((await outsider.calls('GET', `/api/chat/groups/members?groupId=${groupId}`)).status, 403);
});

test('an application that acts for a person gets the ids of the members, but no names', async (t) => {
  const { world, bot, people, groupOf } = await groupScene(t);
  const [ada, bob] = people as [Person, Person];
  const groupId = await groupOf(ada, [bob, bot]);
  const client = await world.client();
  const { access } = await client.tokens({ person: ada, scopes: ['groups:manage'] });
  const { body } = await client.calls(access, 'GET', `/v1/groups/members?groupId=${groupId}`);
  const joinedAt = world.clock.now();
  assert.deepEqual(
    body.data.members,
    [
      { userId: ada.accountId, isBot: false, isAdmin: true, joinedAt },
      { userId: bob.accountId, isBot: false, isAdmin: false, joinedAt },
      { userId: bot.accountId, isBot: true, isAdmin: false, joinedAt },
    ].sort((one, other) => (one.userId < other.userId ? -1 : 1)),
  );
});

test('in a broadcast list a bot gets the name of its creator; as the creator, the names of all', async (t) => {
  const { bot, people, call, group, groupOf } = await groupScene(t);
  const [ada, bob] = people as [Person, Person];
  const namesIn = async (groupId: string) => {
    const { body } = await call('GET', `/v1/groups/members?groupId=${groupId}`);
    return Object.fromEntries(
      body.data.members.map(({ userId, name }: { userId: string; name?: string }) => [userId, name]),
    );
  };
  assert.deepEqual(await namesIn(await groupOf(ada, [bob, bot], { isBroadcast: true })), {
    [ada.accountId]: 'Person 0',
    [bob.accountId]: undefined,
    [bot.accountId]: 'Helper',
  });
  assert.deepEqual(await namesIn(await group([bob], { isBroadcast: true })), {
    [bob.accountId]: 'Person 1',
    [bot.accountId]: 'Helper',
  });
});

test('a bot lists the groups that it is in, page by page, 100 at a time', async (t) => {
  const { world, bot, people, call, group, groupOf } = await groupScene(t);
  const [ada, bob] = people as [Person, Person];
  const list = async (query = '') => (await call('GET', `/v1/groups${query}`)).body.data;
  assert.deepEqual(await list(), { groups: [] });
  const own = await group([bob], { name: 'List', description: 'News', isBroadcast: true });
  const joined = await groupOf(ada, [bot], { name: 'Team', sendMessages: false });
  await groupOf(ada, [bob], { name: 'Others' });
  const photoUrl = 'https://cdn.example.com/team.jpg';
  await ada.calls('PATCH', '/api/chat/groups/details', { groupId: joined, photoUrl });
  const joinedAt = world.clock.now();
  const [shownOwn, shownJoined] = [
    {
      groupId: own,
      name: 'List',
      description: 'News',
      isBroadcast: true,
      sendMessages: true,
      editInfoOnlyAdmin: true,
      creatorId: bot.accountId,
      memberCount: 2,
      isAdmin: true,
      joinedAt,
    },
    {
      groupId: joined,
      name: 'Team',
      description: '',
      photoUrl,
      isBroadcast: false,
      sendMessages: false,
      editInfoOnlyAdmin: true,
      creatorId: ada.accountId,
      memberCount: 2,
      isAdmin: false,
      joinedAt,
    },
  ];
  assert.deepEqual((await list()).groups, [shownOwn, shownJoined]);

  const leave = { groupId: joined, memberId: bot.accountId };
  await call('POST', '/v1/groups/members/remove', leave);
  assert.deepEqual((await list()).groups, [shownOwn]);
  await call('DELETE', '/v1/groups/delete', { groupId: own });
  assert.deepEqual((await list()).groups, []);

  const all: string[] = [];
  for (let i = 0; i < 101; i++) all.push(await group());
  const first = await list();
  const second = await list(`?cursor=${first.nextCursor}`);
  assert.deepEqual([first.groups.length, Object.keys(second)], [100, ['groups']]);
  const ids = [...first.groups, ...second.groups].map(({ groupId }: { groupId: string }) => groupId);
  assert.deepEqual(ids, all.sort());
});

test('a deleted bot is no longer a member; as the only administrator it gets a successor', async (t) => {
  const { bot, people, group, groupOf, roles } = await groupScene(t);
  const [ada, bob] = people as [Person, Person];
  const own = await group([ada]);
  const list = await group([ada], { isBroadcast: true });
  const foreign = await groupOf(bob, [bot]);
  const alone = await group();
  await bot.deleted();
  assert.deepEqual(await roles(own), { [ada.accountId]: 'admin' });
  assert.deepEqual(await roles(list), { [ada.accountId]: 'member' });
  assert.deepEqual(await roles(foreign), { [bob.accountId]: 'admin' });
  assert.deepEqual(await roles(alone), {});
  const again = await bob.calls('POST', '/api/chat/groups/members', {
    groupId: foreign,
    memberIds: [bot.accountId],
  });
  assert.equal(again.status, 404);
});
