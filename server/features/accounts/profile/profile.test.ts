import assert from 'node:assert/strict';
import { test } from 'node:test';
import { denied, missing, plain } from '#testing/answers.ts';
import { fileOf } from '#testing/files.ts';
import { uploadScene } from '#testing/upload-scene.ts';
import { createWorld } from '#testing/world.ts';

test('a person changes name, picture and settings; others see it in the chat and through OAuth', async (t) => {
  const { world, uploads } = await uploadScene(t, { publicUrl: 'https://chat.example.com' });
  const [ada, bob] = await world.people('Ada', 'Bob');
  const profile = {
    accountId: ada.accountId,
    name: 'Ada',
    email: `${ada.accountId}@example.com`,
    whoMayAddMe: 'everybody',
    remoteMedia: 'contacts',
    readReceipts: true,
    typingIndicators: true,
    lastSeen: true,
    createdAt: world.clock.now(),
  };
  const show = async () => (await ada.calls('GET', '/api/auth/profile')).body.data;
  const change = (body: object) => ada.calls('PATCH', '/api/auth/profile', body);
  assert.deepEqual(await show(), profile);
  const pictureUrl = 'https://cdn.example.com/ada.png';
  assert.deepEqual((await change({ name: 'Ada L.', pictureUrl })).body.data, {
    ...profile,
    name: 'Ada L.',
    pictureUrl,
  });
  assert.deepEqual((await change({ whoMayAddMe: 'nobody' })).body.data.pictureUrl, pictureUrl);
  await ada.writes(bob, 'hello');
  const { conversations } = (await bob.calls('GET', '/api/chat/conversations')).body.data;
  assert.deepEqual(conversations[0].peer, {
    userId: ada.accountId,
    name: 'Ada L.',
    isBot: false,
    isDeleted: false,
    pictureUrl,
  });
  const client = await world.client();
  const { access } = await client.tokens({ person: ada, scopes: ['profile'] });
  const userinfo = async () => (await client.calls(access, 'GET', '/oauth/userinfo')).body;
  assert.deepEqual(await userinfo(), { sub: ada.accountId, name: 'Ada L.', picture: pictureUrl });
  const { url: upload } = await uploads(ada, 'kind=image&fileName=ada%20l.png', fileOf('png'));
  assert.equal((await change({ pictureUrl: upload })).body.data.pictureUrl, upload);
  assert.equal((await userinfo()).picture, `https://chat.example.com${upload}`);
  assert.equal((await change({ pictureUrl: null })).body.data.pictureUrl, undefined);
  assert.equal((await userinfo()).picture, 'https://chat.example.com/initials/41');
});

test('an invalid name, picture or setting changes nothing', async () => {
  await using world = await createWorld();
  const ada = await world.person();
  const before = (await ada.calls('GET', '/api/auth/profile')).body.data;
  const cases: [object, RegExp][] = [
    [{}, /^body needs at least one of name, pictureUrl, /],
    [{ name: null }, /^body needs at least one of name, pictureUrl, /],
    [{ name: '   ' }, /^name /],
    [{ name: '\u3164\u200b' }, /^name must not be blank/],
    [{ name: 'x'.repeat(65) }, /^name /],
    [{ name: 7 }, /^name /],
    [{ name: 'Eve', whoMayAddMe: 'friends' }, /^whoMayAddMe /],
    [{ name: 'Eve', pictureUrl: 'http://cdn.example.com/a.png' }, /^pictureUrl /],
    [{ name: 'Eve', pictureUrl: 'https://localhost/a.png' }, /^pictureUrl /],
    [{ name: 'Eve', pictureUrl: 'javascript:alert(1)' }, /^pictureUrl /],
    [{ name: 'Eve', pictureUrl: 'data:image/svg+xml,<svg/>' }, /^pictureUrl /],
    [{ name: 'Eve', pictureUrl: '//evil.example/media/a/b.png' }, /^pictureUrl /],
    [{ name: 'Eve', pictureUrl: '/media/../api/auth/sign-out' }, /^pictureUrl /],
    [{ name: 'Eve', pictureUrl: '/media/a/..' }, /^pictureUrl /],
    [{ name: 'Eve', pictureUrl: '/media/a/b.png?x' }, /^pictureUrl /],
    [{ name: 'Eve', pictureUrl: '/media/a/b"onerror=' }, /^pictureUrl /],
  ];
  for (const [body, message] of cases) {
    const answer = await ada.calls('PATCH', '/api/auth/profile', body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match(answer.body.message, message);
  }
  assert.deepEqual((await ada.calls('GET', '/api/auth/profile')).body.data, before);
});

test('a person is found only by the link, until it is renewed or removed', async () => {
  await using world = await createWorld();
  const [ada, bob] = await world.people('Ada', 'Bob');
  const nobody = missing('this link does not exist or no longer works');
  const resolve = async (token: string) => plain(await bob.calls('GET', `/api/auth/invites/${token}`));
  assert.deepEqual((await ada.calls('GET', '/api/auth/invite-link')).body.data, {});
  const made = await ada.calls('POST', '/api/auth/invite-link');
  assert.equal(made.status, 201);
  const { token } = made.body.data;
  assert.match(token, /^[A-Za-z0-9_-]{24}$/);
  assert.deepEqual(made.body.data, { token, path: `/i/${token}`, createdAt: world.clock.now() });
  assert.deepEqual((await ada.calls('GET', '/api/auth/invite-link')).body.data, {
    inviteLink: made.body.data,
  });
  const peer = { userId: ada.accountId, name: 'Ada', isBot: false, isDeleted: false };
  assert.deepEqual((await resolve(token)).body.data, peer);
  const stranger = await world.app.inject(`/api/auth/invites/${token}`);
  assert.equal(stranger.statusCode, 401);
  const renewed = (await ada.calls('POST', '/api/auth/invite-link')).body.data.token;
  assert.deepEqual(await resolve(token), nobody);
  assert.equal((await resolve(renewed)).status, 200);
  for (const wrong of ['x', `${renewed}x`, renewed.slice(1), ada.accountId, 'x'.repeat(24)]) {
    assert.equal((await resolve(wrong)).status, 404, wrong);
  }
  assert.equal((await ada.calls('DELETE', '/api/auth/invite-link')).status, 200);
  assert.equal((await ada.calls('DELETE', '/api/auth/invite-link')).status, 200);
  assert.deepEqual(await resolve(renewed), nobody);
  assert.deepEqual((await ada.calls('GET', '/api/auth/invite-link')).body.data, {});
  // Of concurrent renewals, one link is left.
  await Promise.all(Array.from({ length: 5 }, () => ada.calls('POST', '/api/auth/invite-link')));
  const [row] = await world.db`select count(*)::integer as links from unique_names where kind = 'invite'`;
  assert.equal(row?.['links'], 1);
});

test('who may add me: enforced for people and bots, at creation and later', async () => {
  await using world = await createWorld();
  const [ada, bob] = await world.people('Ada', 'Bob');
  const bot = await world.bot();
  await ada.writes(bot, 'hello');
  const allow = (whoMayAddMe: string) => ada.calls('PATCH', '/api/auth/profile', { whoMayAddMe });
  const refused = (field: string) =>
    denied(`${field} includes somebody whose settings do not let you add them to groups`);
  const create = (who: typeof bob | typeof bot, members: string[]) =>
    'key' in who
      ? who.calls('POST', '/v1/groups', { name: 'Team', members })
      : who.calls('POST', '/api/chat/groups', { name: 'Team', members });
  const bobs = (await create(bob, [])).body.data.groupId;
  const addLater = (memberIds: string[]) =>
    bob.calls('POST', '/api/chat/groups/members', { groupId: bobs, memberIds });

  await allow('nobody');
  assert.deepEqual(plain(await create(bob, [ada.accountId])), refused('members'));
  assert.deepEqual(plain(await create(bot, [ada.accountId])), refused('members'));
  assert.deepEqual(plain(await addLater([ada.accountId])), refused('memberIds'));
  // The setting does not keep a person from creating groups.
  assert.equal((await create(ada, [bob.accountId])).status, 201);

  await allow('contacts');
  assert.equal((await create(bot, [ada.accountId])).status, 201);
  await bob.writes(ada, 'may I add you?');
  assert.deepEqual(plain(await addLater([ada.accountId])), refused('memberIds'));
  await ada.writes(bob, 'yes');
  assert.equal((await addLater([ada.accountId])).status, 200);
  await ada.blocks(bob);
  assert.deepEqual(plain(await create(bob, [ada.accountId])), refused('members'));
  // Existing members stay, and adding them again is no error.
  await allow('nobody');
  assert.equal((await addLater([ada.accountId])).status, 200);
  await allow('everybody');
  assert.deepEqual(plain(await create(bob, [ada.accountId])), refused('members'));
  await ada.calls('DELETE', '/api/chat/blocks', { userId: bob.accountId });
  assert.equal((await create(bob, [ada.accountId])).status, 201);
});
