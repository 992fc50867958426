import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestPlatform } from '#testing/platform.ts';
import { isOneOf } from './keys.ts';
import { UNSHARDED } from './shards.ts';

test('only rows with one of the keys are found, none with a combination of them', async () => {
  await using platform = await createTestPlatform();
  const { db } = platform;
  const all = [1, 2].flatMap((bucket) =>
    ['a', 'b"'].flatMap((groupId) => ['x', 'y'].map((accountId) => ({ bucket, groupId, accountId }))),
  );
  const rows = db`unnest(
    ${all.map(({ bucket }) => bucket)}::integer[], ${all.map(({ groupId }) => groupId)}::text[],
    ${all.map(({ accountId }) => accountId)}::text[]) as member (bucket, group_id, account_id)`;
  const [first, , , fourth, fifth] = all;
  for (const keys of [[first, fourth, fifth, first].filter((key) => key !== undefined), all, []]) {
    for (const options of [{}, { shards: UNSHARDED }, { table: 'member' }]) {
      const found = await db`
        select * from ${rows} where ${isOneOf(db, keys, ['groupId', 'accountId'], options)}
        order by bucket, group_id, account_id`;
      assert.deepEqual(
        found.map((row) => ({ ...row })),
        [...new Set(keys)],
      );
    }
  }
});
