import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContent, toMessageRow } from '#features/messages/content.ts';
import { insertMessages } from '#features/messages/insert-queries.ts';
import { bucketOf } from '#platform/ids.ts';
import { createAccountScene } from '#testing/account-scene.ts';
import { Authenticator } from '#testing/authenticator.ts';
import { createWorld } from '#testing/world.ts';

test('a person can export all their data in one document, and no one else can', async () => {
  await using world = await createWorld();
  const { clock } = world;
  const [ada, bob] = await world.people('Ada', 'Bob');
  const bot = await world.bot({ owner: ada, name: 'Weather', username: 'weather_bot' });
  const key = { 'idempotency-key': 'one' };
  const hello = await ada.writes(bob, 'hello "Bob" \u{1f98a}');
  await bob.writes(ada, 'a secret of Bob');
  await ada.blocks(bob);
  clock.advance({ seconds: 1 });
  const group = (await bob.calls('POST', '/api/chat/groups', { name: 'Team', members: [ada.accountId] }, key))
    .body.data;
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
  assert.deepEqual(
    data.applications.map(({ appId, name }: { appId: string; name: string }) => ({ appId, name })),
    [{ appId: bot.appId, name: 'Weather' }],
  );
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
  assert.deepEqual(
    data.groups.map(({ groupId, name, isAdmin }: Record<string, unknown>) => ({ groupId, name, isAdmin })),
    [{ ...group, name: 'Team', isAdmin: false }],
  );
  const peer = { userId: bob.accountId, name: 'Bob', isBot: false, isDeleted: false };
  assert.deepEqual(
    data.conversations.map(({ kind, peer, isBlocked }: Record<string, unknown>) => ({
      kind,
      peer,
      isBlocked,
    })),
    [
      { kind: 'private', peer, isBlocked: true },
      { kind: 'group', peer: undefined, isBlocked: undefined },
    ],
  );
  assert.deepEqual(
    data.messages.map(({ msgId, content }: Record<string, unknown>) => ({ msgId, content })),
    [
      { msgId: hello.msgId, content: 'hello "Bob" \u{1f98a}' },
      { msgId: inGroup.msgId, content: 'hello team' },
    ],
  );
  assert.equal(data.polls.length, 1);
  assert.equal(data.polls[0].question, 'Lunch?');
  assert.deepEqual(data.polls[0].myOptionIds, [optionId]);
  assert.deepEqual(data.stories[0].texts[0].text, 'my day');
  assert.deepEqual(
    data.connectedApplications.map(({ name, scopes }: Record<string, unknown>) => ({ name, scopes })),
    [{ name: 'Calendar', scopes: ['profile'] }],
  );
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
  assert.deepEqual(
    bobs.messages.map(({ content }: { content: string }) => content),
    ['a secret of Bob'],
  );
  assert.deepEqual(
    bobs.polls.map(({ question }: { question: string }) => question),
    ['Lunch?', 'Dinner?'],
  );
  clock.advance({ minutes: 11 });
  assert.equal((await ada.calls('GET', '/api/auth/export')).status, 403);
  assert.equal((await world.app.inject('/api/auth/export')).statusCode, 401);
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
  assert.deepEqual(
    data.messages.map((message: { content: string }) => message.content),
    ['first', ...Array.from({ length: 1100 }, (_, i) => `message ${i}`)],
  );
  assert.ok(
    data.messages.every((message: { conversationId: string }) => message.conversationId === conversationId),
  );
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
