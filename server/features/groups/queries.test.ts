import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketOf } from '#platform/ids.ts';
import { columnOf } from '#testing/columns.ts';
import { groupScene } from '#testing/group-scene.ts';
import type { Person } from '#testing/world.ts';
import { insertListings } from './members/queries.ts';
import {
  clearDeletedGroup,
  insertGroup,
  keepGroups,
  selectDeletedGroups,
  selectGroups,
  updateGroupDeleted,
} from './queries.ts';

test('groups are found by their ids until they are deleted, and made and listed once', async (t) => {
  const { world, people, groupOf } = await groupScene(t, { people: 1 });
  const { db } = world;
  const [ada] = people as [Person];
  const [one, other] = [await groupOf(ada), await groupOf(ada)];
  const keyOf = (groupId: string) => ({ bucket: bucketOf(groupId), groupId });
  const [group] = await selectGroups(db, [keyOf(one)]);
  assert.ok(group);
  assert.equal(await db.write((tx) => insertGroup(tx, group)), false);
  const listing = { accountIds: [ada.accountId], createdAt: 1 };
  await db.write((tx) => insertListings(tx, keyOf(one), listing));

  // On Citus each conversation has a batch of its own.
  const batchesOf = (ids: string[]) => (world.shards.isDistributed ? ids.map((id) => [id]) : [ids]);
  const kept = async (ids: string[]) => {
    const groups = batchesOf(ids).map((batch) => db.begin((tx) => keepGroups(tx, batch.map(keyOf))));
    return (await Promise.all(groups))
      .flat()
      .map(({ groupId }) => groupId)
      .sort();
  };
  assert.deepEqual(await kept([one]), [one]);
  assert.deepEqual(await kept([one, other]), [one, other].sort());
  await db.write((tx) => updateGroupDeleted(tx, keyOf(one), 1));
  assert.deepEqual(await kept([one, other]), [other]);
});

test('of a deleted group only the id stays, once it is cleared', async (t) => {
  const { world, people, groupOf } = await groupScene(t, { people: 1 });
  const { db, shards } = world;
  const [ada] = people as [Person];
  const [one, other, living] = [await groupOf(ada), await groupOf(ada), await groupOf(ada)];
  const keyOf = (groupId: string) => ({ bucket: bucketOf(groupId), groupId });
  await db.write((tx) => updateGroupDeleted(tx, keyOf(one), 10));
  await db.write((tx) => updateGroupDeleted(tx, keyOf(other), 20));
  const deleted = async (deletedBefore: number) => {
    const found = shards.parts.map((part) => selectDeletedGroups(db, { deletedBefore, shards, part }));
    return columnOf((await Promise.all(found)).flat(), 'groupId').sort();
  };
  assert.deepEqual([await deleted(10), await deleted(11)], [[], [one]]);
  assert.deepEqual(await deleted(21), [one, other].sort());
  for (const groupId of [one, living]) await db.write((tx) => clearDeletedGroup(tx, keyOf(groupId)));
  assert.deepEqual(await deleted(21), [other]);
  assert.deepEqual(columnOf(await db`select group_id from groups where name = ''`, 'groupId'), [one]);
});
