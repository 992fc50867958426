import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createTestPlatformFor } from '#testing/platform.ts';
import { moveReadMarkers, updateWrittenMarkers } from './read-markers.ts';

const PEOPLE = ['ada', 'bob'] as const;

/** Two people with the conversations a and b; Bob hides what he has read. */
async function scene(t: TestContext, markers: (string | null)[][]) {
  const { db } = await createTestPlatformFor(t);
  for (const [i, accountId] of PEOPLE.entries()) {
    await db`
      insert into accounts (account_id, is_bot, name, read_receipts, created_at)
      values (${accountId}, false, ${accountId}, ${accountId === 'ada'}, 1)`;
    for (const [j, conversationId] of ['a', 'b'].entries())
      await db`
        insert into account_conversations (account_id, bucket, conversation_id, kind, read_msg_id, created_at)
        values (${accountId}, 0, ${conversationId}, 'private', ${markers[i]?.[j] ?? null}, 1)`;
  }
  const listed = async () => {
    const rows = await db<{ readMsgId: string | null }[]>`
      select read_msg_id from account_conversations order by account_id, conversation_id`;
    return rows.map(({ readMsgId }) => readMsgId);
  };
  return { db, listed };
}

for (const isDistributed of [false, true])
  test(`markers move forward only${isDistributed ? ', one by one' : ', in one statement'}`, async (t) => {
    const { db, listed } = await scene(t, [
      [null, 'msg_6'],
      ['msg_5', 'msg_7'],
    ]);
    const read = PEOPLE.flatMap((accountId) =>
      ['a', 'b'].map((conversationId) => ({ accountId, conversationId, msgId: 'msg_6' })),
    );
    const moved = await moveReadMarkers(db, { isDistributed }, read);
    assert.deepEqual(
      moved.map(({ accountId, conversationId, isShown }) => [accountId, conversationId, isShown]).sort(),
      [
        ['ada', 'a', true],
        ['bob', 'a', false],
      ],
    );
    assert.deepEqual(await listed(), ['msg_6', 'msg_6', 'msg_6', 'msg_7']);
  });

test('who writes has read what is before, unless it is known to be read or is their own', async (t) => {
  const { db, listed } = await scene(t, [
    [null, 'msg_1'],
    ['msg_3', 'msg_1'],
  ]);
  const messages = [
    ['a', 'msg_2', 'bob', 'text'],
    ['a', 'msg_3', 'bob', 'text'],
    ['b', 'msg_2', 'ada', 'notice'],
    ['b', 'msg_3', 'bob', 'text'],
  ] as const;
  for (const [conversationId, msgId, senderId, type] of messages)
    await db`
      insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
      values (0, ${conversationId}, ${msgId}, ${senderId}, ${type}, ${Buffer.of(1)}, 1, 1)`;
  const write = (accountId: string, conversationId: string, ...msgIds: string[]) =>
    db.write((tx) =>
      updateWrittenMarkers(
        tx,
        msgIds.map((msgId) => ({ accountId, bucket: 0, conversationId, msgId })),
      ),
    );
  // After Bob's own message, and after one that he has read.
  await write('bob', 'b', 'msg_4');
  await write('bob', 'a', 'msg_4');
  assert.deepEqual(await listed(), [null, 'msg_1', 'msg_3', 'msg_1']);
  await write('ada', 'a', 'msg_5', 'msg_4');
  assert.deepEqual(await listed(), ['msg_5', 'msg_1', 'msg_3', 'msg_1']);
  // After a notice of her own.
  await write('ada', 'b', 'msg_3');
  assert.deepEqual(await listed(), ['msg_5', 'msg_3', 'msg_3', 'msg_1']);
});
