import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestPlatform } from '#testing/platform.ts';
import { selectUnread } from './unread-queries.ts';

test('what others wrote is unread after the marker and after one’s own messages, up to a message', async () => {
  await using platform = await createTestPlatform();
  const { db, shards } = platform;
  const written: [conversationId: string, senderId: string, type?: string][] = [
    ['a', 'bob'],
    ['a', 'ada'],
    ['a', 'bob'],
    ['a', 'bob', 'notice'],
    ['a', 'bob'],
    ['b', 'ada'],
    ['b', 'bob'],
    ['a', 'ada', 'notice'],
  ];
  for (const [i, [conversationId, senderId, type = 'text']] of written.entries())
    await db`
      insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
      values (1, ${conversationId}, ${`msg_${i + 1}`}, ${senderId}, ${type}, '', 1, 1)`;
  const cases: [
    kind: 'private' | 'group',
    after: number,
    upTo: number | undefined,
    unread: number,
    from: number,
  ][] = [
    ['private', 0, undefined, 2, 2],
    ['private', 3, undefined, 1, 3],
    ['private', 0, 3, 1, 2],
    ['private', 0, 2, 0, 2],
    ['private', 0, 1, 1, 0],
    ['group', 0, undefined, 3, 0],
  ];
  for (const [kind, after, upTo, unread, from] of cases) {
    const marker = { bucket: 1, conversationId: 'a', kind, after: `msg_${after}` };
    const [found] = await selectUnread(db, shards, 'ada', [
      { ...marker, upTo: upTo === undefined ? upTo : `msg_${upTo}` },
    ]);
    assert.deepEqual([found?.unreadCount, found?.after], [unread, `msg_${from}`], `${kind} ${after} ${upTo}`);
  }
});
