import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invalid, success } from '#testing/answers.ts';
import { groupScene, NO_ADMIN, NO_GROUP, OUTSIDER } from '#testing/group-scene.ts';
import type { Person } from '#testing/world.ts';

const UNKNOWN_GROUP = 'grp_00000000000000000000000a';
const DETAILS = '/v1/groups/details';

test('details: given fields change, the rest stays; "" and null clear', async (t) => {
  const { world, bot, people, call, group } = await groupScene(t, { people: 1 });
  const [ada] = people as [Person];
  const groupId = await group([ada], { description: 'old', photoUrl: 'https://cdn.example.com/a.png' });
  const change = (changes: object) => call('PATCH', DETAILS, { groupId, ...changes });
  const seen = async () => (await ada.calls('GET', `/api/chat/conversations/${groupId}`)).body.data.group;
  const envelope = success('details updated', { updated: true }, world.clock.now());
  assert.deepEqual(await change({ name: 'New' }), { status: 200, body: envelope });
  const before = {
    groupId,
    name: 'New',
    description: 'old',
    photoUrl: 'https://cdn.example.com/a.png',
    isBroadcast: false,
    sendMessages: true,
    editInfoOnlyAdmin: true,
    photoSetBy: bot.accountId,
    creatorId: bot.accountId,
    memberCount: 2,
  };
  assert.deepEqual(await seen(), before);
  await change({
    description: '',
    photoUrl: null,
    sendMessages: false,
    editInfoOnlyAdmin: false,
    name: null,
  });
  const { photoUrl: _, photoSetBy: __, ...cleared } = before;
  const after = { ...cleared, description: '', sendMessages: false, editInfoOnlyAdmin: false };
  assert.deepEqual(await seen(), after);
});

test('details: at least one field, each as at creation, never coerced', async (t) => {
  const { call, group } = await groupScene(t, { people: 0 });
  const groupId = await group();
  const change = (changes: object) => call('PATCH', DETAILS, { groupId, ...changes });
  const nothing = invalid(
    'body needs at least one of name, description, photoUrl, sendMessages, editInfoOnlyAdmin',
  );
  const refused: [object, object][] = [
    [{}, nothing],
    [{ unknown: 1 }, nothing],
    [{ name: null, description: null, sendMessages: null, editInfoOnlyAdmin: null }, nothing],
    [{ name: '' }, invalid('name must have at least 1 character')],
    [{ description: 'a'.repeat(501) }, invalid('description must have at most 500 characters')],
    [{ photoUrl: '' }, invalid('photoUrl must begin with https://')],
    [{ sendMessages: 'false' }, invalid('sendMessages must be of type boolean')],
  ];
  for (const [changes, expected] of refused) assert.deepEqual(await change(changes), expected);
});

test('details: 400 body, 404 group, 403 right; the API requires an administrator whatever editInfoOnlyAdmin is', async (t) => {
  const { bot, people, call, groupOf } = await groupScene(t, { people: 1 });
  const [ada] = people as [Person];
  const change = (groupId: string, name = 'x') => call('PATCH', DETAILS, { groupId, name });
  assert.equal((await change(UNKNOWN_GROUP, '')).status, 400);
  assert.deepEqual(await change(UNKNOWN_GROUP), NO_GROUP);
  assert.deepEqual(await change(await groupOf(ada)), OUTSIDER);
  assert.deepEqual(await change(await groupOf(ada, [bot], { editInfoOnlyAdmin: false })), NO_ADMIN);
});

test('where members edit the information in the chat, they do not change the settings', async (t) => {
  const { people, groupOf } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  const groupId = await groupOf(ada, [bob], { editInfoOnlyAdmin: false });
  const change = async (changes: object) =>
    (await bob.calls('PATCH', '/api/chat/groups/details', { groupId, ...changes })).status;
  for (const info of [{ name: 'x' }, { description: 'x' }, { photoUrl: null }])
    assert.equal(await change(info), 200);
  for (const setting of [{ sendMessages: false }, { editInfoOnlyAdmin: true }])
    assert.equal(await change({ name: 'y', ...setting }), 403);
});

test('a deleted group disappears for everybody: every later call about it is 404', async (t) => {
  const { world, bot, people, call, group, groupOf } = await groupScene(t, { people: 1 });
  const [ada] = people as [Person];
  const groupId = await group([ada]);
  const remove = (id: string) => call('DELETE', '/v1/groups/delete', { groupId: id });
  assert.deepEqual(await remove(await groupOf(ada)), OUTSIDER);
  assert.deepEqual(await remove(await groupOf(ada, [bot])), NO_ADMIN);
  assert.deepEqual(await remove(UNKNOWN_GROUP), NO_GROUP);
  assert.deepEqual(await call('DELETE', '/v1/groups/delete', {}), invalid('groupId is required'));
  const listed = async () =>
    (await ada.calls('GET', '/api/chat/conversations')).body.data.conversations.map(
      ({ conversationId }: { conversationId: string }) => conversationId,
    );
  assert.ok((await listed()).includes(groupId));
  const envelope = success('group deleted', { deleted: true }, world.clock.now());
  assert.deepEqual(await remove(groupId), { status: 200, body: envelope });
  assert.ok(!(await listed()).includes(groupId));
  const memberId = ada.accountId;
  for (const answer of [
    await remove(groupId),
    await call('POST', '/v1/groups/members', { groupId, memberIds: [memberId] }),
    await call('POST', '/v1/groups/members/remove', { groupId, memberId: bot.accountId }),
    await call('PATCH', '/v1/groups/members/role', { groupId, memberId, isAdmin: true }),
    await call('PATCH', DETAILS, { groupId, name: 'x' }),
    await call('GET', `/v1/groups/members?groupId=${groupId}`),
    await call('POST', '/v1/groups/broadcast', { groupId, content: 'x' }),
    await call('POST', '/v1/messages/group', { groupId, type: 'text', content: 'x' }),
  ]) {
    assert.deepEqual(answer, NO_GROUP);
  }
  assert.equal((await ada.calls('GET', `/api/chat/conversations/${groupId}`)).status, 404);
  assert.equal((await ada.calls('GET', `/api/chat/conversations/${groupId}/messages`)).status, 404);
});
