import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestPlatform } from '#testing/platform.ts';
import { deleteWaiting, findWaiting, insertWaiting, lockWaiting, postponeWaiting } from './bot-inbox.ts';

test('a bot answers the oldest message of each conversation, once it is due, in one process', async () => {
  await using platform = await createTestPlatform();
  const { db, shards } = platform;
  const part = shards.parts[0] ?? [];
  const bucket = part[0]?.bucket ?? 0;
  const keyOf = (conversationId: string, n: number) => ({ bucket, conversationId, msgId: `msg_${n}` });
  for (const [conversationId, botId] of [
    ['a', 'bot'],
    ['b', 'bot'],
    ['c', 'another'],
  ] as const)
    for (const n of [1, 2]) {
      const key = keyOf(conversationId, n);
      await db`
        insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
        values (${bucket}, ${conversationId}, ${key.msgId}, 'ada', 'text', '', 1, 1)`;
      const row = { ...key, botId, personId: 'ada', authenticatedAt: null, at: 10 };
      await db.write((tx) => insertWaiting(tx, row));
    }
  const waiting = async (now: number) => {
    const rows = await findWaiting(db, { botId: 'bot', now, limit: 9 }, { shards, part });
    return rows.map(({ conversationId, msgId, attempts }) => `${conversationId} ${msgId} ${attempts}`).sort();
  };
  assert.deepEqual([await waiting(9), await waiting(10)], [[], ['a msg_1 0', 'b msg_1 0']]);
  const lock = (key: ReturnType<typeof keyOf>) => db.begin((tx) => lockWaiting(tx, key));
  await db.begin(async (tx) => {
    assert.ok(await lockWaiting(tx, keyOf('a', 1)));
    const locked = [await lock(keyOf('a', 1)), await lock(keyOf('a', 2)), await lock(keyOf('b', 1))];
    assert.deepEqual([...locked, await lock(keyOf('a', 3))], [false, true, true, false]);
  });
  await db.write((tx) => postponeWaiting(tx, keyOf('a', 1), 20));
  assert.deepEqual([await waiting(19), await waiting(20)], [['b msg_1 0'], ['a msg_1 1', 'b msg_1 0']]);
  await db.write((tx) => deleteWaiting(tx, keyOf('a', 1)));
  assert.deepEqual(await waiting(19), ['a msg_2 0', 'b msg_1 0']);
});
