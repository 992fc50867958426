import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatMessage } from '#contract/chat.ts';
import type { PollResults } from '#contract/polls.ts';
import { reduceThread, type ThreadWindow, windowOf, withMessage, withMore } from './window.ts';

const message = (n: number, more: Partial<ChatMessage> = {}): ChatMessage => ({
  msgId: `msg_${String(n).padStart(3, '0')}`,
  conversationId: 'prv_1',
  from: 'usr_a',
  type: 'text',
  content: String(n),
  sentAt: n,
  ...more,
});
const contents = ({ messages }: ThreadWindow) => messages.map(({ content }) => content);
const page = (numbers: number[], more: object = {}) => ({
  messages: numbers.map((n) => message(n)),
  people: [],
  ...more,
});

test('pages join in order, each message once', () => {
  let shown = windowOf(page([5, 4], { nextBefore: 'msg_004', nextAfter: 'msg_005' }));
  shown = withMore(shown, windowOf(page([4, 3, 2])), 'before');
  shown = withMore(shown, windowOf(page([7, 6, 5])), 'after');
  assert.deepEqual(contents(shown), ['2', '3', '4', '5', '6', '7']);
  assert.deepEqual([shown.hasOlder, shown.hasNewer], [false, false]);
});

test('a repeated message is shown once, a late one in its place', () => {
  let shown = windowOf(page([3, 1]));
  for (const n of [4, 2, 4, 3]) shown = withMessage(shown, message(n));
  assert.deepEqual(contents(shown), ['1', '2', '3', '4']);
});

test('a message after a gap is left out until the gap is loaded', () => {
  const shown = windowOf(page([2, 1], { nextAfter: 'msg_002' }));
  assert.deepEqual(contents(withMessage(shown, message(9))), ['1', '2']);
});

test('events change only the thread they concern', () => {
  const shown = windowOf(page([1]));
  const foreign = message(2, { conversationId: 'prv_2' });
  assert.equal(reduceThread(shown, 'prv_1', { type: 'message', data: foreign }), shown);
  const changed = message(1, { content: 'removed' });
  assert.deepEqual(contents(reduceThread(shown, 'prv_1', { type: 'message.changed', data: changed })), [
    'removed',
  ]);
});

test('results of a poll do not overwrite the person’s own votes, until an anonymous one is closed', () => {
  const poll = {
    id: 'pol_1',
    msgId: 'msg_001',
    question: '?',
    options: [{ id: 'opt_1', text: 'a', votes: 0 }],
    allowMultipleAnswers: false,
    isAnonymous: true,
    closed: false,
    creatorId: 'usr_a',
    totalVotes: 0,
    totalVoters: 0,
    createdAt: 1,
  };
  const asked = { ...message(1), type: 'poll', poll: { ...poll, myOptionIds: ['opt_1'] } };
  const shown: ThreadWindow = { messages: [asked], hasOlder: false, hasNewer: false };
  const results = { ...poll, totalVotes: 2, totalVoters: 2 };
  const after = (before: ThreadWindow, now: PollResults) =>
    reduceThread(before, 'prv_1', {
      type: 'poll.changed',
      data: { conversationId: 'prv_1', poll: now },
    });
  const counted = after(shown, results);
  assert.deepEqual(counted.messages[0]?.poll, { ...results, myOptionIds: ['opt_1'] });
  const closed = { ...results, closed: true, closedAt: 2 };
  const ended = after(counted, closed);
  assert.deepEqual(ended.messages[0]?.poll, { ...closed, myOptionIds: [] });
  assert.equal(after(ended, results).messages[0]?.poll?.closed, true, 'an older event comes late');
});

test('an edit reaches quotes, too, and is not undone by earlier events that arrive late', () => {
  const quote = { msgId: 'msg_001', from: 'usr_a', type: 'text', excerpt: '1' };
  let shown = windowOf({ messages: [message(2, { quote }), message(1)], people: [] });
  const edited = message(1, { content: 'one', editedAt: 5 });
  shown = reduceThread(shown, 'prv_1', { type: 'message.changed', data: edited });
  shown = reduceThread(shown, 'prv_1', { type: 'message', data: message(1) });
  assert.deepEqual(contents(shown), ['one', '2']);
  assert.deepEqual(shown.messages[1]?.quote, { ...quote, excerpt: 'one' });
  const { content: _, ...rest } = message(1, { type: 'deleted', deletedBy: 'usr_a' });
  shown = reduceThread(shown, 'prv_1', { type: 'message.changed', data: rest });
  shown = reduceThread(shown, 'prv_1', { type: 'message.changed', data: edited });
  assert.deepEqual(contents(shown), [undefined, '2']);
  assert.deepEqual(shown.messages[1]?.quote, { ...quote, type: 'deleted', excerpt: '' });
  const hidden = { conversationId: 'prv_1', msgId: 'msg_001' };
  shown = reduceThread(shown, 'prv_1', { type: 'message.hidden', data: hidden });
  assert.deepEqual(contents(shown), ['2']);
});
