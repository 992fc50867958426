import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Profile } from '#contract/chat.ts';
import { contactKey } from '#features/contacts/index.ts';
import type { LiveEvent } from '#platform/live.ts';
import { missing, plain } from '#testing/answers.ts';
import { createWorld, type Person } from '#testing/world.ts';

const changes = (person: Person, change: object) => person.calls('PATCH', '/api/auth/profile', change);
const finds = (person: Person, username: string) =>
  person.calls('GET', `/api/chat/profiles?username=${username}`);

async function profile(person: Person, of: { accountId: string }): Promise<Profile> {
  return (await person.calls('GET', `/api/chat/profiles/${of.accountId}`)).body.data;
}

test('a person is found by exactly their username, as long as they have it', async () => {
  await using world = await createWorld();
  const [ada, bob, eve] = [await world.person('Ada'), await world.person('Bob'), await world.person('Eve')];
  assert.equal((await finds(bob, 'ada_lovelace')).status, 404);
  const { status, body } = await changes(ada, { username: 'ada_lovelace' });
  assert.deepEqual([status, body.data.username], [200, 'ada_lovelace']);
  const found = (await finds(bob, 'ada_lovelace')).body.data as Profile;
  assert.deepEqual(
    [found.userId, found.name, found.username, found.commonGroups, found.lastSeenAt],
    [ada.accountId, 'Ada', 'ada_lovelace', [], undefined],
  );
  assert.equal((await finds(bob, 'ada_lovelac')).status, 404);
  await bob.writes(ada, 'found you');
  assert.equal((await changes(eve, { username: 'ada_lovelace' })).reason, 'person.username-taken');
  for (const wrong of ['ada', 'Ada_Lovelace', 'weather_bot', '1ada', 'ada lovelace', 'x'.repeat(33)])
    assert.equal((await changes(eve, { username: wrong })).status, 400, wrong);
  assert.equal((await changes(eve, { username: 'parley_team' })).reason, 'field.reserved-word');
  await changes(ada, { username: 'countess' });
  assert.equal((await changes(eve, { username: 'ada_lovelace' })).status, 200);
  assert.equal((await finds(bob, 'ada_lovelace')).body.data.userId, eve.accountId);
  await changes(eve, { username: null });
  assert.equal((await finds(bob, 'ada_lovelace')).reason, 'person.username-unknown');
  await ada.deletesAccount();
  assert.equal((await finds(bob, 'countess')).status, 404);
  assert.equal((await changes(eve, { username: 'countess' })).status, 200);
  for (let i = 0; i < 20; i++) await finds(bob, `nobody_${i}`);
  assert.equal((await finds(bob, 'countess')).reason, 'person.finding-fast');
});

test('a bot gets the profile of people who wrote to it or share a group with it, without private fields', async () => {
  await using world = await createWorld();
  const [bot, other] = [await world.bot({ name: 'Weather' }), await world.bot()];
  const [ada, bob, eve] = [await world.person('Ada'), await world.person('Bob'), await world.person('Eve')];
  const sees = (of: { accountId: string }) => bot.calls('GET', `/v1/people/${of.accountId}`).then(plain);
  const unknown = missing('no account that you know has the id in `userId`');
  assert.deepEqual(await sees(ada), unknown);
  assert.deepEqual(await sees({ accountId: 'usr_nobody' }), unknown);
  await bot.owner.writes(ada, 'the owner knows her, not the bot');
  assert.deepEqual(await sees(ada), unknown);

  await ada.writes(bot, 'hi');
  await changes(ada, { username: 'ada_lovelace', pictureUrl: 'https://cdn.example.com/ada.jpg' });
  assert.deepEqual((await bot.calls('GET', `/v1/people/${ada.accountId}`)).body, {
    status: 'success',
    message: 'profile',
    data: {
      userId: ada.accountId,
      isBot: false,
      name: 'Ada',
      username: 'ada_lovelace',
      picture: 'https://cdn.example.com/ada.jpg',
    },
    timestamp: world.clock.now(),
  });

  const groupId = await bob.makesGroup([bot, other, eve]);
  const seen = [await sees(bob), await sees(eve), await sees(other), await sees(bot)];
  assert.deepEqual(
    seen.map((one) => one.body.data.name),
    ['Bob', 'Eve', 'Helper', 'Weather'],
  );
  await bot.leaves(groupId);
  assert.deepEqual(await sees(bob), unknown);

  await bob.makesGroup([bot, eve], { isBroadcast: true });
  assert.equal((await sees(bob)).status, 200, 'the creator of a list is known to its readers');
  assert.deepEqual(await sees(eve), unknown);
});

test('a bot gets the full address of an uploaded picture, and nothing of a deleted account', async () => {
  await using world = await createWorld({ publicUrl: 'https://chat.example.com' });
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  await ada.writes(bot, 'hi');
  await world.db`update accounts set picture_url = '/media/3f9K0v5m2c8x7Q1t6w4z8b2n4rs/ada.jpg' where account_id = ${ada.accountId}`;
  const seen = await bot.calls('GET', `/v1/people/${ada.accountId}`);
  assert.equal(seen.body.data.picture, 'https://chat.example.com/media/3f9K0v5m2c8x7Q1t6w4z8b2n4rs/ada.jpg');
  await ada.deletesAccount();
  assert.equal((await bot.calls('GET', `/v1/people/${ada.accountId}`)).status, 404);
});

test('usernames of people are in no event, and not disclosed to applications that act for others', async () => {
  await using world = await createWorld();
  const [ada, bob, bot] = [await world.person('Ada'), await world.person('Bob'), await world.bot()];
  await changes(ada, { username: 'ada_lovelace' });
  await ada.writes(bot, 'hi');
  const groupId = await ada.makesGroup([bob, bot]);
  const client = await world.client();
  const { access } = await client.tokens({ person: bob, scopes: ['groups:manage'] });
  const answers = [
    await bot.calls('GET', '/v1/events'),
    await client.calls(access, 'GET', `/v1/groups/members?groupId=${groupId}`),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  for (const answer of answers) assert.doesNotMatch(JSON.stringify(answer.body), /ada_lovelace/);
});

test('a profile shows the groups in common, and does not disclose readers of a list', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  await bob.writes(ada, 'hi');
  const common = [{ groupId: await ada.makesGroup([bob], { name: 'Tea' }), name: 'Tea' }];
  await ada.makesGroup([], { name: 'Alone' });
  await ada.makesGroup([bob], { name: 'News', isBroadcast: true });
  assert.deepEqual((await profile(bob, ada)).commonGroups, common);
  assert.deepEqual((await profile(ada, bob)).commonGroups, common);
});

test('the last time online is shown only if both show it and they have a conversation', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  await bob.writes(ada, 'hi');
  const { conversationId } = contactKey(ada.accountId, bob.accountId);
  const seen = async () => {
    const path = `/api/chat/conversations/${conversationId}/last-seen`;
    const { lastSeenAt } = (await ada.calls('GET', path)).body.data;
    assert.equal(lastSeenAt, (await profile(ada, bob)).lastSeenAt);
    return lastSeenAt;
  };
  const at = world.clock.now();
  world.clock.advance({ minutes: 5 });
  assert.equal(await seen(), at);
  assert.equal((await profile(bob, ada)).lastSeenAt, undefined, 'Ada has not written');
  await ada.writes(bob, 'hello');
  for (const person of [ada, bob]) {
    await changes(person, { lastSeen: false });
    assert.deepEqual([await seen(), (await profile(bob, ada)).lastSeenAt], [undefined, undefined]);
    await changes(person, { lastSeen: true });
  }
  assert.equal(await seen(), world.clock.now());
  await bob.blocks(ada);
  assert.equal(await seen(), undefined);
});

test('a changed name reaches the open pages of those who talk with the person; of two concurrent changes, the stored one', async (t) => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  await ada.writes(bob, 'hi');
  const received: LiveEvent[] = [];
  t.after(world.live.subscribe(ada.accountId, (event) => received.push(event)));
  await changes(bob, { name: 'Bobby' });
  const bobby = { userId: bob.accountId, name: 'Bobby', isBot: false, isDeleted: false };
  assert.deepEqual(received, [{ type: 'person.changed', data: bobby }]);
  await Promise.all(['Bo', 'Rob', 'Bert'].map((name) => changes(bob, { name })));
  const { name } = await profile(ada, bob);
  assert.deepEqual(received.at(-1), { type: 'person.changed', data: { ...bobby, name } });
});

test('the deletion of an account reaches the open pages of those who talk with the person or share a group', async (t) => {
  await using world = await createWorld();
  const [ada, bob, eve] = [await world.person('Ada'), await world.person('Bob'), await world.person('Eve')];
  await bob.writes(ada, 'hi');
  const groupId = await ada.makesGroup([bob], { isBroadcast: true });
  const ended: [topic: string, data: unknown][] = [];
  for (const topic of [bob.accountId, groupId, eve.accountId])
    t.after(
      world.live.subscribe(topic, ({ type, data }) => {
        if (type === 'person.changed') ended.push([topic, data]);
      }),
    );
  await ada.deletesAccount();
  const gone = { userId: ada.accountId, name: 'Deleted account', isBot: false, isDeleted: true };
  assert.deepEqual(ended, [
    [bob.accountId, gone],
    [groupId, gone],
  ]);
});
