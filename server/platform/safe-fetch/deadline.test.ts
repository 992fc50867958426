import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { say } from '#contract/reasons.ts';
import { startPosting, startRawPosting } from '#testing/guarded-agent.ts';
import type { Respond } from '#testing/receiver.ts';
import { LONGEST_WAIT_MS } from '#testing/waits.ts';
import type { Phase } from './failure.ts';
import type { PostResult } from './safe-post.ts';

const DEADLINE_MS = 300;

/** Time passes only when a test says so. */
function stopTime(t: TestContext): void {
  t.mock.timers.enable({ apis: ['setTimeout'] });
}

/** The outcome of a post that lasts until its deadline, and no longer. */
async function atDeadline(t: TestContext, post: Promise<PostResult>): Promise<PostResult> {
  let isOver = false;
  const ended = post.finally(() => {
    isOver = true;
  });
  // What the receiver has written is read in one turn of the loop, and handled in the next.
  for (let turn = 0; turn < 3; turn++) await setImmediate();
  t.mock.timers.tick(DEADLINE_MS - 1);
  await setImmediate();
  assert.equal(isOver, false);
  t.mock.timers.tick(1);
  return ended;
}

describe('one deadline covers everything', () => {
  it('a hanging lookup, whose late result is not used', async (t) => {
    const answer = Promise.withResolvers<{ address: string; family: number }[]>();
    await using receiver = await startPosting({}, { lookup: () => answer.promise });
    stopTime(t);
    const post = receiver.post({ deadlineMs: DEADLINE_MS });
    assertTimeout(await atDeadline(t, post), 'dns');
    answer.resolve([{ address: '127.0.0.1', family: 4 }]);
    await setImmediate();
    assert.equal(receiver.connections, 0);
  });

  it('a hanging handshake', async (t) => {
    const { promise: greeted, resolve: onData } = Promise.withResolvers<unknown>();
    await using receiver = await startRawPosting((socket) => socket.once('data', onData));
    stopTime(t);
    const url = receiver.url.replace('http:', 'https:');
    const post = receiver.post({ url, deadlineMs: DEADLINE_MS });
    await greeted;
    assertTimeout(await atDeadline(t, post), 'tls');
    await receiver.gone();
  });

  it('a response that never arrives', async (t) => {
    const { promise: asked, resolve: onData } = Promise.withResolvers<unknown>();
    await using receiver = await startRawPosting((socket) => socket.once('data', onData));
    stopTime(t);
    const post = receiver.post({ deadlineMs: DEADLINE_MS });
    await asked;
    assertTimeout(await atDeadline(t, post), 'firstByte');
    await receiver.gone();
  });

  const trickles: [what: string, start: string, drop: string, phase: Phase][] = [
    ['headers', 'HTTP/1.1 200 OK\r\n', 'X-Drop: a\r\n', 'firstByte'],
    ['interim answers', '', 'HTTP/1.1 102 Processing\r\n\r\n', 'firstByte'],
    ['a body', 'HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n', 'a', 'body'],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\na\r\n', 'body'],
    ['a body without an end', 'HTTP/1.1 200 OK\r\n\r\n', 'a', 'body'],
  ];
  for (const [what, start, drop, phase] of trickles) {
    it(`${what}, byte by byte`, async (t) => {
      const { promise: trickling, resolve: onDrop } = Promise.withResolvers<unknown>();
      await using receiver = await startRawPosting((socket) => {
        socket.once('data', () => {
          socket.write(start);
          const tap = setInterval(() => socket.write(drop, onDrop), 20);
          socket.on('close', () => clearInterval(tap));
        });
      });
      stopTime(t);
      const post = receiver.post({ deadlineMs: DEADLINE_MS });
      await trickling;
      assertTimeout(await atDeadline(t, post), phase);
      await receiver.gone();
    });
  }

  it('a request that the receiver does not read', async (t) => {
    const { promise: connected, resolve: onConnection } = Promise.withResolvers<void>();
    await using receiver = await startRawPosting((socket) => {
      socket.pause();
      onConnection();
    });
    stopTime(t);
    const body = Buffer.alloc(32_000_000);
    const post = receiver.post({ body, deadlineMs: DEADLINE_MS });
    await connected;
    assertTimeout(await atDeadline(t, post), 'firstByte');
  });

  it('an early response ends a request that the receiver does not read', async () => {
    await using receiver = await startRawPosting((socket) => {
      socket.once('data', () => socket.pause().write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n'));
    });
    const post = { body: Buffer.alloc(32_000_000), deadlineMs: LONGEST_WAIT_MS };
    const { timings: _, ...result } = await receiver.post(post);
    const answer = { head: 'HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n', body: '' };
    assert.deepEqual(result, { kind: 'response', status: 413, bodyBytes: 0, answer });
    await receiver.gone();
  });

  it('a connection that timed out is not reused', async (t) => {
    const respond: Respond = (_request, n) => (n === 1 ? undefined : { status: 200 });
    await using receiver = await startPosting({ respond });
    stopTime(t);
    const post = receiver.post({ deadlineMs: DEADLINE_MS });
    await receiver.waitFor(1);
    assertTimeout(await atDeadline(t, post), 'firstByte');
    const { kind } = await receiver.post();
    assert.equal(kind, 'response');
    assert.equal(receiver.connections, 2);
  });
});

function assertTimeout({ timings: _, ...result }: PostResult, phase: Phase): void {
  assert.deepEqual(result, { kind: 'failure', reason: 'timeout', phase, said: say(`timeout.${phase}`) });
}
