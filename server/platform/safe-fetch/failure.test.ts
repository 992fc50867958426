import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure } from '#contract/reasons.ts';
import { agentFor, POST, startPosting, startRawPosting } from '#testing/guarded-agent.ts';
import { type Respond, startReceiver } from '#testing/receiver.ts';
import { LONGEST_WAIT_MS } from '#testing/waits.ts';
import { WebhookAgent } from './agent.ts';
import { AnswerFault } from './answer-reader.ts';
import { codeOf, nameFailure, type Phase, sayFailure } from './failure.ts';
import { createGuard, Refusal } from './guard.ts';
import { type PostResult, safePost } from './safe-post.ts';

function assertFailure(
  { timings: _, ...result }: PostResult,
  expected: { reason: Failure; phase: Phase; code?: string | RegExp },
): void {
  const { code = '', ...failure } = expected;
  assert.ok(result.kind === 'failure', JSON.stringify(result));
  const [, found = ''] = / \((\w+)\)$/.exec(result.said.message) ?? [];
  assert.deepEqual(result, { kind: 'failure', said: sayFailure(failure.reason, found), ...failure });
  if (code instanceof RegExp) assert.match(found, code);
  else assert.equal(found, code);
}

it('an error is named by its class, its phase and its code, in this order', () => {
  const withCode = (code: unknown) => Object.assign(new Error('failed'), { code });
  const named: [error: unknown, phase: Phase, name: Failure][] = [
    [new Refusal('private_address'), 'dns', 'private_address'],
    [new AnswerFault('too_large'), 'body', 'too_large'],
    [withCode('ECONNRESET'), 'dns', 'dns'],
    [withCode('ECONNRESET'), 'connect', 'connect'],
    [withCode('ECONNRESET'), 'firstByte', 'reset'],
    [withCode('UNKNOWN'), 'tls', 'tls'],
    [withCode('ERR_SSL_BAD_RECORD'), 'body', 'tls'],
    [withCode('EPROTO'), 'firstByte', 'tls'],
    [withCode('HPE_INVALID'), 'firstByte', 'protocol'],
  ];
  for (const [error, phase, name] of named) assert.equal(nameFailure(error, phase), name);
  for (const error of [undefined, 'text', new Error('failed'), withCode(undefined)])
    assert.equal(codeOf(error), '');
  assert.equal(sayFailure('reset', 'EPIPE').message, `${sayFailure('reset', '').message} (EPIPE)`);
});

describe('certificates', () => {
  const faults = [
    ['expired', 'tls_expired', 'CERT_HAS_EXPIRED'],
    ['wrong-name', 'tls_name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['self-signed', 'tls_untrusted', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ] as const;
  for (const [tls, reason, code] of faults) {
    it(`${tls}: ${reason}, and no request is sent`, async () => {
      await using receiver = await startPosting({ tls });
      for (let i = 0; i < 2; i++) {
        assertFailure(await receiver.post(), { reason, phase: 'tls', code });
      }
      assert.equal(receiver.requests.length, 0);
    });
  }

  it('of an unknown authority: tls_untrusted', async () => {
    await using receiver = await startPosting({}, { extraAuthorities: [] });
    assertFailure(await receiver.post(), {
      reason: 'tls_untrusted',
      phase: 'tls',
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
    assert.equal(receiver.requests.length, 0);
  });

  it('are checked against the name in the URL, even when they name the address', async () => {
    await using receiver = await startPosting({ host: '127.0.0.1' });
    const result = await receiver.post();
    assert.equal(result.kind, 'response');
  });
});

describe('network', () => {
  it('dns: a name that does not exist, and one without addresses', async () => {
    const missing = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    for (const lookup of [() => Promise.reject(missing), async () => []]) {
      using agent = new WebhookAgent(createGuard({ lookup }));
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
    using agent = new WebhookAgent(createGuard({ trustedHosts: ['hooks.example.test'], lookup }));
    const result = await safePost(agent, { url: `https://hooks.example.test:${port}/`, ...POST });
    assertFailure(result, { reason: 'connect', phase: 'connect', code: 'ECONNREFUSED' });
  });

  it('tries the next checked address when one does not respond', async () => {
    const lookup = async () => [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    await using receiver = await startPosting({}, { lookup });
    const result = await receiver.post();
    assert.equal(result.kind, 'response');
  });

  it('tls: the port speaks plain HTTP', async () => {
    await using receiver = await startPosting({ tls: 'plain' });
    const result = await receiver.post({ url: receiver.url.replace('http:', 'https:') });
    assertFailure(result, { reason: 'tls', phase: 'tls', code: /^(EPROTO|ERR_SSL_\w+)$/ });
  });

  it('reset: closed during the handshake, before the response, within the body', async () => {
    await using hangsUp = await startRawPosting((socket) => socket.destroy());
    const atHandshake = await hangsUp.post({ url: hangsUp.url.replace('http:', 'https:') });
    assertFailure(atHandshake, { reason: 'reset', phase: 'tls', code: 'ECONNRESET' });

    const silently: Respond = (_request, _n, response) => {
      response.socket?.destroy();
      return undefined;
    };
    await using silent = await startPosting({ respond: silently });
    const beforeAnswer = await silent.post();
    assertFailure(beforeAnswer, { reason: 'reset', phase: 'firstByte', code: 'ECONNRESET' });

    const framings: Record<string, string>[] = [
      { 'content-length': '100' },
      { 'transfer-encoding': 'chunked' },
      { 'content-length': '100', connection: 'close' },
      { 'transfer-encoding': 'chunked', connection: 'close' },
    ];
    for (const headers of framings) {
      const halfway: Respond = (_request, _n, response) => {
        response.writeHead(200, headers);
        response.write('half', () => response.socket?.destroy());
        return undefined;
      };
      await using broken = await startPosting({ respond: halfway });
      const withinBody = await broken.post();
      assertFailure(withinBody, { reason: 'reset', phase: 'body', code: 'ECONNRESET' });
    }
  });
});

for (const [what, bytes, reason] of [
  ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', 'protocol'],
  ['headers of 20 kB', `HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`, 'too_large'],
] as const)
  it(`${what} is no response: ${reason}`, async () => {
    await using receiver = await startRawPosting((socket) => socket.once('data', () => socket.write(bytes)));
    const result = await receiver.post({ deadlineMs: LONGEST_WAIT_MS });
    assertFailure(result, { reason, phase: 'firstByte' });
    await receiver.gone();
  });

it('an interim response is discarded, and a response that ends with the connection is complete', async () => {
  await using receiver = await startRawPosting((socket) =>
    socket.once('data', async () => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      await sleep(20);
      socket.end('HTTP/1.0 200 OK\r\n\r\nfine');
    }),
  );
  const { timings: _, ...result } = await receiver.post();
  assert.deepEqual(result, { kind: 'response', status: 200, bodyBytes: 4 });
});

async function closedReceiver() {
  await using receiver = await startReceiver();
  return receiver;
}
