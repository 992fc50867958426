import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Tx } from '#platform/database.ts';
import { createTestPlatformFor } from '#testing/platform.ts';
import {
  clearHold,
  clearQuotes,
  deleteKept,
  deleteLifetime,
  deleteMessages,
  isConversation,
  keepIfHeld,
  limitLifetime,
  lockOldest,
  selectDue,
  selectHeld,
  selectLimited,
  selectReleased,
  selectRetention,
  upsertHold,
  upsertLifetime,
  waitForOldest,
} from './queries.ts';

/** Two conversations of one bucket with the messages 1, 2 and 3, of which each after the first quotes the one before it. */
async function scene(t: TestContext) {
  const platform = await createTestPlatformFor(t);
  const { db, shards } = platform;
  const part = shards.parts[0] ?? [];
  const bucket = part[0]?.bucket ?? 0;
  const [one, other] = ['a', 'b'].map((conversationId) => ({ bucket, conversationId })) as [Key, Key];
  for (const key of [one, other])
    for (const n of [1, 2, 3]) {
      const quoted = n === 1 ? null : `msg_${n - 1}`;
      await db`
        insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, reply_to_msg_id, sent_at)
        values (${bucket}, ${key.conversationId}, ${`msg_${n}`}, 'ada', 'text', ${Buffer.of(n)}, 1, ${quoted}, ${n})`;
    }
  /** Of each conversation, its messages and what they quote. */
  const messages = async () =>
    Promise.all(
      [one, other].map(async ({ conversationId }) => {
        const rows = await db`
          select msg_id, reply_to_msg_id from messages where bucket = ${bucket} and conversation_id = ${conversationId}
          order by msg_id`;
        return rows.map(({ msgId, replyToMsgId }) => `${msgId.slice(4)}>${replyToMsgId?.slice(4) ?? ''}`);
      }),
    );
  return { db, bucket, one, other, messages, scope: { shards, part } };
}

interface Key {
  bucket: number;
  conversationId: string;
}

const idsOf = (rows: readonly { conversationId: string }[]) =>
  rows.map(({ conversationId }) => conversationId).sort();

test('messages are cleared away in one conversation, unless another transaction has locked them', async (t) => {
  const { db, bucket, one, other, messages } = await scene(t);
  const oldest = async (before: string) => {
    const rows = await db.begin((tx) => lockOldest(tx, one, { before, limit: 9 }));
    return rows.map(({ conversationId, msgId }) => `${conversationId} ${msgId}`);
  };
  assert.deepEqual(await oldest('msg_3'), ['a msg_1', 'a msg_2']);
  const isFree = async ({ conversationId }: Key) => {
    const rows = await db`
      select from messages where bucket = ${bucket} and conversation_id = ${conversationId} and msg_id = 'msg_1'
      for update skip locked`;
    return rows.length === 1;
  };
  const locks: [lock: (tx: Tx) => Promise<unknown>, left: string[]][] = [
    [(tx) => lockOldest(tx, one, { before: 'msg_2', limit: 9 }), ['a msg_2']],
    [(tx) => waitForOldest(tx, one, 2), []],
  ];
  for (const [lock, left] of locks)
    await db.begin(async (tx) => {
      await lock(tx);
      assert.deepEqual([await isFree(one), await isFree(other)], [false, true]);
      assert.deepEqual(await oldest('msg_3'), left);
    });

  await db.write((tx) => clearQuotes(tx, one, ['msg_1']));
  assert.deepEqual(await messages(), [
    ['1>', '2>', '3>2'],
    ['1>', '2>1', '3>2'],
  ]);
  await db.write((tx) => deleteMessages(tx, one, ['msg_1']));
  assert.deepEqual((await messages())[0], ['2>', '3>2']);
  await db.write((tx) => deleteMessages(tx, one, ['msg_2', 'msg_3']));
  assert.deepEqual(await messages(), [[], ['1>', '2>1', '3>2']]);
  const areThere = async () => [await isConversation(db, one), await isConversation(db, other)];
  assert.deepEqual(await areThere(), [false, true]);
  await db`
    insert into contacts (bucket, conversation_id, account_id, peer_id) values (${bucket}, 'c', 'ada', 'bob')`;
  await db`
    insert into groups (bucket, group_id, name, description, is_broadcast, send_messages, edit_info_only_admin,
      creator_id, member_count, created_at)
    values (${bucket}, 'd', 'Tea', '', false, true, true, 'ada', 1, 0)`;
  assert.deepEqual(await areThere(), [false, true], 'others have nothing to do with it');
  for (const conversationId of ['c', 'd']) assert.ok(await isConversation(db, { bucket, conversationId }));
  await db`update groups set name = '', deleted_at = 1 where bucket = ${bucket} and group_id = 'd'`;
  assert.ok(!(await isConversation(db, { bucket, conversationId: 'd' })), 'only the id is left');
});

test('the period of a conversation with messages is limited, and never made longer', async (t) => {
  const { db, bucket, one, other } = await scene(t);
  const limit = async (key: Key, days: number) => {
    await db.begin((tx) => limitLifetime(tx, key, days));
    const rows = await selectRetention(db, [one, other, { bucket, conversationId: 'c' }]);
    return rows.map(({ conversationId, lifetimeDays }) => `${conversationId} ${lifetimeDays}`).sort();
  };
  assert.deepEqual(await limit({ bucket, conversationId: 'c' }, 8), []);
  assert.deepEqual(await limit(one, 8), ['a 8']);
  assert.deepEqual(await limit(one, 9), ['a 8']);
  assert.deepEqual(await limit(other, 30), ['a 8', 'b 30']);
  assert.deepEqual(await limit(other, 8), ['a 8', 'b 8']);
});

test('a conversation is due by its oldest message, unless it is held', async (t) => {
  const { db, bucket, one, other, scope } = await scene(t);
  await db.write((tx) => deleteMessages(tx, one, ['msg_3']));
  await db`update messages set reply_to_msg_id = null`;
  await db.write((tx) => deleteMessages(tx, other, ['msg_1']));
  const due = (before: string) => selectDue(db, { bucket, before });
  assert.deepEqual([await due('msg_1'), await due('msg_2'), await due('msg_3')], [[], ['a'], ['a', 'b']]);
  for (const key of [one, other]) await db.write((tx) => upsertLifetime(tx, key, 7));
  const limited = async () => idsOf(await selectLimited(db, scope));
  assert.deepEqual(
    [await due('msg_3'), await limited()],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  );
  const hold = (at: number) => db.write((tx) => upsertHold(tx, one, at));
  assert.deepEqual([await hold(5), await hold(6)], [true, false]);
  assert.deepEqual([await due('msg_3'), await limited(), idsOf(await selectHeld(db))], [['b'], ['b'], ['a']]);
  const [retention, ...more] = await selectRetention(db, [one]);
  assert.deepEqual([retention?.conversationId, retention?.heldAt, more], ['a', 5, []]);
  await db.write((tx) => upsertLifetime(tx, other, null));
  assert.deepEqual(await limited(), []);
  await db.write((tx) => upsertHold(tx, other, 7));
  const lift = () => db.write((tx) => clearHold(tx, one));
  assert.deepEqual([await lift(), await lift()], [true, false]);
  assert.deepEqual([await limited(), idsOf(await selectHeld(db))], [['a'], ['b']]);
  for (const key of [one, other]) await db.write((tx) => deleteLifetime(tx, key));
  assert.deepEqual(idsOf(await selectRetention(db, [one, other])), ['b']);
});

test('each version of a held message is kept until the hold has ended', async (t) => {
  const { db, one, other, scope } = await scene(t);
  const keep = (key: Key, msgId: string) => db.write((tx) => keepIfHeld(tx, { ...key, msgId }, 9));
  assert.equal(await keep(one, 'msg_1'), false);
  await db.write((tx) => upsertLifetime(tx, one, 7));
  await db.write((tx) => upsertHold(tx, other, 5));
  assert.deepEqual([await keep(one, 'msg_1'), await keep(one, 'msg_4')], [false, false]);
  await db.write((tx) => upsertHold(tx, one, 5));
  for (const msgId of ['msg_1', 'msg_1', 'msg_2']) assert.ok(await keep(one, msgId));
  assert.ok(await keep(other, 'msg_1'));
  const kept = async () => {
    const rows = await db`
      select conversation_id, msg_id, version from held_messages order by conversation_id, msg_id, version`;
    return rows.map(({ conversationId, msgId, version }) => `${conversationId} ${msgId} ${version}`);
  };
  assert.deepEqual(await kept(), ['a msg_1 1', 'a msg_1 2', 'a msg_2 1', 'b msg_1 1']);
  const released = async () => idsOf(await selectReleased(db, { ...scope, limit: 9 }));
  assert.deepEqual(await released(), []);
  await db.write((tx) => clearHold(tx, one));
  assert.deepEqual(await released(), ['a']);
  const removed = await db.write((tx) => deleteKept(tx, one, 2));
  assert.deepEqual(
    removed.map(({ msgId }) => msgId),
    ['msg_1', 'msg_1'],
  );
  assert.deepEqual(await kept(), ['a msg_2 1', 'b msg_1 1']);
});
