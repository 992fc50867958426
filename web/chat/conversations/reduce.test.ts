import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatMessage, Conversation, ShownGroup } from '#contract/chat.ts';
import type { ChatEvent } from '#contract/live-events.ts';
import { isUnsure, lacks, mayKnow, reduceConversation, reduceList } from './reduce.ts';

const ME = 'usr_me';
const message = (msgId: string, from: string): ChatMessage => ({
  msgId,
  conversationId: 'prv_1',
  from,
  type: 'text',
  content: msgId,
  sentAt: 1,
});
const conversation: Conversation = {
  conversationId: 'prv_1',
  kind: 'private',
  peer: { userId: 'usr_a', name: 'Ann', isBot: false, isDeleted: false },
  isBlocked: false,
  isMuted: false,
  notifyOf: 'all',
  hasSound: true,
  settingsVersion: 0,
  isHidden: false,
  isAdmin: false,
  mayWrite: true,
  readMsgId: 'msg_1',
  unreadCount: 0,
  lastMessage: message('msg_1', 'usr_a'),
};
const group: ShownGroup = {
  groupId: 'grp_1',
  name: 'G',
  description: '',
  isBroadcast: false,
  sendMessages: true,
  editInfoOnlyAdmin: true,
  creatorId: 'usr_a',
  memberCount: 2,
};

const heard = (msgId = 'msg_2', from = 'usr_a') => ({ type: 'message', data: message(msgId, from) }) as const;
const read = (data: { readMsgId: string; unreadCount: number; upTo?: string }) =>
  ({ type: 'conversation.read', data: { conversationId: 'prv_1', ...data } }) as const;
const after = (one: Conversation, event: ChatEvent) => reduceConversation(one, event, ME);

test('a message from another person counts once, one’s own marks everything as read', () => {
  const once = after(conversation, heard());
  assert.equal(once.unreadCount, 1);
  assert.equal(once.lastMessage?.msgId, 'msg_2');
  assert.equal(after(once, heard()), once);
  const own = after(once, heard('msg_3', ME));
  assert.deepEqual([own.unreadCount, own.readMsgId], [0, 'msg_3']);
});

test('a late message counts unless it is read; before the person’s own, or in a response in flight, the count is unsure', () => {
  const late = (from: string) => heard('msg_2', from);
  const overtaken = { ...conversation, lastMessage: message('msg_3', 'usr_a'), unreadCount: 1 };
  const read = { ...overtaken, readMsgId: 'msg_2' };
  assert.equal(after(overtaken, late('usr_a')).unreadCount, 2);
  assert.equal(after(read, late('usr_a')), read);
  for (const [from, isOwn] of [
    ['usr_a', false],
    [ME, true],
  ] as const) {
    assert.deepEqual(
      [isUnsure(overtaken, late(from), ME), mayKnow(overtaken, late(from), ME)],
      [isOwn, true],
    );
    assert.deepEqual([isUnsure(read, late(from), ME), mayKnow(read, late(from), ME)], [false, false]);
    assert.equal(mayKnow(conversation, late(from), ME), false);
  }
});

test('a deleted conversation leaves the list, unless something was written meanwhile: then the server is asked', () => {
  const hidden = (hiddenMsgId: string) =>
    ({ type: 'conversation.hidden', data: { conversationId: 'prv_1', hiddenMsgId } }) as const;
  const list = { conversations: [conversation], nextCursor: 'more' };
  assert.deepEqual(reduceList(list, hidden('msg_1'), ME), { conversations: [], nextCursor: 'more' });
  assert.equal(isUnsure(conversation, hidden('msg_1'), ME), false);
  assert.equal(reduceList(list, hidden('msg_0'), ME), list);
  assert.equal(isUnsure(conversation, hidden('msg_0'), ME), true);
  assert.equal(isUnsure({ ...conversation, isHidden: true }, heard(), ME), true);
});

test('a message, group or draft missing from the list is loaded, others are not', () => {
  const joined = { type: 'group.joined', data: group } as const;
  assert.deepEqual(
    [lacks([], heard()), lacks([conversation], heard()), lacks([conversation], joined)],
    [true, false, true],
  );
  const inGroup: Conversation = { ...conversation, conversationId: 'grp_1', kind: 'group', group };
  assert.equal(lacks([inGroup], joined), false);
  const draft = (text?: string) =>
    ({
      type: 'draft.changed',
      data: { conversationId: 'prv_1', version: 1, ...(text && { draft: { text } }) },
    }) as const;
  const { lastMessage: _, ...unwritten } = conversation;
  assert.deepEqual(
    [lacks([], draft('Dear')), lacks([], draft()), lacks([conversation], draft('Dear'))],
    [true, false, false],
  );
  // Once that is gone, the conversation is empty: the server decides whether it stays in the list.
  assert.deepEqual([isUnsure(unwritten, draft(), ME), isUnsure(unwritten, draft('Dear'), ME)], [true, false]);
  assert.equal(isUnsure(conversation, draft(), ME), false);
  const left = { type: 'group.left', data: { groupId: 'grp_1' } } as const;
  assert.deepEqual(reduceList({ conversations: [inGroup, conversation] }, left, ME).conversations, [
    conversation,
  ]);
});

test('a read marker moves only forward', () => {
  const long = { ...conversation, lastMessage: message('msg_7', 'usr_a'), unreadCount: 6 };
  const later = after(long, read({ readMsgId: 'msg_5', unreadCount: 2 }));
  assert.deepEqual([later.readMsgId, later.unreadCount], ['msg_5', 2]);
  assert.equal(after(later, read({ readMsgId: 'msg_3', unreadCount: 7 })), later);
});

test('a message counts once, whether a moved marker’s count includes it or not', () => {
  const marked = (unreadCount: number) => read({ readMsgId: 'msg_1', unreadCount });
  for (const events of [
    [marked(1), heard()],
    [heard(), marked(0)],
    [heard(), marked(1)],
  ]) {
    const shown = events.reduce(after, conversation);
    assert.equal(shown.unreadCount, 1);
  }
  const answered = { ...conversation, readMsgId: 'msg_0', lastMessage: message('msg_2', ME) };
  assert.equal(after(answered, marked(0)).unreadCount, 0);
});

test('a count of unread messages is asked for again if it is not up to the newest one', () => {
  const counted = (readMsgId: string, upTo: string) => read({ readMsgId, unreadCount: 2, upTo });
  const long = {
    ...conversation,
    readMsgId: 'msg_2',
    lastMessage: message('msg_5', 'usr_a'),
    unreadCount: 3,
  };
  assert.equal(isUnsure(long, counted('msg_3', 'msg_5'), ME), false);
  assert.equal(isUnsure(long, counted('msg_3', 'msg_6'), ME), true, 'one that is on its way was counted');
  assert.equal(isUnsure(long, counted('msg_3', 'msg_4'), ME), true, 'one that is here was not counted');
  assert.equal(isUnsure(long, counted('msg_5', 'msg_6'), ME), false, 'it is counted when it arrives');
  assert.equal(isUnsure(long, counted('msg_1', 'msg_6'), ME), false, 'a marker from before');
});

test('blocking, account deletion and group rights decide who may write', () => {
  const gone = { userId: 'usr_a', name: '', isBot: false, isDeleted: true };
  const ended = after(conversation, { type: 'person.changed', data: gone });
  assert.deepEqual([ended.peer, ended.mayWrite], [gone, false]);
  const left = {
    ...message('msg_2', 'usr_a'),
    type: 'notice',
    notice: { kind: 'left' },
    people: [conversation.peer],
  };
  const line = { ...conversation, lastMessage: left } as Conversation;
  const named = after(line, { type: 'person.changed', data: gone });
  assert.deepEqual(named.lastMessage?.people, [gone]);
  const blocked = after(conversation, { type: 'block.changed', data: { userId: 'usr_a', isBlocked: true } });
  assert.deepEqual([blocked.isBlocked, blocked.mayWrite], [true, false]);
  const { peer: _, ...rest } = conversation;
  const inGroup: Conversation = { ...rest, conversationId: 'grp_1', kind: 'group', group };
  const quiet = { ...group, sendMessages: false };
  const announced = after(inGroup, { type: 'group.changed', data: quiet });
  assert.equal(announced.mayWrite, false);
  const raised = after(announced, {
    type: 'group.role',
    data: { groupId: 'grp_1', userId: ME, isAdmin: true },
  });
  assert.deepEqual([raised.isAdmin, raised.mayWrite], [true, true]);
  const changed = { type: 'group.changed', data: group } as const;
  assert.deepEqual([isUnsure(raised, changed, ME), isUnsure(announced, changed, ME)], [true, false]);
});

test('events of another conversation change nothing', () => {
  const foreign = { ...message('msg_9', 'usr_a'), conversationId: 'prv_2' };
  assert.equal(after(conversation, { type: 'message', data: foreign }), conversation);
});
