import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { ApiError } from '../../ui/api.ts';
import { Outbox } from './outbox.ts';
import { OutboxStore, type Unsent } from './store.ts';
import { createStorage } from './testing/storage.ts';
import type { Upload } from './uploads.ts';

const unsent = (key: string, createdAt = Date.now(), conversationId = 'prv_1'): Unsent => ({
  key,
  conversationId,
  target: { to: 'usr_a' },
  content: { type: 'text', content: key },
  createdAt,
  isTried: false,
});

const messageOf = ({ key, conversationId }: Unsent) => ({
  msgId: `msg_${key}`,
  conversationId,
  from: 'usr_me',
  type: 'text',
  sentAt: 1,
});

const open: (() => void)[] = [];
afterEach(() => {
  for (const stop of open.splice(0)) stop();
});

/** An outbox over a storage; `send` and `upload` determine the outcome of each attempt. */
function start(
  send: (unsent: Unsent) => void | Promise<void>,
  storage = createStorage(),
  upload: Upload = async ({ key }) => ({ fileUrl: `/media/${key}` }),
) {
  const outbox = new Outbox();
  const tried: string[] = [];
  const sent: string[] = [];
  const dropped: string[] = [];
  const changes = new EventTarget();
  const stop = outbox.start(new OutboxStore('usr_me', storage, changes), {
    send: async (one) => {
      tried.push(one.key);
      await send(one);
      return messageOf(one);
    },
    upload,
    dropFile: (fileKey) => dropped.push(fileKey),
    onSent: (_, { key }) => sent.push(key),
    describe: (error) => (error as Error).message,
    describeDelay: ({ retryAfterSeconds }) => `in ${retryAfterSeconds} s`,
    describeUncertain: () => 'look first',
  });
  open.push(stop);
  /** What has not been sent, and why. */
  const waiting = () => outbox.all().map(({ key, fault }) => [key, fault]);
  return { outbox, tried, sent, dropped, storage, changes, stop, waiting };
}

const passed = () => new Promise((resolve) => setTimeout(resolve, 5));

const unreachable = () => {
  throw new ApiError(0, 'unreachable', 'away');
};

test('rate-limited messages are retried automatically soon after, and wait for the person if that would take long', async () => {
  let seconds = 40;
  let isLimited = true;
  const { outbox, sent, waiting } = start(() => {
    if (isLimited) throw new ApiError(429, 'RATE_LIMIT_EXCEEDED', 'too fast', { retryAfterSeconds: seconds });
  });
  outbox.add(unsent('a'));
  await passed();
  assert.deepEqual(
    outbox.all().map(({ key, fault, delay }) => [key, fault, delay]),
    [['a', undefined, 'in 40 s']],
  );
  seconds = 86_400;
  outbox.flush();
  await passed();
  assert.deepEqual(waiting(), [['a', 'too fast']]);
  isLimited = false;
  outbox.retry('a');
  await passed();
  assert.deepEqual([sent, outbox.all()], [['a'], []]);
});

test('an undelivered message waits, holds up later ones, and is retried under the same key', async () => {
  let isAway = true;
  const { outbox, tried, sent } = start(() => (isAway ? unreachable() : undefined));
  outbox.add(unsent('a'));
  outbox.add(unsent('b'));
  await passed();
  assert.deepEqual(tried, ['a']);
  assert.equal(outbox.all()[0]?.isTried, true);
  isAway = false;
  outbox.flush();
  await outbox.settled('prv_1');
  assert.deepEqual(sent, ['a', 'b']);
  assert.deepEqual(tried, ['a', 'a', 'b']);
});

test('a refused message waits for the person, and holds nothing up', async () => {
  let isRefused = true;
  const { outbox, sent, waiting } = start(({ key }) => {
    if (key === 'a' && isRefused) throw new ApiError(403, 'permission-denied', 'not to them');
  });
  outbox.add(unsent('a'));
  outbox.add(unsent('b'));
  await passed();
  assert.deepEqual([sent, waiting()], [['b'], [['a', 'not to them']]]);
  isRefused = false;
  outbox.retry('a');
  await passed();
  assert.deepEqual([sent, outbox.all()], [['b', 'a'], []]);
});

test('an answer to a message that was deleted meanwhile is sent without the quote', async () => {
  const bodies: Unsent['content'][] = [];
  const { outbox, sent } = start(({ content }) => {
    bodies.push(content);
    if (content.replyToMsgId)
      throw new ApiError(404, 'not-found', 'no', { reason: 'conversation.no-quoted-message' });
  });
  const quote = { msgId: 'msg_1', from: 'usr_a', type: 'text', excerpt: 'When?' } as const;
  outbox.add({
    ...unsent('a'),
    content: { type: 'text', content: 'At nine', replyToMsgId: quote.msgId },
    quote,
  });
  await passed();
  assert.deepEqual([sent, bodies.at(-1)], [['a'], { type: 'text', content: 'At nine' }]);
});

test('it survives a reload, and another window that sends first', async () => {
  const first = start(unreachable);
  first.outbox.add(unsent('b'));
  first.outbox.add(unsent('a', Date.now() - 1_000));
  await passed();
  first.stop();
  let isAway = true;
  const second = start(() => (isAway ? unreachable() : undefined), first.storage);
  assert.deepEqual(
    second.outbox.all().map(({ key }) => key),
    ['a', 'b'],
  );
  const removed = Object.assign(new Event('storage'), { key: 'parley-unsent:usr_me:a', newValue: null });
  second.changes.dispatchEvent(removed);
  isAway = false;
  await passed();
  second.outbox.flush();
  await second.outbox.settled('prv_1');
  assert.deepEqual(second.sent, ['b']);
});

test('what a window leaves that is closed while offline goes from another one, in order, once that is online', async () => {
  const now = Date.now();
  let isAway = true;
  const answer = () => (isAway ? unreachable() : undefined);
  const kept = start(answer);
  const closed = start(answer, kept.storage);
  closed.outbox.add(unsent('a', now));
  kept.outbox.add(unsent('b', now + 1));
  closed.outbox.add(unsent('c', now + 2));
  await closed.outbox.settled('prv_1');
  await kept.outbox.settled('prv_1');
  closed.stop();
  isAway = false;
  kept.outbox.flush();
  await kept.outbox.settled('prv_1');
  assert.deepEqual([kept.sent, kept.outbox.all(), kept.storage.length], [['a', 'b', 'c'], [], 0]);
});

test('a key that the server has forgotten is replaced when the person sends again', async () => {
  let isRefused = true;
  const { outbox, tried } = start(() => {
    if (isRefused) throw new ApiError(403, 'permission-denied', 'no');
  });
  outbox.add(unsent('old', Date.now() - 25 * 3_600_000));
  await passed();
  isRefused = false;
  outbox.retry('old');
  await passed();
  assert.equal(outbox.all().length, 0);
  assert.notEqual(tried[1], 'old');
});

test('a message that may have arrived over a day ago waits for the person, and holds nothing up', async () => {
  const { outbox, tried, sent, waiting } = start(() => {});
  const dayAgo = Date.now() - 25 * 3_600_000;
  outbox.add({ ...unsent('tried', dayAgo), isTried: true });
  outbox.add(unsent('untried', dayAgo));
  await passed();
  assert.deepEqual([sent, waiting()], [['untried'], [['tried', 'look first']]]);
  outbox.retry('tried');
  await passed();
  assert.deepEqual([outbox.all(), tried.length, tried.includes('tried')], [[], 2, false]);
});

const withFile = (key: string, albumId?: string): Unsent => ({
  ...unsent(key),
  content: { type: 'image', ...(albumId && { fileDetails: { albumId } }) },
  file: { key: `file-${key}`, name: `${key}.png`, size: 1 },
});
test('files are uploaded two at a time while texts are sent; an album is sent together, in order', async () => {
  const running = new Map<string, PromiseWithResolvers<{ fileUrl: string }>>();
  const { outbox, sent, dropped } = start(
    () => {},
    createStorage(),
    ({ key }) => {
      const upload = Promise.withResolvers<{ fileUrl: string }>();
      running.set(key, upload);
      return upload.promise;
    },
  );
  for (const key of ['a', 'b', 'c']) outbox.add(withFile(key, 'album'));
  outbox.add(unsent('text'));
  await passed();
  assert.deepEqual([sent, [...running.keys()]], [['text'], ['a', 'b']]);
  running.get('b')?.resolve({ fileUrl: '/media/b' });
  await passed();
  running.get('c')?.resolve({ fileUrl: '/media/c' });
  await passed();
  assert.deepEqual(sent, ['text']);
  running.get('a')?.resolve({ fileUrl: '/media/a' });
  await passed();
  assert.deepEqual(sent, ['text', 'a', 'b', 'c']);
  assert.deepEqual(dropped, ['file-a', 'file-b', 'file-c']);
});

test('an upload survives a network failure and a reload; a cancelled one holds nothing up', async () => {
  let isAway = true;
  const storage = createStorage();
  const upload: Upload = async ({ key }) => (isAway ? unreachable() : { fileUrl: `/media/${key}` });
  const first = start(() => {}, storage, upload);
  first.outbox.add(withFile('a', 'album'));
  first.outbox.add(withFile('b', 'album'));
  await passed();
  first.stop();
  isAway = false;
  const contents: Unsent['content'][] = [];
  start(({ content }) => void contents.push(content), storage, upload);
  await passed();
  const fileDetails = { albumId: 'album' };
  assert.deepEqual(contents, [
    { type: 'image', fileUrl: '/media/a', fileDetails },
    { type: 'image', fileUrl: '/media/b', fileDetails },
  ]);

  const aborted: string[] = [];
  const third = start(
    () => {},
    createStorage(),
    ({ key }, { signal }) => {
      if (key === 'b') return Promise.resolve({ fileUrl: '/media/b' });
      signal.addEventListener('abort', () => aborted.push(key));
      return new Promise(() => {});
    },
  );
  third.outbox.add(withFile('a', 'album'));
  third.outbox.add(withFile('b', 'album'));
  await passed();
  third.outbox.discard('a');
  await passed();
  assert.deepEqual([third.sent, third.dropped, aborted], [['b'], ['file-a', 'file-b'], ['a']]);
});

test('a refused upload waits for the person while the rest of its album is sent; retrying uploads it again', async () => {
  let isRefused = true;
  const uploads: string[] = [];
  const { outbox, sent, waiting } = start(
    ({ key }) => {
      if (key === 'b' && isRefused) throw new ApiError(400, 'invalid-argument', 'no such upload');
    },
    createStorage(),
    async ({ key }) => {
      uploads.push(key);
      if (key === 'a' && isRefused) throw new Error('cannot be read');
      return { fileUrl: `/media/${key}` };
    },
  );
  for (const key of ['a', 'b', 'c']) outbox.add(withFile(key, 'album'));
  await passed();
  assert.deepEqual(waiting(), [
    ['a', 'cannot be read'],
    ['b', 'no such upload'],
  ]);
  isRefused = false;
  for (const key of ['a', 'b']) outbox.retry(key);
  await passed();
  assert.deepEqual([sent, uploads, outbox.all()], [['c', 'a', 'b'], ['a', 'b', 'c', 'a', 'b'], []]);
});

test('after a success, the next failure is retried as soon as the first one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const done = () => new Promise((resolve) => setImmediate(resolve));
  const elapses = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds);
    await done();
  };
  let isAway = true;
  const { outbox, tried, sent } = start(() => (isAway ? unreachable() : undefined));
  outbox.add(unsent('a'));
  await done();
  await elapses(1_000);
  await elapses(1_000);
  assert.deepEqual(tried, ['a', 'a'], 'the second wait is twice as long');
  isAway = false;
  await elapses(1_000);
  assert.deepEqual(sent, ['a']);
  isAway = true;
  outbox.add(unsent('b'));
  await done();
  await elapses(1_000);
  assert.deepEqual(tried, ['a', 'a', 'a', 'b', 'b']);
});

test('messages that are added at the same moment keep their order over a reload', async () => {
  const first = start(unreachable);
  const createdAt = Date.now();
  for (const key of ['c', 'b', 'a']) first.outbox.add(unsent(key, createdAt));
  await passed();
  first.stop();
  // Browsers list what is stored in any order.
  const reordered = createStorage();
  for (const index of [2, 1, 0]) {
    const name = first.storage.key(index) ?? '';
    reordered.setItem(name, first.storage.getItem(name) ?? '');
  }
  const { sent } = start(() => {}, reordered);
  await passed();
  assert.deepEqual(sent, ['c', 'b', 'a']);
});
