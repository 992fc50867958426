import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveEvent } from '#platform/live.ts';
import { invalid, plain } from '#testing/answers.ts';
import { createWorld, type Person } from '#testing/world.ts';

async function shown(person: Person) {
  const { status, body } = await person.calls('GET', '/api/chat/remote-media');
  assert.equal(status, 200);
  return body.data;
}

test('media of those whom a person wrote to and does not block load automatically', async () => {
  await using world = await createWorld();
  const [ada, bob, cleo, eve] = await world.people('Ada', 'Bob', 'Cleo', 'Eve');
  const bot = await world.bot();
  assert.deepEqual(await shown(ada), { load: 'contacts', contactIds: [] });
  for (const stranger of [bob, cleo, eve]) await stranger.writes(ada, 'hello');
  assert.deepEqual(await shown(ada), { load: 'contacts', contactIds: [] });
  await ada.writes(bob, 'an answer');
  await ada.writes(bot, 'hello');
  await ada.writes(cleo, 'go away');
  await ada.blocks(cleo);
  const { contactIds } = await shown(ada);
  assert.deepEqual(contactIds.toSorted(), [bob.accountId, bot.accountId].toSorted());
  assert.deepEqual(await shown(bob), { load: 'contacts', contactIds: [ada.accountId] });
});

test('a person chooses whose media load, for all devices at once', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  await ada.writes(bob, 'hello');
  const received: LiveEvent[] = [];
  world.live.subscribe(ada.accountId, (event) => received.push(event));
  for (const load of ['always', 'on-click'] as const) {
    const { status, body } = await ada.calls('PATCH', '/api/auth/profile', { remoteMedia: load });
    assert.deepEqual([status, body.data.remoteMedia], [200, load]);
    assert.deepEqual(await shown(ada), { load, contactIds: [] });
  }
  assert.deepEqual(received, Array(2).fill({ type: 'profile.changed', data: {} }));
  assert.equal((await shown(bob)).load, 'contacts');
  assert.deepEqual(
    plain(await ada.calls('PATCH', '/api/auth/profile', { remoteMedia: 'sometimes' })),
    invalid('remoteMedia must be one of: always, contacts, on-click'),
  );
});

test('a group’s photo records who set it', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const photoUrl = 'https://example.com/photo.png';
  const groupId = await ada.makesGroup([bob], { photoUrl });
  const group = async () => {
    const { photoUrl, photoSetBy } = (await ada.calls('GET', `/api/chat/conversations/${groupId}`)).body.data
      .group;
    return { photoUrl, photoSetBy };
  };
  assert.deepEqual(await group(), { photoUrl, photoSetBy: ada.accountId });
  const change = (person: Person, details: object) =>
    person.calls('PATCH', '/api/chat/groups/details', { groupId, ...details });
  await change(ada, { editInfoOnlyAdmin: false });
  await change(bob, { name: 'Ours' });
  assert.deepEqual(await group(), { photoUrl, photoSetBy: ada.accountId });
  await change(bob, { photoUrl: `${photoUrl}?2` });
  assert.deepEqual(await group(), { photoUrl: `${photoUrl}?2`, photoSetBy: bob.accountId });
  await change(ada, { photoUrl: null });
  assert.deepEqual(await group(), { photoUrl: undefined, photoSetBy: undefined });
});
