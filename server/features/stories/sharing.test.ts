import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveEvent } from '#platform/live.ts';
import { missing, plain } from '#testing/answers.ts';
import { createWorld, type Person } from '#testing/world.ts';

const TEXT = { type: 'text', text: 'hello' };

async function publishes(person: Person): Promise<string> {
  const { body } = await person.calls('POST', '/api/chat/stories', TEXT);
  return body.data.storyId;
}

async function sees(person: Person): Promise<string[]> {
  const { body } = await person.calls('GET', '/api/chat/stories');
  return body.data.map((shared: { person: { userId: string } }) => shared.person.userId).toSorted();
}

test('a person sees only the stories of people who wrote to the person or share a group', async () => {
  await using world = await createWorld();
  const [ada, bob, cleo, stranger] = await world.people('Ada', 'Bob', 'Cleo', 'Stranger');
  await bob.writes(ada, 'hi');
  await ada.makesGroup([cleo]);
  const storyId = await publishes(bob);
  for (const person of [ada, cleo, stranger]) await publishes(person);
  assert.deepEqual(await sees(ada), [bob.accountId, cleo.accountId].toSorted());
  assert.deepEqual(await sees(bob), []);
  await ada.writes(bob, 'an answer');
  assert.deepEqual(await sees(bob), [ada.accountId]);
  assert.deepEqual(await sees(cleo), [ada.accountId]);
  assert.deepEqual(await sees(stranger), []);
  const { body } = await ada.calls('GET', '/api/chat/stories');
  const shared = body.data.find((one: { person: { userId: string } }) => one.person.userId === bob.accountId);
  assert.deepEqual(shared, {
    person: { userId: bob.accountId, name: 'Bob', isBot: false, isDeleted: false },
    story: {
      storyId,
      texts: [{ id: shared.story.texts[0].id, text: 'hello', createdAt: world.clock.now() }],
      images: [],
      videos: [],
    },
    hasUnseen: true,
  });
  world.clock.advance({ hours: 24 });
  for (const person of [ada, bob, cleo]) assert.deepEqual(await sees(person), []);
});

test('whoever is added to a group shows its members only what they publish from then on', async () => {
  await using world = await createWorld();
  const [ada, stranger] = await world.people('Ada', 'Stranger');
  await publishes(ada);
  world.clock.advance({ seconds: 1 });
  await stranger.makesGroup([ada]);
  assert.deepEqual(await sees(stranger), []);
  const [own] = (await ada.calls('GET', '/api/chat/stories/mine')).body.data;
  const marks = (elementId: string) =>
    stranger.calls('POST', '/api/chat/stories/seen', { userId: ada.accountId, elementId });
  assert.equal((await marks(own.texts[0].id)).status, 404);
  world.clock.advance({ seconds: 1 });
  await publishes(ada);
  const [shown] = (await stranger.calls('GET', '/api/chat/stories')).body.data;
  assert.deepEqual([shown.story.texts.length, shown.hasUnseen], [1, true]);
  assert.equal((await marks(shown.story.texts[0].id)).status, 200);
  await ada.writes(stranger, 'who are you?');
  const [whole] = (await stranger.calls('GET', '/api/chat/stories')).body.data;
  assert.equal(whole.story.texts.length, 2);
});

test('after blocking, neither side sees the other’s stories, in a shared group too', async () => {
  await using world = await createWorld();
  const [ada, bob] = await world.people('Ada', 'Bob');
  await bob.writes(ada, 'hi');
  await ada.makesGroup([bob]);
  for (const person of [ada, bob]) await publishes(person);
  await ada.blocks(bob);
  assert.deepEqual([await sees(ada), await sees(bob)], [[], []]);
  await ada.unblocks(bob);
  assert.deepEqual([await sees(ada), await sees(bob)], [[bob.accountId], [ada.accountId]]);
});

test('a person reads and deletes only their own story in the chat', async () => {
  await using world = await createWorld();
  const [ada, bob] = await world.people('Ada', 'Bob');
  const storyId = await publishes(ada);
  const mine = await ada.calls('GET', '/api/chat/stories/mine');
  assert.deepEqual(
    mine.body.data.map((story: { storyId: string }) => story.storyId),
    [storyId],
  );
  assert.equal((await bob.calls('DELETE', '/api/chat/stories', { storyId })).status, 403);
  assert.equal((await ada.calls('DELETE', '/api/chat/stories', { storyId })).status, 200);
  assert.deepEqual((await ada.calls('GET', '/api/chat/stories/mine')).body.data, []);
});

test('publishing and deleting is shown live, without the content of the story', async (t) => {
  await using world = await createWorld();
  const [ada, bob, stranger] = await world.people('Ada', 'Bob', 'Stranger');
  await bob.writes(ada, 'hi');
  const groupId = await ada.makesGroup([]);
  const received: [string, LiveEvent][] = [];
  for (const topic of [ada.accountId, bob.accountId, groupId, stranger.accountId]) {
    t.after(world.live.subscribe(topic, (event) => received.push([topic, event])));
  }
  const changed = { type: 'story.changed', data: { userId: ada.accountId } };
  const expected = [ada.accountId, bob.accountId, groupId].map((topic) => [topic, changed]);
  const storyId = await publishes(ada);
  assert.deepEqual(received, expected);
  received.length = 0;
  await ada.calls('DELETE', '/api/chat/stories', { storyId });
  assert.deepEqual(received, expected);
});

test('a person’s position in a story is stored, and new elements are unseen', async () => {
  await using world = await createWorld();
  const [ada, bob, stranger] = await world.people('Ada', 'Bob', 'Stranger');
  await bob.writes(ada, 'hi');
  await publishes(bob);
  await publishes(bob);
  const ring = async () => (await ada.calls('GET', '/api/chat/stories')).body.data[0];
  const [first, second] = (await ring()).story.texts.map(({ id }: { id: string }) => id);
  const received: LiveEvent[] = [];
  world.live.subscribe(ada.accountId, (event) => received.push(event));
  const sees = (person: Person, elementId: string) =>
    person.calls('POST', '/api/chat/stories/seen', { userId: bob.accountId, elementId });
  const seen = { userId: bob.accountId, seenElementId: second };
  assert.deepEqual((await sees(ada, second)).body.data, seen);
  assert.deepEqual((await sees(ada, first)).body.data, seen);
  assert.deepEqual(received[0], { type: 'story.seen', data: seen });
  assert.deepEqual([(await ring()).seenElementId, (await ring()).hasUnseen], [second, false]);
  await publishes(bob);
  assert.equal((await ring()).hasUnseen, true);
  const unseen = missing('no element that you can see has the id in `elementId`');
  assert.deepEqual(plain(await sees(stranger, first)), unseen);
  assert.deepEqual(plain(await sees(ada, 'elm_x')), unseen);
});

test('the owner of a story learns who has seen it, if both share read receipts', async () => {
  await using world = await createWorld();
  const [ada, bob, cleo] = [await world.person('Ada'), await world.person('Bob'), await world.person('Cleo')];
  await ada.makesGroup([bob, cleo]);
  await publishes(ada);
  const [mine] = (await ada.calls('GET', '/api/chat/stories/mine')).body.data;
  const elementId = mine.texts[0].id;
  for (const person of [bob, cleo])
    await person.calls('POST', '/api/chat/stories/seen', { userId: ada.accountId, elementId });
  const views = async (person: Person) =>
    (await person.calls('GET', '/api/chat/stories/views')).body.data.map(
      (view: { person: { name: string }; elementId: string }) => [view.person.name, view.elementId],
    );
  assert.deepEqual((await views(ada)).toSorted(), [
    ['Bob', elementId],
    ['Cleo', elementId],
  ]);
  assert.deepEqual(await views(bob), []);
  await cleo.calls('PATCH', '/api/auth/profile', { readReceipts: false });
  assert.deepEqual(await views(ada), [['Bob', elementId]]);
  await ada.calls('PATCH', '/api/auth/profile', { readReceipts: false });
  assert.deepEqual(await views(ada), []);
});
