import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createWorldFor, type Person } from '#testing/world.ts';

/** A group of Ada's, her conversation with Ben, and what each of their requests is answered with. */
async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const [ada, ben] = await world.people('Ada', 'Ben');
  const eve = await world.person('Eve');
  const { msgId: priv, conversationId } = await ben.writes(ada, 'hello');
  await ada.writes(ben, 'hi');
  const made = await ada.calls('POST', '/api/chat/groups', { name: 'Team', members: [ben.accountId] });
  const { groupId } = made.body.data;
  const send = { groupId, type: 'text', content: 'hello' };
  const { msgId } = (await ben.calls('POST', '/api/chat/groups/messages', send)).body.data;
  const asked = { question: 'When?', options: ['now', 'later'] };
  const poll = (await ada.calls('POST', '/api/chat/polls', { ...asked, groupId })).body.data;
  await ada.calls('POST', '/api/chat/stories', { type: 'text', text: 'a story' });
  const group = `/api/chat/conversations/${groupId}`;
  const direct = `/api/chat/conversations/${conversationId}`;
  const requests = {
    'group read': ['GET', `${group}/messages`],
    'group written to': ['POST', '/api/chat/groups/messages', send],
    'group’s members': ['GET', `/api/chat/groups/members?groupId=${groupId}`],
    'own message in the group edited': ['PATCH', `${group}/messages/${msgId}`, { text: 'changed' }],
    'own message in the group deleted': ['DELETE', `${group}/messages/${msgId}`],
    'group voted in': [
      'POST',
      '/api/chat/polls/vote',
      { messageId: poll.msgId, groupId, optionId: poll.poll.options[0].id },
    ],
    'person read': ['GET', `${direct}/messages`],
    'person written to': ['POST', '/api/chat/messages', { to: ada.accountId, type: 'text', content: 'hi' }],
    'person reacted to': ['PUT', `${direct}/messages/${priv}/reactions`, { emoji: ['👍'] }],
    'own message to the person edited': ['PATCH', `${direct}/messages/${priv}`, { text: 'changed' }],
    'person asked': ['POST', '/api/chat/polls', { ...asked, receiverId: ada.accountId }],
    'person added to a group': ['POST', '/api/chat/groups', { name: 'Two', members: [ada.accountId] }],
    'person looked up': ['GET', `/api/chat/profiles/${ada.accountId}`],
    'own account': ['GET', '/api/auth/session'],
  } as const satisfies Record<string, readonly [method: string, url: string, body?: object]>;
  const statuses = async (person: Person) => {
    const found: Record<string, number> = {};
    for (const [name, [method, url, body]] of Object.entries(requests))
      found[name] = (await person.calls(method, url, body)).status;
    return found;
  };
  const all = (status: number) => Object.fromEntries(Object.keys(requests).map((name) => [name, status]));
  const stories = async (person: Person) => (await person.calls('GET', '/api/chat/stories')).body.data.length;
  return { world, ada, ben, eve, groupId, statuses, all, stories };
}

const OUTSIDE = {
  'group read': 404,
  'group written to': 403,
  'group’s members': 403,
  'own message in the group edited': 404,
  'own message in the group deleted': 404,
  'group voted in': 403,
};

test('a stranger gets nothing of a group or of a conversation, and may write and invite', async (t) => {
  const { ada, eve, statuses, stories } = await scene(t);
  await eve.writes(ada, 'do you know me?');
  assert.equal(await stories(eve), 0);
  assert.deepEqual(await statuses(eve), {
    ...OUTSIDE,
    'person read': 404,
    'person written to': 201,
    'person reacted to': 404,
    'own message to the person edited': 404,
    'person asked': 201,
    'person added to a group': 201,
    'person looked up': 200,
    'own account': 200,
  });
});

test('a former member gets nothing of the group, not even their own messages', async (t) => {
  const { ada, ben, groupId, statuses } = await scene(t);
  await ada.calls('POST', '/api/chat/groups/members/remove', { groupId, memberId: ben.accountId });
  const found = await statuses(ben);
  for (const [name, status] of Object.entries(OUTSIDE)) assert.equal(found[name], status, name);
  assert.equal(found['person written to'], 201);
});

test('somebody who is blocked reads what there is, and writes in no way to whom blocks them', async (t) => {
  const { ada, ben, statuses, all, stories } = await scene(t);
  assert.equal(await stories(ben), 1);
  await ada.blocks(ben);
  assert.deepEqual(await statuses(ben), {
    ...all(200),
    'group written to': 201,
    'person written to': 403,
    'person reacted to': 403,
    'own message to the person edited': 403,
    'person asked': 403,
    'person added to a group': 403,
  });
  assert.equal(await stories(ben), 0);
});

test('somebody who is suspended, or has deleted the account, is signed out', async (t) => {
  const { world, ben, eve, statuses, all } = await scene(t);
  await world.operators.perform('person.suspended', { accountId: ben.accountId }, { reason: 'spam' });
  await eve.calls('POST', '/api/auth/account/delete', { email: `${eve.accountId}@example.com` });
  for (const person of [ben, eve]) assert.deepEqual(await statuses(person), all(401));
});
