import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketOf } from '#platform/ids.ts';
import { citusServers } from '#testing/citus.ts';
import { groupScene } from '#testing/group-scene.ts';
import type { Person } from '#testing/world.ts';
import {
  deleteListings,
  deleteRemovalsOf,
  forgetRemovals,
  insertRemoval,
  selectGroupPage,
  selectGroupsOf,
  selectIsRemoved,
  selectMemberBots,
  selectMembers,
  selectPeopleIn,
  selectReceiverBots,
  selectRemovalsOf,
} from './queries.ts';

const OF_ONE_SHARD = {
  skip: citusServers() !== undefined && 'on Citus, bots are read without their applications',
};

test('the bots and the people of a group are its own', OF_ONE_SHARD, async (t) => {
  const { world, bot, people, groupOf } = await groupScene(t, { people: 2 });
  const { db, shards } = world;
  const [ada, bob] = people as [Person, Person];
  const [hooked, unhooked] = [await world.bot({ webhookUrl: 'https://example.com/hook' }), await world.bot()];
  const keyOf = (groupId: string) => ({ bucket: bucketOf(groupId), groupId });
  const one = keyOf(await groupOf(ada, [hooked, unhooked]));
  const other = keyOf(await groupOf(bob, [bot]));
  const byApp = (a: { botAppId: string }, b: { botAppId: string }) => (a.botAppId < b.botAppId ? -1 : 1);
  const membership = ({ accountId, appId }: typeof bot) => ({
    groupId: one.groupId,
    accountId,
    botAppId: appId,
  });
  const joinedAt = world.clock.now();
  const own = [hooked, unhooked].map((bot) => ({ ...membership(bot), joinedAt })).sort(byApp);
  assert.deepEqual((await selectMemberBots(db, [one])).map((row) => ({ ...row })).sort(byApp), own);
  assert.deepEqual(await selectPeopleIn(db, [one]), [ada.accountId]);
  assert.deepEqual((await selectPeopleIn(db, [one, other])).sort(), [ada.accountId, bob.accountId].sort());

  const receivers = async () => {
    const rows = await selectReceiverBots(db, [one], shards);
    return rows.map((row) => ({ ...row })).sort(byApp);
  };
  const shown = (quiet: object) => [
    { ...membership(hooked), state: 'active', hasWebhookUrl: true, isQuiet: false },
    { ...membership(unhooked), state: 'active', hasWebhookUrl: false, isQuiet: false, ...quiet },
  ];
  assert.deepEqual(await receivers(), shown({}).sort(byApp));
  await db`
    insert into application_extensions (app_id, extension, switched_on_at)
    values (${hooked.appId}, 'openid', 1), (${unhooked.appId}, 'quiet_in_groups', 1)`;
  assert.deepEqual(await receivers(), shown({ isQuiet: true }).sort(byApp));
  // As version 0.2 stored it.
  await db`update applications set webhook_url = 'https://example.com/old' where app_id = ${unhooked.appId}`;
  assert.deepEqual(await receivers(), shown({ isQuiet: true, hasWebhookUrl: true }).sort(byApp));
  await db`update applications set state = 'deleted' where app_id = ${unhooked.appId}`;
  assert.deepEqual(
    (await receivers()).map(({ botAppId }) => botAppId),
    [hooked.appId],
  );
});

test('the groups of somebody are their own, and so are their removals', async (t) => {
  const { world, people, groupOf } = await groupScene(t, { people: 2 });
  const { db } = world;
  const [{ accountId: ada }, { accountId: bob }] = people as [Person, Person];
  const [one, other] = [await groupOf(people[0] as Person), await groupOf(people[1] as Person)];
  const idsOf = (rows: readonly { groupId: string }[]) => rows.map(({ groupId }) => groupId);
  assert.deepEqual(idsOf(await selectGroupsOf(db, ada)), [one]);
  assert.deepEqual(idsOf(await selectGroupPage(db, ada, { after: '', limit: 9 })), [one]);
  assert.deepEqual(idsOf(await selectGroupPage(db, ada, { after: one, limit: 9 })), []);
  const keyOf = (groupId: string, accountId: string) => ({ bucket: bucketOf(groupId), groupId, accountId });
  await db.write((tx) => insertRemoval(tx, keyOf(other, ada), 1));
  const isRemoved = (groupId: string, accountId: string) => selectIsRemoved(db, keyOf(groupId, accountId));
  assert.deepEqual(
    [await isRemoved(other, ada), await isRemoved(one, ada), await isRemoved(other, bob)],
    [true, false, false],
  );
  for (const accountId of [ada, bob]) await db.write((tx) => insertRemoval(tx, keyOf(one, accountId), 1));
  await db.write((tx) => forgetRemovals(tx, keyOf(one, ada), [ada]));
  assert.deepEqual(idsOf(await selectRemovalsOf(db, ada)), [other]);
  await db.write((tx) => deleteRemovalsOf(tx, ada));
  assert.deepEqual(idsOf(await selectRemovalsOf(db, ada)), []);
  assert.deepEqual(idsOf(await selectRemovalsOf(db, bob)), [one]);
});

test('of no membership, the database is asked nothing', async () => {
  assert.deepEqual(await selectMembers((() => assert.fail()) as never, []), []);
});

test('whoever leaves a group loses its place in their list and their mentions there, and nobody else does', async (t) => {
  const { world, people, groupOf } = await groupScene(t, { people: 2 });
  const { db } = world;
  const [ada, bob] = people as [Person, Person];
  const [left, other] = [await groupOf(ada, [bob]), await groupOf(ada, [bob])];
  const rows = [ada, bob].flatMap(({ accountId }) =>
    [left, other].map((conversationId) => ({ accountId, conversationId, msgId: 'msg_1' })),
  );
  await db`insert into mentions ${db(rows, 'accountId', 'conversationId', 'msgId')}`;
  await db.begin((tx) => deleteListings(tx, left, [bob.accountId]));
  const keysIn = async (table: string) => {
    const found = await db<{ accountId: string; conversationId: string }[]>`
      select account_id, conversation_id from ${db(table)} where conversation_id in (${left}, ${other})`;
    return found.map(({ accountId, conversationId }) => `${accountId} ${conversationId}`).sort();
  };
  const kept = [
    [ada, left],
    [ada, other],
    [bob, other],
  ] as const;
  const expected = kept.map(([{ accountId }, conversationId]) => `${accountId} ${conversationId}`).sort();
  assert.deepEqual(await keysIn('mentions'), expected);
  assert.deepEqual(await keysIn('account_conversations'), expected);
});
