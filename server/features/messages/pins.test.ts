import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatMessage, PinnedMessages } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { contactKey } from '#features/contacts/index.ts';
import { createWorld, type Person } from '#testing/world.ts';

type Pinned = Pick<ChatMessage, 'conversationId' | 'msgId'>;

async function changes(person: Person, method: 'PUT' | 'DELETE', { conversationId, msgId }: Pinned) {
  const path = `/api/chat/conversations/${conversationId}/messages/${msgId}/pin`;
  const { status, reason } = await person.calls(method, path);
  return reason ?? status;
}

async function pinned(person: Person, conversationId: string) {
  const { body } = await person.calls('GET', `/api/chat/conversations/${conversationId}/pins`);
  const { mayPin, messages } = body.data as PinnedMessages;
  return { mayPin, texts: messages.map(({ content }) => content) };
}

test('both sides of a private conversation can pin its messages; deleting one unpins it', async (t) => {
  await using world = await createWorld();
  const [ada, bob, eve] = [await world.person(), await world.person(), await world.person()];
  const one = await ada.writes(bob, 'one');
  const two = await bob.writes(ada, 'two');
  const { conversationId } = one;
  const received: string[] = [];
  t.after(world.live.subscribe(bob.accountId, ({ type }) => received.push(type)));
  assert.equal(await changes(ada, 'PUT', one), 200);
  world.clock.advance({ seconds: 1 });
  assert.equal(await changes(bob, 'PUT', two), 200);
  assert.equal(await changes(bob, 'PUT', one), 200);
  // Of another conversation in the same bucket.
  await world.db`
    insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
    select bucket, 'prv_elsewhere', msg_id || 'x', sender_id, type, body, body_key_id, sent_at
    from messages where msg_id = ${one.msgId}`;
  await world.db`
    insert into pinned_messages (bucket, conversation_id, msg_id, pinned_by, pinned_at)
    select bucket, conversation_id, msg_id, sender_id, 1 from messages where conversation_id = 'prv_elsewhere'`;
  assert.deepEqual(await pinned(ada, conversationId), { mayPin: true, texts: ['two', 'one'] });
  assert.equal(await changes(ada, 'DELETE', two), 200);
  await ada.calls('DELETE', `/api/chat/conversations/${conversationId}/messages/${one.msgId}`);
  assert.deepEqual((await pinned(bob, conversationId)).texts, []);
  const pins = 'conversation.pins';
  assert.deepEqual(received, [pins, pins, pins, pins, 'message.changed', pins]);
  assert.equal(await changes(ada, 'PUT', one), 'conversation.no-message');
  assert.equal(await changes(eve, 'PUT', two), 'conversation.unknown');
});

test('in a group, pinning needs the right to change its details; pins a person deleted are hidden from that person', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person(), await world.person()];
  const groupId = await ada.makesGroup([bob]);
  const message = await bob.writesIn(groupId, 'the address');
  assert.equal(await changes(bob, 'PUT', message), 'group.not-an-administrator');
  assert.equal(await changes(ada, 'PUT', message), 200);
  assert.deepEqual(await pinned(bob, groupId), { mayPin: false, texts: ['the address'] });
  await ada.calls('PATCH', '/api/chat/groups/details', { groupId, editInfoOnlyAdmin: false });
  assert.equal(await changes(bob, 'PUT', await ada.writesIn(groupId, 'the date')), 200);
  await bob.calls('POST', `/api/chat/conversations/${groupId}/messages/${message.msgId}/hide`);
  assert.deepEqual((await pinned(bob, groupId)).texts, ['the date']);
  await bob.calls('DELETE', `/api/chat/conversations/${groupId}`);
  assert.deepEqual((await pinned(bob, groupId)).texts, []);
  assert.equal((await pinned(ada, groupId)).texts.length, 2);
});

test('a conversation has a limited number of pins; who pins again, or unpins what is unknown, learns it', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person(), await world.person()];
  const { bucket, conversationId } = contactKey(ada.accountId, bob.accountId);
  await ada.writes(bob, 'first');
  const msgIds = Array.from({ length: LIMITS.pinnedMessages + 9 }, () => world.newId('msg'));
  const [pinnedIds, others] = [msgIds.slice(0, -10), msgIds.slice(-10)];
  await world.db.begin(async (tx) => {
    await tx`
      insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
      select bucket, conversation_id, given.msg_id, sender_id, type, body, body_key_id, sent_at
      from messages cross join unnest(${msgIds}::text[]) as given (msg_id)
      where conversation_id = ${conversationId}`;
    await tx`
      insert into pinned_messages (bucket, conversation_id, msg_id, pinned_by, pinned_at)
      select ${bucket}, ${conversationId}, msg_id, ${ada.accountId}, 1 from unnest(${pinnedIds}::text[]) as given (msg_id)`;
  });
  const pins = await Promise.all(
    others.map((msgId, i) => changes(i % 2 ? ada : bob, 'PUT', { conversationId, msgId })),
  );
  assert.deepEqual(pins.toSorted(), [200, ...new Array(9).fill('message.too-many-pinned')]);
  const known = { conversationId, msgId: pinnedIds[0] as string };
  assert.equal(await changes(ada, 'PUT', known), 200);
  assert.deepEqual([await changes(ada, 'DELETE', known), await changes(ada, 'DELETE', known)], [200, 200]);
  const unknown = { conversationId, msgId: world.newId('msg') };
  assert.equal(await changes(ada, 'DELETE', unknown), 'conversation.no-message');
});
