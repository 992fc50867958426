import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createTestPlatformFor } from '#testing/platform.ts';
import { insertMessages, insertPermitted } from './insert-queries.ts';
import {
  findMessage,
  findMessageIds,
  findMessages,
  findNewer,
  findOlder,
  findQuotable,
  lockMessage,
  type MessageRow,
  updateBody,
} from './queries.ts';

/** Two conversations with messages of the same ids, 1, 2 and 3. */
async function scene(t: TestContext) {
  const { db, shards } = await createTestPlatformFor(t);
  const rowOf = (conversationId: string, n: number): MessageRow => ({
    ...{ bucket: 1, conversationId, msgId: `msg_${n}`, senderId: 'bot', type: 'text', body: Buffer.of(n) },
    ...{ bodyKeyId: 1, replyToMsgId: null, sentAt: 1 },
  });
  const rows = ['a', 'b'].flatMap((conversationId) => [1, 2, 3].map((n) => rowOf(conversationId, n)));
  for (const _time of ['once', 'again']) await db.write((tx) => insertMessages(tx, rows));
  return { db, shards, rowOf };
}

const shown = (rows: readonly { conversationId: string; msgId: string }[]) =>
  rows.map(({ conversationId, msgId }) => `${conversationId} ${msgId}`);

test('a message is found, and changes, in its conversation', async (t) => {
  const { db, rowOf } = await scene(t);
  const keys = [rowOf('a', 1)];
  for (const find of [findMessageIds, findQuotable, findMessages])
    assert.deepEqual(shown(await find(db, keys)), ['a msg_1'], find.name);
  await db.write((tx) => updateBody(tx, { ...rowOf('a', 1), type: 'deleted' }));
  const types = await Promise.all(
    [rowOf('a', 1), rowOf('a', 2), rowOf('b', 1)].map(async (key) => (await findMessage(db, key))?.type),
  );
  assert.deepEqual(types, ['deleted', 'text', 'text']);
  assert.deepEqual(shown(await findQuotable(db, keys)), []);

  const of = (n: number) => ({ bucket: 1, conversationId: 'a', hiddenMsgId: `msg_${n}` });
  const older = async (hidden: number, before?: string) =>
    shown(await findOlder(db, of(hidden), { before, limit: 9 }));
  const newer = async (hidden: number, from: string, isIncluded: boolean) =>
    shown(await findNewer(db, of(hidden), { from, isIncluded, limit: 9 }));
  assert.deepEqual(
    [await older(0), await older(0, 'msg_2')],
    [['a msg_3', 'a msg_2', 'a msg_1'], ['a msg_1']],
  );
  assert.deepEqual(await older(1), ['a msg_3', 'a msg_2']);
  assert.deepEqual(
    [await newer(0, 'msg_2', true), await newer(0, 'msg_2', false)],
    [['a msg_2', 'a msg_3'], ['a msg_3']],
  );
  assert.deepEqual(await newer(2, 'msg_1', true), ['a msg_3']);

  const isFree = async (key: MessageRow) => {
    const rows = await db`
      select from messages where bucket = 1 and conversation_id = ${key.conversationId} and msg_id = ${key.msgId}
      for no key update skip locked`;
    return rows.length === 1;
  };
  await db.begin(async (tx) => {
    await lockMessage(tx, rowOf('a', 1));
    const free = [await isFree(rowOf('a', 1)), await isFree(rowOf('a', 2)), await isFree(rowOf('b', 1))];
    assert.deepEqual(free, [false, true, true]);
  });
});

test('a message is stored unless the key that it was sent with has changed, whatever else is in its batch', async (t) => {
  const { db, shards, rowOf } = await scene(t);
  for (const [appId, version] of [
    ['app_1', 3],
    ['app_2', 7],
  ] as const) {
    await db`
      insert into applications (app_id, owner_id, name, state, requests_per_minute, created_at, version)
      values (${appId}, 'ada', 'A', 'active', 1, 1, ${version})`;
    await db`insert into application_versions (app_id, version) values (${appId}, ${version})`;
  }
  await db`
    insert into contacts (bucket, conversation_id, account_id, peer_id, wrote_at) values (1, 'a', 'ada', 'bot', 1)`;
  const keys = [['app_1', 3], ['app_1', 7], ['app_2', 7], undefined] as const;
  const rows = keys.map((key, i) => ({
    ...rowOf('a', i + 4),
    recipientId: 'ada',
    ...(key && { cachedKey: { appId: key[0], version: key[1] } }),
  }));
  const stored = await db.begin((tx) => insertPermitted(tx, rows, shards));
  assert.deepEqual(stored.sort(), ['msg_4', 'msg_6', 'msg_7']);
});
