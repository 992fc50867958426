import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { LiveEvent } from '#platform/live.ts';
import { success } from '#testing/answers.ts';
import { createWorldFor, type Person } from '#testing/world.ts';

/** A broadcast list of Ada's, which Bob, Cleo and a bot read. */
async function listScene(t: TestContext) {
  const world = await createWorldFor(t);
  const [ada, bob, cleo] = await world.people('Ada', 'Bob', 'Cleo');
  const bot = await world.bot();
  const groupId = await ada.makesGroup([bob, cleo, bot], { isBroadcast: true });
  return { world, ada, bob, cleo, bot, groupId };
}

async function reads(person: Person, path: string): Promise<{ userId: string }[]> {
  const { status, body } = await person.calls('GET', path);
  assert.equal(status, 200);
  return body.data.members ?? body.data;
}

const idsOf = (people: readonly { userId: string }[]) => people.map(({ userId }) => userId).toSorted();

test('among the members of a broadcast list, a reader sees its creator and themselves; the creator sees all', async (t) => {
  const { ada, bob, cleo, bot, groupId } = await listScene(t);
  const all = [ada, bob, cleo, bot].map(({ accountId }) => accountId);
  const members = (person: Person) => reads(person, `/api/chat/groups/members?groupId=${groupId}`);
  assert.deepEqual(idsOf(await members(bob)), [ada.accountId, bob.accountId].toSorted());
  assert.deepEqual(idsOf(await members(ada)), all.toSorted());

  const people = (person: Person) =>
    reads(person, `/api/chat/conversations/${groupId}/people?userIds=${all.join()}`);
  assert.deepEqual(idsOf(await people(bob)), [ada.accountId, bob.accountId].toSorted());
  assert.deepEqual(idsOf(await people(ada)), all.toSorted());

  const commands = async (person: Person) =>
    (await person.calls('GET', `/api/chat/conversations/${groupId}/commands`)).body.data.length;
  assert.deepEqual([await commands(bob), await commands(ada)], [0, 1]);
});

test('a reader of a broadcast list neither renames it nor pins there, whatever its settings', async (t) => {
  const { ada, bob, groupId } = await listScene(t);
  const rename = { groupId, name: 'Mine' };
  const open = { groupId, editInfoOnlyAdmin: false };
  assert.equal((await ada.calls('PATCH', '/api/chat/groups/details', open)).status, 200);
  const { msgId } = await ada.writesIn(groupId, 'news');
  assert.equal((await bob.calls('PATCH', '/api/chat/groups/details', rename)).status, 403);
  const pin = await bob.calls('PUT', `/api/chat/conversations/${groupId}/messages/${msgId}/pin`);
  assert.equal(pin.status, 403);
});

test('readers of a broadcast list do not see each other’s stories; its creator and they do', async (t) => {
  const { world, ada, bob, cleo } = await listScene(t);
  const elementOf = new Map<Person, string>();
  for (const person of [ada, bob, cleo]) {
    await person.calls('POST', '/api/chat/stories', { type: 'text', text: 'hello' });
    const { body } = await person.calls('GET', '/api/chat/stories/mine');
    elementOf.set(person, body.data[0].texts[0].id);
  }
  const sees = async (person: Person) => {
    const { body } = await person.calls('GET', '/api/chat/stories');
    return body.data.map((one: { person: { userId: string } }) => one.person.userId).toSorted();
  };
  assert.deepEqual(await sees(bob), [ada.accountId]);
  assert.deepEqual(await sees(ada), [bob.accountId, cleo.accountId].toSorted());
  const marks = (person: Person, owner: Person) => {
    const seen = { userId: owner.accountId, elementId: elementOf.get(owner) };
    return person.calls('POST', '/api/chat/stories/seen', seen);
  };
  assert.equal((await marks(bob, cleo)).status, 404);
  const { body } = await marks(bob, ada);
  const seen = { userId: ada.accountId, seenElementId: elementOf.get(ada) };
  assert.deepEqual(body, success('marked as seen', seen, world.clock.now()));
});

test('a reader marks as seen what the creator published before the list was there', async (t) => {
  const world = await createWorldFor(t);
  const [ada, bob] = await world.people('Ada', 'Bob');
  await ada.calls('POST', '/api/chat/stories', { type: 'text', text: 'hello' });
  world.clock.advance({ seconds: 1 });
  await ada.makesGroup([bob], { isBroadcast: true });
  const [shown] = (await bob.calls('GET', '/api/chat/stories')).body.data;
  const seen = { userId: ada.accountId, elementId: shown.story.texts[0].id };
  assert.equal((await bob.calls('POST', '/api/chat/stories/seen', seen)).status, 200);
});

test('what a reader of a broadcast list changes is published to its creator, and not to the other readers', async (t) => {
  const { world, ada, bob, groupId } = await listScene(t);
  const received: [topic: string, type: LiveEvent['type']][] = [];
  for (const topic of [groupId, ada.accountId])
    t.after(world.live.subscribe(topic, ({ type }) => received.push([topic, type])));
  await bob.calls('PATCH', '/api/auth/profile', { name: 'Robert' });
  await bob.calls('PATCH', '/api/auth/profile', { readReceipts: false });
  await bob.calls('POST', '/api/chat/stories', { type: 'text', text: 'hello' });
  assert.deepEqual(received.splice(0), [
    [ada.accountId, 'person.changed'],
    [ada.accountId, 'receipts.changed'],
    [ada.accountId, 'story.changed'],
  ]);
  await ada.calls('PATCH', '/api/auth/profile', { name: 'Ada L' });
  assert.deepEqual(received, [
    [ada.accountId, 'profile.changed'],
    [groupId, 'person.changed'],
  ]);
});
