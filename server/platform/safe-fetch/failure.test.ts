import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { agentFor } from '#testing/guarded-agent.ts';
import { type RawReceiver, startRawReceiver } from '#testing/raw-receiver.ts';
import { type Respond, startReceiver } from '#testing/receiver.ts';
import { createWebhookAgent } from './agent.ts';
import { FAILURES, type FailureReason, type Phase, timeoutMessage } from './failure.ts';
import { createGuard } from './guard.ts';
import { type PostResult, safePost } from './safe-post.ts';

const POST = { headers: {}, body: Buffer.from('{}') };
const DEADLINE_MS = 300;

function assertFailure(
  { timings: _, ...result }: PostResult,
  expected: { reason: FailureReason; phase: Phase; code?: string | RegExp },
): void {
  const { code = '', ...failure } = expected;
  assert.ok(result.kind === 'failure', JSON.stringify(result));
  const [, sentence, found = ''] = /^(.*?)(?: \((\w+)\))?$/.exec(result.message) ?? [];
  assert.deepEqual(
    { ...result, message: sentence },
    { kind: 'failure', message: FAILURES[failure.reason], ...failure },
  );
  if (code instanceof RegExp) assert.match(found, code);
  else assert.equal(found, code);
}

function assertTimeout({ timings, ...result }: PostResult, phase: Phase): void {
  assert.deepEqual(result, { kind: 'failure', reason: 'timeout', phase, message: timeoutMessage(phase) });
  assert.ok(
    timings.total >= DEADLINE_MS - 1 && timings.total < DEADLINE_MS + 400,
    `took ${timings.total} ms`,
  );
}

describe('certificates', () => {
  const faults = [
    ['expired', 'tls_expired', 'CERT_HAS_EXPIRED'],
    ['wrong-name', 'tls_name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['self-signed', 'tls_untrusted', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ] as const;
  for (const [tls, reason, code] of faults) {
    it(`${tls}: ${reason}, and no request is sent`, async () => {
      await using receiver = await startReceiver({ tls });
      using agent = agentFor(receiver);
      for (let i = 0; i < 2; i++) {
        assertFailure(await safePost(agent, { url: receiver.url, ...POST }), { reason, phase: 'tls', code });
      }
      assert.equal(receiver.requests.length, 0);
    });
  }

  it('of an unknown authority: tls_untrusted', async () => {
    await using receiver = await startReceiver();
    using agent = agentFor(receiver, { extraAuthorities: [] });
    assertFailure(await safePost(agent, { url: receiver.url, ...POST }), {
      reason: 'tls_untrusted',
      phase: 'tls',
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
    assert.equal(receiver.requests.length, 0);
  });

  it('are asked for by the name in the URL, also when an address would do', async () => {
    await using receiver = await startReceiver({ host: '127.0.0.1' });
    using agent = agentFor(receiver);
    const result = await safePost(agent, { url: receiver.url, ...POST });
    assert.equal(result.kind, 'response');
  });
});

describe('network', () => {
  it('dns: a name that does not exist, and one without addresses', async () => {
    const missing = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    for (const lookup of [() => Promise.reject(missing), async () => []]) {
      using agent = createWebhookAgent(createGuard({ lookup }));
      const result = await safePost(agent, { url: 'https://hooks.example.com/', ...POST });
      assertFailure(result, { reason: 'dns', phase: 'dns' });
    }
  });

  it('connect: nobody listens', async () => {
    const { url, trustedHost } = await closedReceiver();
    using agent = agentFor({ trustedHost, ca: '' }, { extraAuthorities: [] });
    const result = await safePost(agent, { url, ...POST });
    assertFailure(result, { reason: 'connect', phase: 'connect', code: 'ECONNREFUSED' });
  });

  it('connect: nobody listens at any of the addresses', async () => {
    const { port } = await closedReceiver();
    const lookup = async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ];
    using agent = createWebhookAgent(createGuard({ trustedHosts: ['hooks.example.test'], lookup }));
    const result = await safePost(agent, { url: `https://hooks.example.test:${port}/`, ...POST });
    assertFailure(result, { reason: 'connect', phase: 'connect', code: 'ECONNREFUSED' });
  });

  it('tries the next judged address when one does not answer the door', async () => {
    await using receiver = await startReceiver();
    const lookup = async () => [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    using agent = agentFor(receiver, { lookup });
    const result = await safePost(agent, { url: receiver.url, ...POST });
    assert.equal(result.kind, 'response');
  });

  it('tls: the port speaks plain HTTP', async () => {
    await using receiver = await startReceiver({ tls: 'plain' });
    using agent = agentFor(receiver);
    const result = await safePost(agent, { url: receiver.url.replace('http:', 'https:'), ...POST });
    assertFailure(result, { reason: 'tls', phase: 'tls', code: /^(EPROTO|ERR_SSL_\w+)$/ });
  });

  it('reset: hung up during the handshake, before the answer, within the body', async () => {
    await using hangsUp = await startRawReceiver((socket) => socket.destroy());
    using tlsAgent = rawAgent(hangsUp);
    const atHandshake = await safePost(tlsAgent, { url: hangsUp.url.replace('http:', 'https:'), ...POST });
    assertFailure(atHandshake, { reason: 'reset', phase: 'tls', code: 'ECONNRESET' });

    const silently: Respond = (_request, _n, response) => {
      response.socket?.destroy();
      return undefined;
    };
    await using silent = await startReceiver({ respond: silently });
    using agent = agentFor(silent);
    const beforeAnswer = await safePost(agent, { url: silent.url, ...POST });
    assertFailure(beforeAnswer, { reason: 'reset', phase: 'firstByte', code: 'ECONNRESET' });

    for (const headers of [{ 'content-length': '100' }, { 'transfer-encoding': 'chunked' }]) {
      const halfway: Respond = (_request, _n, response) => {
        response.writeHead(200, headers);
        response.write('half', () => response.socket?.destroy());
        return undefined;
      };
      await using broken = await startReceiver({ respond: halfway });
      using brokenAgent = agentFor(broken);
      const withinBody = await safePost(brokenAgent, { url: broken.url, ...POST });
      assertFailure(withinBody, { reason: 'reset', phase: 'body', code: 'ECONNRESET' });
    }
  });
});

describe('answers that are no HTTP', () => {
  const cases: [what: string, bytes: string, reason: FailureReason, code: RegExp | string][] = [
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', 'protocol', /^HPE_/],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      'protocol',
      /^HPE_/,
    ],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'protocol',
      /^HPE_/,
    ],
    [
      'headers of 20 kB',
      `HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
      'too_large',
      'HPE_HEADER_OVERFLOW',
    ],
    [
      '2,000 headers',
      `HTTP/1.1 200 OK\r\n${'X-Again: and again\r\n'.repeat(2000)}\r\n`,
      'too_large',
      'HPE_HEADER_OVERFLOW',
    ],
    [
      'a switch of protocols',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      'protocol',
      '',
    ],
  ];
  for (const [what, bytes, reason, code] of cases) {
    it(`${what}: ${reason}`, async () => {
      await using receiver = await startRawReceiver((socket) =>
        socket.once('data', () => socket.write(bytes)),
      );
      using agent = rawAgent(receiver);
      const result = await safePost(agent, { url: receiver.url, ...POST, deadlineMs: 2000 });
      assertFailure(result, { reason, phase: 'firstByte', code });
      await gone(receiver);
    });
  }

  it('interim answers are not the answer', async () => {
    const bytes = `${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(50)}HTTP/1.1 204 No Content\r\n\r\n`;
    await using receiver = await startRawReceiver((socket) => socket.once('data', () => socket.write(bytes)));
    using agent = rawAgent(receiver);
    const { timings: _, ...result } = await safePost(agent, { url: receiver.url, ...POST });
    assert.deepEqual(result, { kind: 'response', status: 204, bodyBytes: 0, retryAfter: null });
  });

  it('an answer that ends with the connection is whole', async () => {
    await using receiver = await startRawReceiver((socket) => {
      socket.once('data', () => socket.end('HTTP/1.0 200 OK\r\n\r\nfine'));
    });
    using agent = rawAgent(receiver);
    const { timings: _, ...result } = await safePost(agent, { url: receiver.url, ...POST });
    assert.deepEqual(result, { kind: 'response', status: 200, bodyBytes: 4, retryAfter: null });
  });
});

describe('one deadline over everything', () => {
  it('a lookup that hangs; its late answer is not dialled', async () => {
    await using receiver = await startReceiver();
    const answer = Promise.withResolvers<{ address: string; family: number }[]>();
    using agent = agentFor(receiver, { lookup: () => answer.promise });
    const result = await safePost(agent, { url: receiver.url, ...POST, deadlineMs: DEADLINE_MS });
    assertTimeout(result, 'dns');
    answer.resolve([{ address: '127.0.0.1', family: 4 }]);
    await new Promise(setImmediate);
    assert.equal(receiver.connections, 0);
  });

  it('a handshake that hangs', async () => {
    await using receiver = await startRawReceiver(() => {});
    using agent = rawAgent(receiver);
    const url = receiver.url.replace('http:', 'https:');
    assertTimeout(await safePost(agent, { url, ...POST, deadlineMs: DEADLINE_MS }), 'tls');
    await gone(receiver);
  });

  it('an answer that does not come', async () => {
    await using receiver = await startRawReceiver(() => {});
    using agent = rawAgent(receiver);
    assertTimeout(
      await safePost(agent, { url: receiver.url, ...POST, deadlineMs: DEADLINE_MS }),
      'firstByte',
    );
    await gone(receiver);
  });

  const trickles: [what: string, start: string, drop: string, phase: Phase][] = [
    ['headers', 'HTTP/1.1 200 OK\r\n', 'X-Drop: a\r\n', 'firstByte'],
    ['interim answers', '', 'HTTP/1.1 102 Processing\r\n\r\n', 'firstByte'],
    ['a body', 'HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n', 'a', 'body'],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\na\r\n', 'body'],
    ['a body without an end', 'HTTP/1.1 200 OK\r\n\r\n', 'a', 'body'],
  ];
  for (const [what, start, drop, phase] of trickles) {
    it(`${what}, drop by drop`, async () => {
      await using receiver = await startRawReceiver((socket) => {
        socket.once('data', () => socket.write(start));
        const tap = setInterval(() => socket.write(drop), 20);
        socket.on('close', () => clearInterval(tap));
      });
      using agent = rawAgent(receiver);
      assertTimeout(await safePost(agent, { url: receiver.url, ...POST, deadlineMs: DEADLINE_MS }), phase);
      await gone(receiver);
    });
  }

  it('a request that the receiver does not read', async () => {
    await using receiver = await startRawReceiver((socket: Socket) => socket.pause());
    using agent = rawAgent(receiver);
    const post = { url: receiver.url, headers: {}, body: Buffer.alloc(32_000_000), deadlineMs: DEADLINE_MS };
    assertTimeout(await safePost(agent, post), 'firstByte');
  });

  it('an early answer ends a request that the receiver does not read', async () => {
    await using receiver = await startRawReceiver((socket) => {
      socket.once('data', () => socket.pause().write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n'));
    });
    using agent = rawAgent(receiver);
    const post = { url: receiver.url, headers: {}, body: Buffer.alloc(32_000_000), deadlineMs: 5000 };
    const { timings: _, ...result } = await safePost(agent, post);
    assert.deepEqual(result, { kind: 'response', status: 413, bodyBytes: 0, retryAfter: null });
    await gone(receiver);
  });

  it('a connection that timed out is not used again', async () => {
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

function rawAgent({ trustedHost }: Pick<RawReceiver, 'trustedHost'>) {
  return createWebhookAgent(createGuard({ trustedHosts: [trustedHost] }));
}

/** The receiver sees that its caller has hung up. */
async function gone({ sockets }: RawReceiver): Promise<void> {
  for (const socket of sockets) if (!socket.closed) await once(socket.resume(), 'close');
}

async function closedReceiver() {
  await using receiver = await startReceiver();
  return receiver;
}
