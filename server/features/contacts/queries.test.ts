import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { UNSHARDED } from '#platform/partitioning/shards.ts';
import { createTestPlatformFor } from '#testing/platform.ts';
import { contactKey } from './index.ts';
import {
  type ContactKey,
  deleteContacts,
  findContacts,
  importContacts,
  insertWrote,
  lockContacts,
  selectBlocked,
  selectParticipants,
  setBlocked,
} from './queries.ts';

/** Ada wrote to Bob and Eve, each of whom wrote back, at the times 1 to 4. */
async function scene(t: TestContext) {
  const platform = await createTestPlatformFor(t);
  const { db } = platform;
  const side = (accountId: string, peerId: string) => ({ ...contactKey(accountId, peerId), peerId });
  const sides = [side('ada', 'bob'), side('bob', 'ada'), side('ada', 'eve'), side('eve', 'ada')] as const;
  await db.write((tx) =>
    insertWrote(
      tx,
      sides.map((one, i) => ({ ...one, wroteAt: i + 1 })),
    ),
  );
  /** Of each side, when it wrote and blocked. */
  const shown = async () => {
    const rows = await findContacts(db, [...sides], UNSHARDED);
    return sides.map(({ conversationId, accountId }) => {
      const row = rows.find((one) => one.conversationId === conversationId && one.accountId === accountId);
      return row && [row.wroteAt, row.blockedAt];
    });
  };
  const block = (at: number | null, one = sides[0]) => db.write((tx) => setBlocked(tx, { ...one, at }));
  return { db, sides, shown, block };
}

test('a side of a conversation is found, changes and is deleted by itself', async (t) => {
  const { db, sides, shown, block } = await scene(t);
  const [adaToBob, bobToAda, adaToEve] = sides;
  const found = await findContacts(db, [adaToBob], UNSHARDED);
  assert.deepEqual(
    found.map(({ accountId, wroteAt }) => [accountId, wroteAt]),
    [['ada', 1]],
  );
  assert.deepEqual((await selectParticipants(db, adaToBob)).sort(), ['ada', 'bob']);
  await db.write((tx) => insertWrote(tx, [{ ...adaToBob, wroteAt: 9 }]));
  await db.write((tx) => importContacts(tx, [{ ...bobToAda, wroteAt: 9, blockedAt: 9 }]));
  assert.deepEqual(await shown(), [
    [1, null],
    [2, null],
    [3, null],
    [4, null],
  ]);

  assert.deepEqual([await block(null), await block(5), await block(6)], [false, true, false]);
  await block(7, adaToEve);
  await block(8, bobToAda);
  assert.deepEqual(await shown(), [
    [1, 5],
    [2, 8],
    [3, 7],
    [4, null],
  ]);
  assert.deepEqual([await selectBlocked(db, 'ada'), await selectBlocked(db, 'eve')], [['eve', 'bob'], []]);
  assert.deepEqual([await block(null), await block(null)], [true, false]);
  assert.deepEqual(
    (await shown()).map((row) => row?.[1]),
    [null, 8, 7, null],
  );

  await db.write((tx) => deleteContacts(tx, [adaToBob]));
  assert.deepEqual(
    (await shown()).map((row) => row?.[0]),
    [undefined, 2, 3, 4],
  );
  await block(10);
  await db.write((tx) => importContacts(tx, [{ ...adaToBob, wroteAt: 11, blockedAt: null }]));
  assert.deepEqual((await shown())[0], [11, 10]);
  await db.write((tx) => deleteContacts(tx, [adaToBob]));
  await block(12);
  await db.write((tx) => insertWrote(tx, [{ ...adaToBob, wroteAt: 13 }]));
  assert.deepEqual((await shown())[0], [13, 12]);
});

test('who locks a conversation leaves others alone, and shares it only when asked to', async (t) => {
  const { db, sides } = await scene(t);
  /** How many sides of a conversation others can still lock like this. */
  const free = async ({ bucket, conversationId }: ContactKey, strength: 'share' | 'no key update') => {
    const rows = await db`
      select from contacts where bucket = ${bucket} and conversation_id = ${conversationId}
      for ${strength === 'share' ? db`share` : db`no key update`} skip locked`;
    return rows.length;
  };
  const [locked, , other] = sides;
  for (const isShared of [true, false])
    await db.begin(async (tx) => {
      await lockContacts(tx, locked, { isShared });
      assert.deepEqual(
        [
          await free(locked, 'share'),
          await free(locked, 'no key update'),
          await free(other, 'no key update'),
        ],
        [isShared ? 2 : 0, 0, 2],
      );
    });
});
