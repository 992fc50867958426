import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { say } from '#contract/reasons.ts';
import { agentFor, rawAgentFor } from '#testing/guarded-agent.ts';
import { startRawReceiver } from '#testing/raw-receiver.ts';
import { type Respond, startReceiver } from '#testing/receiver.ts';
import type { Phase } from './failure.ts';
import { type PostResult, safePost } from './safe-post.ts';

const POST = { headers: {}, body: Buffer.from('{}') };
const DEADLINE_MS = 300;
/** Generous for a busy machine; without the deadline it would take longer. */
const LATEST_MS = 5_000;

describe('one deadline covers everything', () => {
  it('a hanging lookup, whose late result is not used', async () => {
    await using receiver = await startReceiver();
    const answer = Promise.withResolvers<{ address: string; family: number }[]>();
    using agent = agentFor(receiver, { lookup: () => answer.promise });
    const result = await safePost(agent, { url: receiver.url, ...POST, deadlineMs: DEADLINE_MS });
    assertTimeout(result, 'dns');
    answer.resolve([{ address: '127.0.0.1', family: 4 }]);
    await new Promise(setImmediate);
    assert.equal(receiver.connections, 0);
  });

  it('a hanging handshake', async () => {
    await using receiver = await startRawReceiver(() => {});
    using agent = rawAgentFor(receiver);
    const url = receiver.url.replace('http:', 'https:');
    assertTimeout(await safePost(agent, { url, ...POST, deadlineMs: DEADLINE_MS }), 'tls');
    await receiver.gone();
  });

  it('a response that never arrives', async () => {
    await using receiver = await startRawReceiver(() => {});
    using agent = rawAgentFor(receiver);
    assertTimeout(
      await safePost(agent, { url: receiver.url, ...POST, deadlineMs: DEADLINE_MS }),
      'firstByte',
    );
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
    it(`${what}, byte by byte`, async () => {
      await using receiver = await startRawReceiver((socket) => {
        socket.once('data', () => {
          socket.write(start);
          const tap = setInterval(() => socket.write(drop), 20);
          socket.on('close', () => clearInterval(tap));
        });
      });
      using agent = rawAgentFor(receiver);
      assertTimeout(await safePost(agent, { url: receiver.url, ...POST, deadlineMs: DEADLINE_MS }), phase);
      await receiver.gone();
    });
  }

  it('a request that the receiver does not read', async () => {
    await using receiver = await startRawReceiver((socket) => socket.pause());
    using agent = rawAgentFor(receiver);
    // It takes a while until such a large body is sent.
    const post = { url: receiver.url, headers: {}, body: Buffer.alloc(32_000_000), deadlineMs: 1_500 };
    assertTimeout(await safePost(agent, post), 'firstByte');
  });

  it('an early response ends a request that the receiver does not read', async () => {
    await using receiver = await startRawReceiver((socket) => {
      socket.once('data', () => socket.pause().write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n'));
    });
    using agent = rawAgentFor(receiver);
    const post = { url: receiver.url, headers: {}, body: Buffer.alloc(32_000_000), deadlineMs: 5000 };
    const { timings: _, ...result } = await safePost(agent, post);
    assert.deepEqual(result, { kind: 'response', status: 413, bodyBytes: 0 });
    await receiver.gone();
  });

  it('a connection that timed out is not reused', async () => {
    const respond: Respond = (_request, n) => (n === 1 ? undefined : { status: 200 });
    await using receiver = await startReceiver({ respond });
    using agent = agentFor(receiver);
    assertTimeout(
      await safePost(agent, { url: receiver.url, ...POST, deadlineMs: DEADLINE_MS }),
      'firstByte',
    );
    const { kind } = await safePost(agent, { url: receiver.url, ...POST });
    assert.equal(kind, 'response');
    assert.equal(receiver.connections, 2);
  });
});

function assertTimeout({ timings, ...result }: PostResult, phase: Phase): void {
  assert.deepEqual(result, { kind: 'failure', reason: 'timeout', phase, said: say(`timeout.${phase}`) });
  assert.ok(timings.total >= DEADLINE_MS - 1 && timings.total < LATEST_MS, `took ${timings.total} ms`);
}
