import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readContent, toMessageRow } from '#features/messages/content.ts';
import { insertMessages } from '#features/messages/insert-queries.ts';
import { bucketOf } from '#platform/ids.ts';
import { createAccountScene } from '#testing/account-scene.ts';
import { Authenticator } from '#testing/authenticator.ts';
import { columnOf, columnsOf } from '#testing/columns.ts';
import { createWorld } from '#testing/world.ts';

test('a person can export all their data in one document, and no one else can', async () => {
  await using world = await createWorld();
  const { clock } = world;
  const [ada, bob] = await world.people('Ada', 'Bob');
  const bot = await world.bot({ owner: ada, name: 'Weather', username: 'weather_bot' });
  const key = { 'idempotency-key': 'one' };
  const hello = await ada.writes(bob, 'hello "Bob" \u{1f98a}');
  await bob.writes(ada, 'a secret of Bob');
  clock.advance({ seconds: 1 });
  const group = (await bob.calls('POST', '/api/chat/groups', { name: 'Team', members: [ada.accountId] }, key))
    .body.data;
  await ada.blocks(bob);
  const inGroup = (
    await ada.calls('POST', '/api/chat/groups/messages', { ...group, type: 'text', content: 'hello team' })
  ).body.data;
  const poll = { groupId: group.groupId, question: 'Lunch?', options: ['yes', 'no'], isAnonymous: true };
  const asked = (await bob.calls('POST', '/api/chat/polls', poll)).body.data;
  const unanswered = await bob.calls('POST', '/api/chat/polls', { ...poll, question: 'Dinner?' });
  assert.equal(unanswered.status, 201);
  const optionId = asked.poll.options[0].id;
  await ada.calls('POST', '/api/chat/polls/vote', { messageId: asked.msgId, optionId });
  await ada.calls('POST', '/api/chat/stories', { type: 'text', text: 'my day' });
  const client = await world.client({ name: 'Calendar' });
  const { access } = await client.tokens({ person: ada, scopes: ['profile'] });
  await client.calls(access, 'GET', '/oauth/userinfo');

  const answer = await world.app.inject({ url: '/api/auth/export', headers: { cookie: ada.cookie } });
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(answer.headers['content-disposition'], 'attachment; filename="my-data.json"');
  assert.equal(answer.headers['cache-control'], 'no-store');
  const data = answer.json();
  assert.equal(data.exportedAt, clock.now());
  assert.equal(data.profile.name, 'Ada');
  assert.deepEqual(data.twoFactor, { isOn: false, recoveryCodesLeft: 0 });
  assert.equal(data.sessions.length, 1);
  assert.deepEqual(columnsOf(data.applications, 'appId', 'name'), [[bot.appId, 'Weather']]);
  assert.deepEqual(data.bots, [
    {
      appId: bot.appId,
      userId: bot.accountId,
      name: 'Weather',
      username: 'weather_bot',
      description: '',
      commands: [],
    },
  ]);
  assert.deepEqual(columnsOf(data.groups, 'groupId', 'name', 'isAdmin'), [[group.groupId, 'Team', false]]);
  const peer = { userId: bob.accountId, name: 'Bob', isBot: false, isDeleted: false };
  assert.deepEqual(columnsOf(data.conversations, 'kind', 'peer', 'isBlocked'), [
    ['private', peer, true],
    ['group', undefined, undefined],
  ]);
  assert.deepEqual(columnsOf(data.messages, 'msgId', 'content'), [
    [hello.msgId, 'hello "Bob" \u{1f98a}'],
    [inGroup.msgId, 'hello team'],
  ]);
  assert.equal(data.polls.length, 1);
  assert.equal(data.polls[0].question, 'Lunch?');
  assert.deepEqual(data.polls[0].myOptionIds, [optionId]);
  assert.deepEqual(data.stories[0].texts[0].text, 'my day');
  assert.deepEqual(columnsOf(data.connectedApplications, 'name', 'scopes'), [['Calendar', ['profile']]]);
  for (const secret of [
    bot.key,
    bot.webhookSecret,
    access,
    ada.cookie.split('.')[1] as string,
    'a secret of Bob',
  ]) {
    assert.ok(!answer.body.includes(secret));
  }

  const bobs = (await world.app.inject({ url: '/api/auth/export', headers: { cookie: bob.cookie } })).json();
  assert.deepEqual(columnOf(bobs.messages, 'content'), ['a secret of Bob']);
  assert.deepEqual(columnOf(bobs.polls, 'question'), ['Lunch?', 'Dinner?']);
  clock.advance({ minutes: 11 });
  assert.equal((await ada.calls('GET', '/api/auth/export')).status, 403);
  assert.equal((await world.app.inject('/api/auth/export')).statusCode, 401);
});

test('what a person wrote in groups that they have left is theirs, what others wrote and chose is not', async () => {
  await using world = await createWorld();
  const [ada, bob, cleo] = await world.people('Ada', 'Bob', 'Cleo');
  await ada.writes(bob, 'hello');
  await bob.writes(ada, 'hello');
  world.clock.advance({ seconds: 1 });
  const groups = '/api/chat/groups';
  const make = async (name: string) =>
    (await bob.gets('POST', groups, { name, members: [ada.accountId, cleo.accountId] })).groupId as string;
  const [left, removed, again] = [await make('Old team'), await make('Closed team'), await make('Team')];
  const says = (groupId: string, content: string) =>
    ada.gets('POST', `${groups}/messages`, { groupId, type: 'text', content });
  for (const groupId of [left, removed, again]) await says(groupId, `I am in ${groupId}`);
  const theirs = { groupId: left, type: 'text', content: 'a secret of Bob' };
  const { msgId } = await bob.gets('POST', `${groups}/messages`, theirs);
  const path = `/api/chat/conversations/${left}/messages/${msgId}/reactions`;
  await ada.gets('PUT', path, { emoji: ['👍'] });
  const poll = { groupId: left, options: ['yes', 'no'], isAnonymous: true };
  const own = await ada.gets('POST', '/api/chat/polls', { ...poll, question: 'Mine?' });
  const other = await bob.gets('POST', '/api/chat/polls', { ...poll, question: 'a question of Bob' });
  const optionId = other.poll.options[1].id;
  await ada.gets('POST', '/api/chat/polls/vote', { messageId: other.msgId, optionId });
  const leave = (groupId: string) =>
    ada.gets('POST', `${groups}/members/remove`, { groupId, memberId: ada.accountId });
  await leave(left);
  await bob.gets('POST', `${groups}/members/remove`, { groupId: removed, memberId: ada.accountId });
  await leave(again);
  await bob.gets('POST', `${groups}/members`, { groupId: again, memberIds: [ada.accountId] });

  const { body } = await ada.calls('GET', '/api/auth/export');
  const former = [left, removed].sort();
  assert.deepEqual(
    body.formerGroups,
    former.map((groupId) => ({ groupId })),
  );
  assert.deepEqual(columnOf(body.messages, 'content'), [
    'hello',
    ...[again, ...former].map((id) => `I am in ${id}`),
  ]);
  assert.deepEqual(body.reactions, [{ conversationId: left, msgId, emoji: ['👍'] }]);
  const options = own.poll.options.map(({ id, text }: { id: string; text: string }) => ({ id, text }));
  const asked = { msgId: own.msgId, creatorId: ada.accountId, question: 'Mine?', options, myOptionIds: [] };
  assert.deepEqual(body.polls, [
    { conversationId: left, ...asked, createdAt: own.poll.createdAt },
    { conversationId: left, msgId: other.msgId, myOptionIds: [optionId] },
  ]);
  for (const secret of ['a secret of Bob', 'a question of Bob', 'Old team', 'Closed team'])
    assert.ok(!JSON.stringify(body).includes(secret), secret);

  // Those who left before it was noted.
  await world.db`drop table former_members`;
  const migration = new URL('../../migrations/0159_former_members.sql', import.meta.url);
  await world.db.unsafe(await readFile(migration, 'utf8'));
  const { body: noted } = await ada.calls('GET', '/api/auth/export');
  assert.deepEqual([noted.formerGroups, noted.messages], [body.formerGroups, body.messages]);
  await ada.gets('POST', '/api/auth/account/delete', { email: `${ada.accountId}@example.com` });
  assert.equal((await world.db`select from former_members`).length, 0);
});

test('a long history is exported completely and in order, page by page', async () => {
  await using world = await createWorld();
  const [ada, bob] = await world.people('Ada', 'Bob');
  const { conversationId } = await ada.writes(bob, 'first');
  for (let i = 0; i < 1100; i += 100) {
    const rows = Array.from({ length: 100 }, (_, k) =>
      toMessageRow(world.keyring, {
        bucket: bucketOf(conversationId),
        conversationId,
        msgId: world.newId('msg'),
        senderId: ada.accountId,
        content: readContent({ type: 'text', content: `message ${i + k}` }),
        sentAt: world.clock.now(),
      }),
    );
    await world.db.begin((tx) => insertMessages(tx, rows));
  }
  const data = (await ada.calls('GET', '/api/auth/export')).body;
  assert.deepEqual(columnOf(data.messages, 'content'), [
    'first',
    ...Array.from({ length: 1100 }, (_, i) => `message ${i}`),
  ]);
  assert.deepEqual(new Set(columnOf(data.messages, 'conversationId')), new Set([conversationId]));
});

test('passkeys and codes are in the document without their secrets', async () => {
  await using scene = await createAccountScene();
  const ada = await scene.holder();
  const { secret, recoveryCodes } = await scene.enrols(ada);
  const { ticket, options } = await ada.gets('POST', '/passkeys/options');
  const response = new Authenticator().create(options);
  const passkey = await ada.gets('POST', '/passkeys', { ticket, name: 'Laptop', response });
  const { body } = await ada.calls('GET', '/export');
  assert.deepEqual(body.passkeys, [passkey]);
  assert.equal(body.twoFactor.isOn, true);
  for (const hidden of [secret, ...recoveryCodes]) assert.ok(!JSON.stringify(body).includes(hidden));
});
