import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asUser, groupScene } from '#testing/group-scene.ts';
import type { Person, World } from '#testing/world.ts';
import { addMembers } from './members/add-members.ts';
import { removeMember } from './members/depart.ts';

/** With the notices in the group that `messages` writes. */
const depsOf = (world: World) => ({ ...world, hooks: [world.hooks.messages.group] });

/** The number of results by outcome: `ok`, or the status of the refusal. */
async function outcomes(work: Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const settled of await Promise.allSettled(work)) {
    const outcome = settled.status === 'fulfilled' ? 'ok' : String(settled.reason.status ?? settled.reason);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

test('50 parallel adds at the size limit: exactly as many succeed as there is room', async (t) => {
  const { world, bot, people, group, roles } = await groupScene(t, {
    people: 50,
    config: { maxGroupMembers: 21 },
  });
  const groupId = await group();
  const actor = { kind: 'bot' as const, accountId: bot.accountId };
  const adds = people.map(({ accountId }) =>
    addMembers(depsOf(world), actor, { groupId, memberIds: [accountId] }),
  );
  assert.deepEqual(await outcomes(adds), { ok: 20, 429: 30 });
  assert.equal(Object.keys(await roles(groupId)).length, 21);
  const [row] = await world.db`select member_count from groups where group_id = ${groupId}`;
  assert.deepEqual(row, { memberCount: 21 });
});

test('the last two administrators leave in parallel: exactly one member succeeds them', async (t) => {
  const { world, people, groupOf, roles } = await groupScene(t, { people: 4 });
  const [ada, bob, cyd, dan] = people as [Person, Person, Person, Person];
  for (let round = 0; round < 10; round++) {
    const groupId = await groupOf(ada, [bob, cyd, dan]);
    await world.groups.changeRole(asUser(ada), { groupId, memberId: bob.accountId, isAdmin: true });
    const leaves = [ada, bob].map((person) =>
      removeMember(depsOf(world), asUser(person), { groupId, memberId: person.accountId }),
    );
    assert.deepEqual(await outcomes(leaves), { ok: 2 });
    assert.deepEqual(await roles(groupId), { [cyd.accountId]: 'admin', [dan.accountId]: 'member' });
  }
});

test('two administrators demote each other in parallel: one administrator stays', async (t) => {
  const { world, people, groupOf, roles } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  for (let round = 0; round < 10; round++) {
    const groupId = await groupOf(ada, [bob]);
    await world.groups.changeRole(asUser(ada), { groupId, memberId: bob.accountId, isAdmin: true });
    const demotions = [
      world.groups.changeRole(asUser(ada), { groupId, memberId: bob.accountId, isAdmin: false }),
      world.groups.changeRole(asUser(bob), { groupId, memberId: ada.accountId, isAdmin: false }),
    ];
    assert.deepEqual(await outcomes(demotions), { ok: 1, 403: 1 });
    assert.deepEqual(Object.values(await roles(groupId)).sort(), ['admin', 'member']);
  }
});

test('the same member is added and removed in parallel: the count and the list agree with the membership', async (t) => {
  const { world, people, groupOf, roles } = await groupScene(t, { people: 2 });
  const [ada, bob] = people as [Person, Person];
  const groupId = await groupOf(ada);
  const work = Array.from({ length: 40 }, (_, i) =>
    i % 2 === 0
      ? addMembers(depsOf(world), asUser(ada), { groupId, memberIds: [bob.accountId] })
      : removeMember(depsOf(world), asUser(ada), { groupId, memberId: bob.accountId }),
  );
  const { ok, 404: alreadyOut = 0 } = await outcomes(work);
  assert.equal((ok ?? 0) + alreadyOut, 40);
  const isMember = bob.accountId in (await roles(groupId));
  const [row] = await world.db`select member_count from groups where group_id = ${groupId}`;
  assert.deepEqual(row, { memberCount: isMember ? 2 : 1 });
  const listed = await world.db`
    select 1 from account_conversations where account_id = ${bob.accountId} and conversation_id = ${groupId}`;
  assert.equal(listed.length, isMember ? 1 : 0);
});

test('a bot is deleted while it is added: it is not a member afterwards', async (t) => {
  const { world, people, groupOf, roles } = await groupScene(t, { people: 1 });
  const [ada] = people as [Person];
  for (let round = 0; round < 10; round++) {
    const bot = await world.bot();
    const groupIds = [await groupOf(ada), await groupOf(ada), await groupOf(ada)];
    const adds = groupIds.map((groupId) =>
      addMembers(depsOf(world), asUser(ada), { groupId, memberIds: [bot.accountId] }),
    );
    const [counts] = await Promise.all([outcomes(adds), bot.deleted()]);
    assert.equal((counts['ok'] ?? 0) + (counts['404'] ?? 0), 3);
    for (const groupId of groupIds) {
      assert.deepEqual(await roles(groupId), { [ada.accountId]: 'admin' });
    }
  }
});
