import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createTestPlatformFor } from '#testing/platform.ts';
import { deletePrivateListings, listOldestFirst, selectOwnMessages } from '../conversations/account-hook.ts';
import {
  deleteMentions,
  deleteMentionsOf,
  deleteMentionsUpTo,
  insertMentions,
  selectNewestMentions,
} from './mention-queries.ts';
import {
  deleteHidden,
  insertHidden,
  listPrivateConversations,
  listWithDraft,
  selectHolders,
  selectListed,
  selectOneListed,
  selectPeerIds,
  selectWanting,
  updateHidden,
  withoutHidden,
} from './queries.ts';

const PEOPLE = ['ada', 'bob'] as const;

/** Two people, each with the private conversations a and b, in which they have read up to the message 5. */
async function scene(t: TestContext) {
  const platform = await createTestPlatformFor(t);
  const { db, shards } = platform;
  for (const accountId of PEOPLE)
    await db`
      insert into accounts (account_id, is_bot, name, created_at) values (${accountId}, false, ${accountId}, 1)`;
  const entries = PEOPLE.flatMap((accountId) =>
    ['a', 'b'].map((conversationId) => ({
      accountId,
      conversationId,
      peerId: `peer_${conversationId}`,
      createdAt: 1,
    })),
  );
  const list = (readMsgId: string, of = entries) =>
    db.begin((tx) =>
      listPrivateConversations(
        tx,
        shards,
        of.map((entry) => ({ ...entry, readMsgId })),
      ),
    );
  await list('msg_5');
  /** What is said of each conversation of each person. */
  const listed = async (say: 'readMsgId' | 'hiddenMsgId') =>
    Promise.all(
      PEOPLE.map(async (accountId) =>
        (await selectListed(db, accountId))
          .sort((one, other) => (one.conversationId < other.conversationId ? -1 : 1))
          .map((row) => row[say]),
      ),
    );
  return { db, list: (readMsgId: string) => list(readMsgId, entries.slice(0, 1)), listed };
}

test('the list of a person changes by itself, and its markers go forward only', async (t) => {
  const { db, list, listed } = await scene(t);
  for (const msgId of ['msg_6', 'msg_4']) await list(msgId);
  assert.deepEqual(await listed('readMsgId'), [
    ['msg_6', 'msg_5'],
    ['msg_5', 'msg_5'],
  ]);
  await db.write((tx) => updateHidden(tx, { accountId: 'ada', conversationId: 'b', msgId: 'msg_7' }));
  assert.deepEqual(await listed('hiddenMsgId'), [
    [null, 'msg_7'],
    [null, null],
  ]);
  await db`update accounts set read_receipts = (account_id = 'ada')`;
  const hidden = await Promise.all(
    PEOPLE.map((accountId) =>
      db.write((tx) => updateHidden(tx, { accountId, conversationId: 'a', msgId: 'msg_7' })),
    ),
  );
  assert.deepEqual(
    hidden.map((one) => one?.isShown),
    [true, false],
  );

  const draft = (conversationId: string) =>
    db.write((tx) =>
      listWithDraft(tx, { accountId: 'ada', conversationId, peerId: `peer_${conversationId}`, createdAt: 2 }),
    );
  for (const conversationId of ['b', 'c', 'd']) await draft(conversationId);
  await db`update account_conversations set read_msg_id = 'msg_1' where conversation_id = 'd'`;
  await db`update account_conversations set kind = 'group' where account_id = 'ada' and conversation_id = 'a'`;
  const peers = PEOPLE.map(async (accountId) => (await selectPeerIds(db, accountId)).sort());
  assert.deepEqual(await Promise.all(peers), [
    ['peer_b', 'peer_d'],
    ['peer_a', 'peer_b'],
  ]);
  await db`
    insert into drafts (account_id, conversation_id, version, body, body_key_id) values ('bob', 'a', 1, '', 1)`;
  const drafts = async (accountId: string) => {
    const found = await Promise.all(['a', 'b', 'e'].map((id) => selectOneListed(db, accountId, id)));
    return found.map((one) => one?.hasDraft);
  };
  assert.deepEqual(
    [await drafts('ada'), await drafts('bob')],
    [
      [false, false, undefined],
      [true, false, undefined],
    ],
  );

  const holders = await selectHolders(db, ['ada'], ['b', 'e']);
  assert.deepEqual(
    holders.map(({ accountId, conversationId }) => `${accountId} ${conversationId}`),
    ['ada b'],
  );
  const listings = async (accountId: string) =>
    (await listOldestFirst(db, accountId)).map(({ conversationId }) => conversationId);
  assert.deepEqual(
    [await listings('ada'), await listings('bob')],
    [
      ['a', 'b', 'c', 'd'],
      ['a', 'b'],
    ],
  );
  const removed = await db.write((tx) => deletePrivateListings(tx, 'ada'));
  assert.deepEqual(removed.sort(), ['peer_b', 'peer_c', 'peer_d']);
  assert.deepEqual([await listings('ada'), await listings('bob')], [['a'], ['a', 'b']]);
});

test('whoever wants a notification of a message gets it, until the message is read', async (t) => {
  const { db } = await scene(t);
  const wanting = async (
    change: { accountIds?: string[]; msgId?: string; mentionedUserIds?: string[] } = {},
  ) => {
    const { accountIds = [...PEOPLE], ...more } = change;
    const message = { conversationId: 'a', msgId: 'msg_6', mentionedUserIds: [], at: 10, ...more };
    return (await selectWanting(db, accountIds, message)).map(({ accountId }) => accountId).sort();
  };
  const set = ({ isMuted = true, mutedUntil = null as number | null, notifyOf = 'all' }) => db`
    update account_conversations set is_muted = ${isMuted}, muted_until = ${mutedUntil}, notify_of = ${notifyOf}
    where account_id = 'ada' and conversation_id = 'a'`;
  assert.deepEqual([await wanting(), await wanting({ accountIds: ['bob'] })], [['ada', 'bob'], ['bob']]);
  assert.deepEqual(await wanting({ msgId: 'msg_5' }), []);
  await db`update account_conversations set read_msg_id = null where account_id = 'ada' and conversation_id = 'a'`;
  assert.deepEqual(await wanting({ msgId: 'msg_5' }), ['ada']);
  await set({});
  assert.deepEqual(await wanting(), ['bob']);
  await set({ mutedUntil: 11 });
  assert.deepEqual(await wanting(), ['bob']);
  await set({ mutedUntil: 10 });
  assert.deepEqual(await wanting(), ['ada', 'bob']);
  await set({ isMuted: false, notifyOf: 'mentions' });
  assert.deepEqual(
    [await wanting(), await wanting({ mentionedUserIds: ['ada'] })],
    [['bob'], ['ada', 'bob']],
  );
});

test('what a person hides, and where others mention them, is theirs alone', async (t) => {
  const { db } = await scene(t);
  for (const accountId of PEOPLE)
    for (const msgId of ['msg_1', 'msg_1', 'msg_2'])
      if (accountId === 'ada' || msgId === 'msg_2')
        await db.write((tx) => insertHidden(tx, accountId, msgId));
  const messages = ['msg_1', 'msg_2', 'msg_3'].map((msgId) => ({ msgId }));
  const seen = async () => {
    const ofBoth = await Promise.all(PEOPLE.map((accountId) => withoutHidden(db, accountId, messages)));
    return ofBoth.map((of) => of.map(({ msgId }) => msgId));
  };
  assert.deepEqual(await seen(), [['msg_3'], ['msg_1', 'msg_3']]);
  await db.write((tx) => deleteHidden(tx, 'ada'));
  assert.deepEqual(await seen(), [
    ['msg_1', 'msg_2', 'msg_3'],
    ['msg_1', 'msg_3'],
  ]);

  const mentions = PEOPLE.flatMap((accountId) =>
    ['a', 'b'].flatMap((conversationId) =>
      ['msg_1', 'msg_2', 'msg_3'].map((msgId) => ({ accountId, conversationId, msgId })),
    ),
  );
  for (const _time of ['once', 'again']) await db.write((tx) => insertMentions(tx, mentions));
  /** How many there are of each person in each conversation. */
  const count = async () => {
    const rows = await db<{ count: number }[]>`
      select count(*)::integer as count from mentions group by account_id, conversation_id
      order by account_id, conversation_id`;
    return rows.map((row) => row.count);
  };
  const of = { accountId: 'ada', conversationId: 'a' };
  await db.write((tx) => deleteMentions(tx, [{ ...of, msgId: 'msg_3' }]));
  assert.deepEqual(await count(), [2, 3, 3, 3]);
  const newest = await selectNewestMentions(db, 'ada');
  assert.deepEqual(newest.map(({ conversationId, msgId }) => `${conversationId} ${msgId}`).sort(), [
    'a msg_2',
    'b msg_3',
  ]);
  await db.write((tx) => deleteMentionsUpTo(tx, { ...of, msgId: 'msg_1' }));
  assert.deepEqual(await count(), [1, 3, 3, 3]);
  await db.write((tx) => deleteMentionsOf(tx, 'ada'));
  assert.deepEqual(await count(), [3, 3]);
});

test('a copy of one’s own data has what one wrote in a conversation, in pages', async (t) => {
  const { db } = await scene(t);
  for (const conversationId of ['a', 'b'])
    for (const [n, senderId] of ['ada', 'bob', 'ada'].entries())
      await db`
        insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
        values (1, ${conversationId}, ${`msg_${n}`}, ${senderId}, 'text', '', 1, 1)`;
  const own = async (after: string) => {
    const page = { bucket: 1, conversationId: 'a', accountId: 'ada', after };
    return (await selectOwnMessages(db, page)).map(({ msgId }) => msgId);
  };
  assert.deepEqual([await own(''), await own('msg_0')], [['msg_0', 'msg_2'], ['msg_2']]);
});
