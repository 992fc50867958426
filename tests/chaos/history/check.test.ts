import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkHistory } from './check.ts';
import type { History, Operation } from './operations.ts';

const at = (step: number) => ({ invoked: step * 100, completed: step * 100 + 50 });
const seen = (...numbers: number[]) => numbers.map((n) => ({ msgId: `msg_${n}`, text: `text ${n}` }));
const read = (by: string, step: number, messages: number[], isFinal = false): Operation => {
  return {
    kind: 'read',
    by,
    thread: 'room',
    messages: seen(...messages),
    isWhole: true,
    isFinal,
    ...at(step),
  };
};
const send = (by: string, step: number, n: number): Operation => {
  return { kind: 'send', by, thread: 'room', ...seen(n)[0], text: `text ${n}`, ...at(step) };
};
const unanswered = (by: string, step: number, n: number): Operation => {
  return { kind: 'send', by, thread: 'room', text: `text ${n}`, invoked: at(step).invoked };
};
const mark = (step: number, shown: string | undefined, upTo?: string): Operation => {
  return { kind: 'mark', by: 'ada', thread: 'room', shown, ...(upTo !== undefined && { upTo }), ...at(step) };
};
const event = (n: number) => ({ cursor: n, msgId: `msg_${n}`, body: `{"text":${n}}` });
const heard = (step: number, n: number): Operation => {
  const { msgId, body } = event(n);
  return { kind: 'heard', by: 'bot', msgId, body, ...at(step) };
};
const feed = (step: number, after: number | undefined, numbers: number[], isFinal = false): Operation => {
  const from = after === undefined ? {} : { after };
  return { kind: 'feed', by: 'bot', ...from, events: numbers.map(event), isFinal, ...at(step) };
};
const vote = (step: number, option: string, chosen?: string): Operation => {
  const when = chosen === undefined ? { invoked: at(step).invoked } : { chosen, ...at(step) };
  return { kind: 'vote', by: 'ada', poll: 'poll', option, ...when };
};
const tally = (step: number, tea: string[], coffee: string[], teaVotes = tea.length): Operation => {
  const options = [
    { id: 'tea', votes: teaVotes, voters: tea },
    { id: 'coffee', votes: coffee.length, voters: coffee },
  ];
  return { kind: 'tally', by: 'bob', poll: 'poll', options, ...at(step) };
};
const exchange = (step: number, presented: string, made?: number): Operation => {
  const pair = made === undefined ? {} : { access: `access ${made}`, refresh: `refresh ${made}` };
  return { kind: 'exchange', by: 'app', family: 'family', presented, ...pair, ...at(step) };
};
const use = (step: number, n: number, isAccepted: boolean): Operation => {
  return { kind: 'use', by: 'app', family: 'family', access: `access ${n}`, isAccepted, ...at(step) };
};

/** A history in which nothing is wrong, with unanswered operations that took place and others that did not. */
const SOUND: Record<string, Operation> = {
  sent1: send('ada', 1, 1),
  sent2: send('bob', 2, 2),
  stored: unanswered('bob', 3, 3),
  dropped: unanswered('ada', 3, 4),
  sent5: send('ada', 6, 5),
  early: read('bob', 2.9, [1, 2]),
  page: read('bob', 5, [1, 2, 3]),
  finalOfAda: read('ada', 90, [1, 2, 3, 5], true),
  finalOfBob: read('bob', 91, [1, 2, 3, 5], true),
  marked: mark(7, 'msg_2', 'msg_2'),
  markedBack: mark(8, 'msg_2', 'msg_1'),
  marker: mark(9, 'msg_2'),
  heard1: heard(2, 1),
  heard2: heard(3, 2),
  heard3: heard(4, 3),
  heard3Again: heard(20, 3),
  heard5: heard(7, 5),
  fetched: feed(4, undefined, [1, 2]),
  acknowledged: { kind: 'acknowledge', by: 'bot', upTo: 2, ...at(5) },
  fetchedNext: feed(7, undefined, [3, 5]),
  feed: feed(92, 0, [1, 2, 3, 5], true),
  voted: vote(1, 'tea', 'tea'),
  voteLost: vote(2, 'tea'),
  tallied: tally(3, ['ada'], ['bob']),
  votedOther: vote(4, 'coffee', 'coffee'),
  talliedLater: tally(5, [], ['ada', 'bob']),
  bobVoted: { kind: 'vote', by: 'bob', poll: 'poll', option: 'coffee', chosen: 'coffee', ...at(1) },
  exchanged: exchange(1, 'code', 1),
  used: use(2, 1, true),
  rotated: exchange(3, 'refresh 1', 2),
  usedOld: use(4, 1, false),
  revoked: { kind: 'revoke', by: 'app', family: 'family', ...at(6) },
  usedAfterEnd: use(7, 2, false),
  refusedAfterEnd: exchange(8, 'refresh 2'),
};

const after = (changes: Record<string, Operation | undefined>): string[] => {
  const history: History = {
    threads: { room: { readers: ['ada', 'bob'], bots: ['bot'] } },
    operations: Object.values({ ...SOUND, ...changes }).filter((one) => one !== undefined),
    outages: [{ from: 1_600, until: 1_700 }],
  };
  return checkHistory(history);
};

test('a history in which nothing is wrong has no faults', () => {
  assert.deepEqual(after({}), []);
});

const DEFECTS: Record<string, [changes: Record<string, Operation | undefined>, fault: RegExp]> = {
  'lost write': [
    {
      finalOfAda: read('ada', 90, [1, 3, 5], true),
      finalOfBob: read('bob', 91, [1, 3, 5], true),
      early: undefined,
      page: undefined,
    },
    /^room: "text 2" was acknowledged, and is lost$/,
  ],
  'message that disappears': [{ page: read('bob', 5, [1, 2, 3, 4]) }, /bob saw "text 4", which is gone/],
  'ghost message': [{ page: read('bob', 5, [1, 2, 3, 9]) }, /bob sees "text 9", which nobody sent/],
  'message before it was sent': [
    { page: read('bob', 5, [1, 2, 3, 5]) },
    /bob sees "text 5", which nobody sent/,
  ],
  'duplicated message': [{ page: read('bob', 5, [1, 2, 2, 3]) }, /bob sees "text 2" twice/],
  'swapped order': [{ page: read('bob', 5, [2, 1, 3]) }, /in another order/],
  'order of its own for a reader': [
    { finalOfBob: read('bob', 91, [2, 1, 3, 5], true) },
    /bob sees another thread than ada/,
  ],
  'order against that of calls': [
    {
      finalOfAda: read('ada', 90, [1, 3, 5, 2], true),
      finalOfBob: read('bob', 91, [1, 3, 5, 2], true),
      early: undefined,
      page: undefined,
    },
    /"text 5" was sent after "text 2" was answered, and is before it/,
  ],
  'stale read': [{ page: read('bob', 5, [1]) }, /bob does not see "text 2", which was there before/],
  'read that forgets': [
    { later: read('ada', 6, [1, 2]) },
    /ada does not see "text 3", which was there before/,
  ],
  'read marker that goes back': [
    { marker: mark(9, 'msg_1') },
    /the marker of ada is at msg_1, and was at msg_2/,
  ],
  'feed that goes back': [{ fetchedNext: feed(7, undefined, [2, 3, 5]) }, /the feed went back to 2/],
  'feed that passes over an event': [{ fetchedNext: feed(7, undefined, [5]) }, /the feed passed over 3/],
  'feed that changes': [{ fetched: feed(4, undefined, [1, 3]) }, /a page of the feed after 0 changed later/],
  'lost event': [{ heard2: undefined }, /the event of "text 2" is lost \(webhook\)/],
  'event lost in the feed': [
    { feed: feed(92, 0, [1, 3, 5], true), fetched: undefined },
    /the event of "text 2" is lost \(feed\)/,
  ],
  'event of nothing': [{ ghost: heard(5, 4) }, /there is an event of msg_4, which is in no thread/],
  'event repeated without a reason': [
    { again: heard(3, 1) },
    /the event of msg_1 came 2 times without a reason/,
  ],
  'event repeated with other bytes': [
    { heard3Again: { ...heard(20, 3), body: '{}' } as Operation },
    /the event of msg_3 changed when it was repeated/,
  ],
  'double vote': [{ talliedLater: tally(5, ['ada'], ['ada', 'bob']) }, /poll: bob sees a double vote/],
  'torn tally': [{ talliedLater: tally(5, [], ['ada', 'bob'], 1) }, /poll: bob sees a double vote/],
  'lost vote': [
    { talliedLater: tally(5, [], ['bob']) },
    /no order of the votes of ada explains what was seen/,
  ],
  'two winners': [{ again: exchange(3, 'refresh 1', 3) }, /^2 exchanges of refresh 1 won$/],
  'token accepted after the end': [
    { usedAfterEnd: use(7, 2, true) },
    /access 2 was accepted after the end of family/,
  ],
  'token accepted after its rotation': [
    { usedOld: use(4, 1, true) },
    /access 1 was accepted after its rotation/,
  ],
  'refresh after the end': [{ refusedAfterEnd: exchange(8, 'refresh 2', 3) }, /family has ended/],
  'token refused without a reason': [{ used: use(2, 1, false) }, /access 1 was refused without a reason/],
};

for (const [defect, [changes, fault]] of Object.entries(DEFECTS)) {
  test(`the checker finds a ${defect}`, () => {
    assert.match(after(changes)[0] ?? 'nothing', fault);
  });
}
