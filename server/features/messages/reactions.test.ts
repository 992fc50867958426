import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { ChatMessage } from '#contract/chat.ts';
import type { Reactions } from '#contract/reactions.ts';
import type { LiveEvent } from '#platform/live.ts';
import { createWorldFor, type Person } from '#testing/world.ts';
import { react } from './changes/react.ts';

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  return { world, ada, bob, message: await ada.writes(bob, 'Tea?') };
}

async function reacts(person: Person, { conversationId, msgId }: ChatMessage, ...emoji: string[]) {
  const path = `/api/chat/conversations/${conversationId}/messages/${msgId}/reactions`;
  const { status, reason, body } = await person.calls('PUT', path, { emoji });
  return { status, reason, data: body.data as Reactions };
}

test('every member sees who reacted with what; the latest reaction of each person counts', async (t) => {
  const { world, ada, bob, message } = await scene(t);
  const received: LiveEvent[] = [];
  t.after(world.live.subscribe(ada.accountId, (event) => received.push(event)));
  await reacts(ada, message, '🎉');
  await reacts(bob, message, '👍🏽', '🎉');
  await reacts(bob, message, '🎉');
  const { data } = await reacts(bob, message, '🎉');
  const reactions = { version: 3, given: [{ emoji: '🎉', userIds: [ada.accountId, bob.accountId] }] };
  assert.deepEqual(data, reactions);
  assert.equal(received.length, 3);
  const { conversationId, msgId } = message;
  assert.deepEqual(received.at(-1), {
    type: 'message.reactions',
    data: { conversationId, msgId, reactions },
  });
  assert.deepEqual((await bob.reads(ada))[0]?.reactions, reactions);
  const { body } = await bob.calls('GET', '/api/auth/export');
  assert.deepEqual(body.reactions, [{ conversationId, msgId, emoji: ['🎉'] }]);
  const [row] = await world.db<{ text: string }[]>`select reactions::text as text from reactions`;
  assert.equal(row?.text.includes(ada.accountId), false);
});

test('reactions that are not an emoji, duplicates, on deleted messages or from blocked people are refused', async (t) => {
  const { ada, bob, message } = await scene(t);
  for (const emoji of ['a', '👍👍', '', '<b>', '1'])
    assert.equal((await reacts(ada, message, emoji)).reason, 'field.not-an-emoji', emoji);
  assert.equal((await reacts(ada, message, '👍', '👍')).reason, 'field.not-an-emoji');
  for (const emoji of ['❤️', '👩‍👩‍👧', '🇩🇪', '1️⃣'])
    assert.equal((await reacts(ada, message, emoji)).status, 200);
  await bob.blocks(ada);
  assert.equal((await reacts(ada, message, '👍')).reason, 'recipient.not-taking');
  await bob.unblocks(ada);
  await ada.calls('DELETE', `/api/chat/conversations/${message.conversationId}/messages/${message.msgId}`);
  assert.equal((await reacts(bob, message, '👍')).reason, 'conversation.no-message');
  assert.equal('reactions' in ((await bob.reads(ada))[0] as ChatMessage), false);
});

test('there are no reactions in a broadcast list', async (t) => {
  const { ada, bob } = await scene(t);
  const letter = await ada.writesIn(await ada.makesGroup([bob], { isBroadcast: true }), 'Go!');
  assert.equal((await reacts(bob, letter, '👍')).reason, 'message.no-reactions');
});

test('setting a person’s reactions replaces theirs and leaves those of the others', () => {
  const emoji = fc.uniqueArray(fc.constantFrom('👍', '🎉', '❤️', '😂'), { maxLength: 4 });
  const steps = fc.array(fc.record({ who: fc.constantFrom('a', 'b', 'c'), emoji }), { maxLength: 12 });
  fc.assert(
    fc.property(steps, (taken) => {
      let given: Reactions['given'] = [];
      const said = new Map<string, readonly string[]>();
      for (const { who, emoji: chosen } of taken) {
        given = react(given, who, chosen);
        said.set(who, chosen);
      }
      for (const [who, chosen] of said) {
        const has = given.filter(({ userIds }) => userIds.includes(who)).map((one) => one.emoji);
        assert.deepEqual(has.toSorted(), [...chosen].sort());
      }
      assert.ok(given.every(({ userIds }) => userIds.length > 0 && new Set(userIds).size === userIds.length));
    }),
  );
});
