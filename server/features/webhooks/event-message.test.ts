import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { GroupEventMessage, PrivateEventMessage } from '#contract/webhooks/events.ts';
import { type EventContent, eventMessage } from './rules.ts';

const ORIGIN = { msgId: 'msg_1', from: 'usr_1', sentAt: 1_795_262_400_000 };
const location = { latitude: 0, longitude: -180 };

const CASES: [EventContent, object][] = [
  [{ type: 'text', body: { content: ' hi ' } }, { textMsg: ' hi ' }],
  [
    { type: 'doc', body: { fileUrl: 'https://cdn.example.com/file', caption: '' } },
    { textMsg: '', fileUrl: 'https://cdn.example.com/file', caption: '' },
  ],
  [
    { type: 'location', body: { location: { ...location, name: 'Null Island', address: null } } },
    { textMsg: '', location: { ...location, name: 'Null Island' } },
  ],
  [
    { type: 'location', body: { location: { ...location, name: null, address: 'Sea' } } },
    { textMsg: '', location: { ...location, address: 'Sea' } },
  ],
];

test('the event of a private message contains the fields of its content as they are, and nothing else', () => {
  for (const [content, fields] of CASES) {
    const data = eventMessage(content, ORIGIN, { chatId: 'usr_1' });
    assert.deepEqual(data, { ...ORIGIN, type: content.type, ...fields, chatId: 'usr_1' });
    assert.ok(Value.Check(PrivateEventMessage, data));
  }
});

test('a quoted message is named; without one, the field is missing', () => {
  const body = { content: 'hi' };
  const quoting = eventMessage({ type: 'text', body, replyToMsgId: 'msg_0' }, ORIGIN, { chatId: 'usr_1' });
  assert.deepEqual(quoting, {
    ...ORIGIN,
    type: 'text',
    textMsg: 'hi',
    replyToMsgId: 'msg_0',
    chatId: 'usr_1',
  });
  const plain = eventMessage({ type: 'text', body, replyToMsgId: undefined }, ORIGIN, { chatId: 'usr_1' });
  assert.equal('replyToMsgId' in plain, false);
});

test('the event of a group message has its group and whether this bot is mentioned, and no chatId', () => {
  const inGroup = { groupId: 'grp_1', mentionedUserIds: ['usr_2'], isMentioned: true };
  const data = eventMessage({ type: 'text', body: { content: 'hi' } }, ORIGIN, inGroup);
  assert.deepEqual(data, { ...ORIGIN, type: 'text', textMsg: 'hi', ...inGroup });
  assert.ok(Value.Check(GroupEventMessage, data));
});
