import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorldFor } from '#testing/world.ts';
import { insertWaiting, type WaitingMessage } from './bot-inbox.ts';

test('a built-in bot answers the oldest message of each conversation, once it is due, in one process', async (t) => {
  const { db, messages } = await createWorldFor(t);
  const { findDue, postpone, take } = messages.botInbox;
  const waiting = (conversationId: string, n: number): WaitingMessage => ({
    ...{ bucket: 1, conversationId, msgId: `msg_${n}` },
    ...{ personId: 'ada', authenticatedAt: null, attempts: 0 },
  });
  for (const [conversationId, botId] of [
    ['a', 'bot'],
    ['b', 'bot'],
    ['c', 'another'],
  ] as const)
    for (const n of [2, 1]) {
      const row = waiting(conversationId, n);
      await db`
        insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
        values (1, ${conversationId}, ${row.msgId}, 'ada', 'sticker', '', 1, ${n})`;
      await db.write((tx) => insertWaiting(tx, { ...row, botId, at: 10 }));
    }
  const due = async (now: number) => {
    const rows = await findDue({ botId: 'bot', now, limit: 9 });
    return rows.map(({ conversationId, msgId, attempts }) => `${conversationId} ${msgId} ${attempts}`).sort();
  };
  assert.deepEqual([await due(9), await due(10)], [[], ['a msg_1 0', 'b msg_1 0']]);
  const takeAlone = (row: WaitingMessage) => db.begin((tx) => take(tx, row));
  await db.begin(async (tx) => {
    assert.deepEqual(await take(tx, waiting('a', 1)), { sentAt: 1 });
    assert.equal(await takeAlone(waiting('a', 1)), undefined, 'it does not wait for the other transaction');
  });
  assert.equal(await takeAlone(waiting('a', 1)), undefined);
  await db.write((tx) => postpone(tx, waiting('b', 1), 20));
  assert.deepEqual([await due(19), await due(20)], [['a msg_2 0'], ['a msg_2 0', 'b msg_1 1']]);
  assert.deepEqual(await takeAlone(waiting('b', 1)), { sentAt: 1 });
  assert.deepEqual(await due(20), ['a msg_2 0', 'b msg_2 0']);
});
