import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatEvent } from '#contract/live-events.ts';
import { reduceReceipts, stateOf } from './receipts.ts';

const receipt = (data: object): ChatEvent => ({
  type: 'conversation.receipt',
  data: { conversationId: 'prv_1', userId: 'usr_b', ...data },
});

test('receipts move only forward, in their own conversation, for those who share them', () => {
  let receipts = reduceReceipts([{ userId: 'usr_b' }], 'prv_1', receipt({ deliveredMsgId: 'msg_3' }));
  assert.deepEqual(stateOf(receipts, 'msg_3'), { isDelivered: true, readers: [] });
  assert.deepEqual(stateOf(receipts, 'msg_4'), { isDelivered: false, readers: [] });
  receipts = reduceReceipts(receipts, 'prv_1', receipt({ readMsgId: 'msg_2' }));
  const before = receipts;
  receipts = reduceReceipts(receipts, 'prv_1', receipt({ readMsgId: 'msg_1' }));
  receipts = reduceReceipts(receipts, 'prv_1', receipt({ conversationId: 'prv_2', readMsgId: 'msg_9' }));
  receipts = reduceReceipts(receipts, 'prv_1', receipt({ userId: 'usr_c', readMsgId: 'msg_9' }));
  assert.equal(receipts, before);
  assert.deepEqual(stateOf(receipts, 'msg_2'), { isDelivered: true, readers: ['usr_b'] });
  assert.deepEqual(stateOf(receipts, 'msg_3'), { isDelivered: true, readers: [] });
});

test('writing implies having read earlier messages; a notice has no author', () => {
  const wrote = (type: string): ChatEvent => ({
    type: 'message',
    data: { conversationId: 'grp_1', msgId: 'msg_5', from: 'usr_b', type, sentAt: 0 },
  });
  const before = [{ userId: 'usr_b', readMsgId: 'msg_1' }];
  assert.equal(reduceReceipts(before, 'grp_1', wrote('notice')), before);
  assert.deepEqual(stateOf(reduceReceipts(before, 'grp_1', wrote('poll')), 'msg_4').readers, ['usr_b']);
});
