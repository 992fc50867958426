import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANGED_ELSEWHERE, Live, type LiveEvent, MISSED } from '#platform/live.ts';
import { groupScene } from '#testing/group-scene.ts';
import { eventually } from '#testing/waits.ts';
import type { Person } from '#testing/world.ts';
import { followConversations } from './follow-conversations.ts';

test('a page gets the events of its groups from joining to leaving, and every change between', async (t) => {
  const { world, people, groupOf } = await groupScene(t, { people: 3 });
  const [ada, bob, cyd] = people as [Person, Person, Person];
  const groupId = await groupOf(ada, [bob]);
  const received: LiveEvent[] = [];
  const unfollow = await followConversations(world, cyd.accountId, (event) => {
    // Notices of groups have a separate test.
    if (event.type !== 'message' || event.data.type !== 'notice') received.push(event);
  });
  const write = (content: string) => ada.writesIn(groupId, content);
  const types = () => received.splice(0).map(({ type }) => type);

  await write('before');
  assert.deepEqual(types(), []);
  await ada.adds(groupId, cyd);
  assert.deepEqual(received.at(-1), {
    type: 'group.joined',
    data: {
      groupId,
      name: 'Team',
      description: '',
      isBroadcast: false,
      sendMessages: true,
      editInfoOnlyAdmin: true,
      creatorId: ada.accountId,
      memberCount: 3,
    },
  });
  assert.deepEqual(types(), ['group.joined']);
  const { msgId } = await write('while');
  assert.deepEqual(received.splice(0), [
    {
      type: 'message',
      data: {
        msgId,
        conversationId: groupId,
        from: ada.accountId,
        type: 'text',
        content: 'while',
        people: [{ userId: ada.accountId, name: ada.name, isBot: false, isDeleted: false }],
        sentAt: world.clock.now(),
      },
    },
  ]);
  await ada.calls('PATCH', '/api/chat/groups/details', { groupId, name: 'Crew' });
  const promotion = { groupId, memberId: bob.accountId, isAdmin: true };
  await ada.calls('PATCH', '/api/chat/groups/members/role', promotion);
  assert.deepEqual(types(), ['group.changed', 'group.role']);
  await bob.removes(groupId);
  assert.deepEqual(types(), ['group.changed']);
  await ada.removes(groupId, cyd);
  assert.deepEqual(received.splice(0), [{ type: 'group.left', data: { groupId } }]);
  await write('after');
  assert.deepEqual(types(), []);
  unfollow();
});

test('a page that opens later gets the events of its groups until they are deleted or it closes', async (t) => {
  const { world, people, groupOf } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  const [one, two] = [await groupOf(ada, [bob]), await groupOf(ada, [bob])];
  const received: LiveEvent[] = [];
  const unfollow = await followConversations(world, bob.accountId, (event) => void received.push(event));
  await ada.calls('DELETE', '/api/chat/groups/delete', { groupId: one });
  assert.deepEqual(received.splice(0), [{ type: 'group.deleted', data: { groupId: one } }]);
  assert.equal(world.live.isListening(one), false);
  assert.equal(world.live.isListening(two), true);
  unfollow();
  assert.equal(world.live.isListening(two), false);
  assert.equal(world.live.isListening(bob.accountId), false);
});

test('a departure while the groups are being read is not undone by the older list', async (t) => {
  const { world, people, groupOf } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  const groupId = await groupOf(ada, [bob]);
  const following = followConversations(world, bob.accountId, () => {});
  // Published between the subscription and the answer of the database, which still lists the group.
  world.live.publish(bob.accountId, { type: 'group.left', data: { groupId } });
  const unfollow = await following;
  assert.equal(world.live.isListening(groupId), false);
  unfollow();
});

test('after missed events, a page gets the events of the groups joined meanwhile before it reloads', async (t) => {
  const { world, people, groupOf } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  const left = await groupOf(ada, [bob]);
  // Another process, which the events of this one do not reach.
  const live = new Live();
  const heard: [event: LiveEvent, groups: boolean[]][] = [];
  let joined = '';
  const listensTo = () => [left, joined].map((groupId) => live.isListening(groupId));
  const unfollow = await followConversations({ ...world, live }, bob.accountId, (event) =>
    heard.push([event, listensTo()]),
  );
  assert.deepEqual(listensTo(), [true, false]);
  joined = await groupOf(ada, [bob]);
  await bob.removes(left);
  live.publish(bob.accountId, MISSED);
  live.publish(left, MISSED);
  await eventually(() => heard.length > 0);
  live.publish(joined, CHANGED_ELSEWHERE);
  assert.deepEqual(heard, [
    [MISSED, [false, true]],
    [CHANGED_ELSEWHERE, [false, true]],
  ]);
  unfollow();
  assert.deepEqual(listensTo(), [false, false]);
});
