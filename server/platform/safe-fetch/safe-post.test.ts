import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import tls, { type ConnectionOptions, type TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { columnOf } from '#testing/columns.ts';
import { agentFor, POST, startPosting } from '#testing/guarded-agent.ts';
import { startReceiver } from '#testing/receiver.ts';
import { WebhookAgent } from './agent.ts';
import { createGuard, type Lookup } from './guard.ts';
import { type PostResult, safePost, type Timings } from './safe-post.ts';

/** A result without its timings, which differ from run to run. */
function withoutTimings({ timings: _, ...result }: PostResult) {
  return result;
}

function phasesOf({ total: _, ...phases }: Timings): string[] {
  return Object.entries(phases).flatMap(([phase, ms]) => (ms === null ? [] : [phase]));
}

describe('a request over TLS', () => {
  it('arrives byte for byte, and the response comes back with its timings', async () => {
    await using receiver = await startPosting({ respond: () => ({ status: 201, body: 'thanks' }) });
    const result = await receiver.post({ url: `${receiver.url}?a=1&b=%20` });
    assert.deepEqual(withoutTimings(result), { kind: 'response', status: 201, bodyBytes: 6 });
    assert.deepEqual(phasesOf(result.timings), ['dns', 'connect', 'tls', 'firstByte']);
    const { dns, connect, tls, firstByte, total } = result.timings;
    assert.ok((dns ?? 0) + (connect ?? 0) + (tls ?? 0) + (firstByte ?? 0) <= total + 0.5);
    const [request] = receiver.requests;
    const { method, path, headers, rawBody } = request ?? assert.fail('no request');
    assert.deepEqual(
      { method, path, headers, rawBody },
      {
        method: 'POST',
        path: '/hook?a=1&b=%20',
        headers: {
          ...POST.headers,
          'content-length': String(POST.body.length),
          host: receiver.trustedHost,
          connection: 'keep-alive',
        },
        rawBody: POST.body,
      },
    );
  });

  it('goes to the current path of the URL, also over a kept connection', async () => {
    await using receiver = await startPosting();
    for (const path of ['/old', '/new?a=1']) {
      await receiver.post({ url: new URL(path, receiver.url).href });
    }
    assert.deepEqual(columnOf(receiver.requests, 'path'), ['/old', '/new?a=1']);
  });

  it('looks up the name once, connects to the checked address, and keeps the name for SNI, Host and the certificate', async (t) => {
    await using receiver = await startReceiver({ host: 'hooks.example.com' });
    const asked: string[] = [];
    const lookup: Lookup = async (host) => {
      asked.push(host);
      return [
        { address: '1.1.1.1', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ];
    };
    using agent = new WebhookAgent(createGuard({ extraAuthorities: [receiver.ca], lookup }));
    // Loopback is never public: records the address to connect to, then connects to the receiver.
    const dialled: unknown[] = [];
    const { connect } = tls;
    t.mock.method(tls, 'connect', (options: ConnectionOptions & { lookup: typeof connectLookup }) => {
      const checkedLookup = options.lookup;
      const { host, port, servername } = options;
      dialled.push({ host, port, servername });
      return connect({
        ...options,
        lookup: ((name, how, callback) =>
          checkedLookup(name, how, (error, addresses) => {
            dialled.push(addresses);
            callback(error, [{ address: '127.0.0.1', family: 4 }]);
          })) as typeof connectLookup,
      } as ConnectionOptions);
    });
    const url = `https://hooks.example.com.:${receiver.port}/hook`;
    const result = await safePost(agent, { url, ...POST });
    assert.equal(result.kind === 'response' && result.status, 200, JSON.stringify(result));
    assert.deepEqual(asked, ['hooks.example.com']);
    assert.deepEqual(dialled, [
      { host: 'hooks.example.com.', port: receiver.port, servername: 'hooks.example.com' },
      await lookup('again'),
    ]);
    assert.equal(receiver.requests[0]?.headers.host, `hooks.example.com.:${receiver.port}`);
  });

  it('reports every status unchanged, and follows no redirect', async () => {
    await using elsewhere = await startReceiver({ tls: 'plain' });
    for (const status of [200, 204, 301, 302, 303, 307, 308, 400, 410, 429, 500, 503, 599]) {
      const headers = { location: elsewhere.url };
      await using receiver = await startPosting({ respond: () => ({ status, headers }) });
      const result = await receiver.post();
      assert.ok(result.kind === 'response');
      assert.deepEqual([result.status, result.bodyBytes], [status, 0]);
      const { head, body } = result.answer ?? {};
      assert.equal(head?.startsWith(`HTTP/1.1 ${status} `), status < 300 ? undefined : true);
      assert.equal(body, status < 300 ? undefined : '');
    }
    assert.equal(elsewhere.connections, 0);
  });

  it('brings the first 2 KiB of a body that is not 2xx, however it arrives', async () => {
    await using receiver = await startPosting({
      respond: (_request, _n, response) => {
        response.writeHead(503);
        for (let i = 0; i < 3_000; i++) response.write(String(i % 10));
        response.end();
        return undefined;
      },
    });
    const result = await receiver.post();
    assert.ok(result.kind === 'response');
    assert.equal(result.bodyBytes, 3_000);
    assert.equal(result.answer?.body, '0123456789'.repeat(205).slice(0, 2_048));
  });

  it('decompresses nothing', async () => {
    const body = gzipSync(Buffer.alloc(8_000_000));
    await using receiver = await startPosting({
      respond: () => ({ headers: { 'content-encoding': 'gzip' }, body }),
    });
    const result = await receiver.post();
    assert.ok(body.length < 16 * 1024);
    assert.equal(receiver.requests[0]?.headers['accept-encoding'], undefined);
    assert.deepEqual(withoutTimings(result), {
      kind: 'response',
      status: 200,
      bodyBytes: body.length,
    });
  });

  it('reads 16 KiB of a 100 MB response, disconnects, and goes by the status', async () => {
    const chunk = Buffer.alloc(64 * 1024);
    const closed = Promise.withResolvers<number>();
    await using receiver = await startPosting({
      respond: (_request, _n, response) => {
        const { socket } = response;
        socket?.once('close', () => closed.resolve(socket.bytesWritten));
        response.writeHead(202);
        let left = 1600;
        const pour = () => {
          while (left-- > 0 && response.write(chunk));
        };
        response.on('drain', pour);
        pour();
        return undefined;
      },
    });
    const rssBefore = process.memoryUsage().rss;
    const result = await receiver.post();
    assert.deepEqual(withoutTimings(result), { kind: 'response', status: 202, bodyBytes: 16 * 1024 });
    assert.ok((await closed.promise) < 20_000_000, 'the receiver could not pour much');
    assert.ok(process.memoryUsage().rss - rssBefore < 50_000_000);
  });

  it('throws for a header that HTTP forbids, since that is a bug of ours', async () => {
    await using receiver = await startPosting();
    const headers = { 'x-name': 'a\r\nb' };
    await assert.rejects(receiver.post({ headers }), { message: 'the header x-name cannot be sent' });
    assert.equal(receiver.requests.length, 0);
  });
});

describe('concurrent requests', () => {
  const postAll = ({ post }: { post: () => Promise<PostResult> }, count: number) =>
    Promise.all(Array.from({ length: count }, () => post()));

  it('to a fast receiver share connections', async () => {
    await using receiver = await startPosting();
    for (let i = 0; i < 8; i++) await postAll(receiver, 1);
    await postAll(receiver, 16);
    assert.ok(receiver.connections < 16, `${receiver.connections} connections`);
    assert.equal(receiver.requests.length, 24);
  });

  it('to a slow receiver use a connection each', async () => {
    const everybody = 16;
    const { promise: allThere, resolve: isLast } = Promise.withResolvers<void>();
    let underWay = 0;
    await using receiver = await startPosting({
      respond: async (_request, number) => {
        if (number <= 8) await sleep(50);
        else if (++underWay === everybody) isLast();
        if (number > 8) await allThere;
        return {};
      },
    });
    for (let i = 0; i < 8; i++) await postAll(receiver, 1);
    const results = await postAll(receiver, everybody);
    assert.ok(results.every(({ kind }) => kind === 'response'));
    assert.equal(underWay, everybody);
  });

  it('do not wait for one that is never answered', async () => {
    await using receiver = await startPosting({ respond: (_request, n) => (n === 1 ? undefined : {}) });
    const unanswered = receiver.post({ deadlineMs: 2000 });
    const results = await postAll(receiver, 4);
    assert.deepEqual(columnOf(results, 'kind'), ['response', 'response', 'response', 'response']);
    assert.equal((await unanswered).kind, 'failure');
  });

  it('that are still waiting at the deadline fail and are not sent', async () => {
    await using receiver = await startPosting({ respond: () => undefined });
    const unanswered = receiver.post({ deadlineMs: 1_000 });
    const results = await Promise.all(Array.from({ length: 3 }, () => receiver.post({ deadlineMs: 10 })));
    assert.deepEqual(
      results.map((result) => result.kind === 'failure' && result.reason),
      ['timeout', 'timeout', 'timeout'],
    );
    assert.equal((await unanswered).kind, 'failure');
    assert.ok(receiver.requests.length <= 1);
  });

  it('that wait write their message when they are sent; an error in it is a bug of ours and delays no others', async () => {
    await using receiver = await startPosting();
    let written = 0;
    const write = () => {
      written++;
      if (written === 2) throw new Error('a damaged row');
      return POST;
    };
    const posts = Array.from({ length: 3 }, () => safePost(receiver.agent, { url: receiver.url, write }));
    assert.equal(written, 1);
    const results = await Promise.allSettled(posts);
    assert.deepEqual(columnOf(results, 'status'), ['fulfilled', 'rejected', 'fulfilled']);
    assert.equal(receiver.requests.length, 2);
  });

  it('to a receiver that closes after each response all arrive', async () => {
    await using receiver = await startPosting({ respond: () => ({ headers: { connection: 'close' } }) });
    await postAll(receiver, 8);
    assert.equal(receiver.requests.length, 8);
    assert.equal(receiver.connections, 8);
  });
});

describe('kept connections', () => {
  const countedLookup = () => {
    const asked: string[] = [];
    const lookup: Lookup = async (host) => {
      asked.push(host);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    return { lookup, asked };
  };

  it('carry many requests after one lookup and one check', async () => {
    const { lookup, asked } = countedLookup();
    await using receiver = await startPosting({ respond: () => ({ body: 'ok' }) }, { lookup });
    await receiver.post();
    for (let i = 0; i < 20; i++) {
      const { timings } = await receiver.post();
      assert.deepEqual(phasesOf(timings), ['firstByte']);
    }
    assert.equal(receiver.connections, 1);
    assert.equal(asked.length, 1);
  });

  it('are checked again when they are reopened', async () => {
    const { lookup, asked } = countedLookup();
    const respond = () => ({ headers: { connection: 'close' } });
    await using receiver = await startPosting({ respond }, { lookup });
    for (let i = 0; i < 3; i++) await receiver.post();
    assert.equal(receiver.connections, 3);
    assert.equal(asked.length, 3);
  });

  it('are reopened with the verified TLS session', async () => {
    const resumed: boolean[] = [];
    await using receiver = await startPosting({
      respond: (_request, _n, response) => {
        resumed.push((response.socket as TLSSocket).isSessionReused());
        return { headers: { connection: 'close' } };
      },
    });
    for (let i = 0; i < 3; i++) await receiver.post();
    assert.deepEqual(resumed, [false, true, true]);
    using another = agentFor(receiver);
    await safePost(another, { url: receiver.url, ...POST });
    assert.deepEqual(resumed, [false, true, true, false]);
  });

  it('that turn out to be closed when reused are replaced once, without a failure', async () => {
    await using receiver = await startPosting({
      respond: (_request, n, response) => {
        if (n !== 2) return {};
        response.socket?.destroy();
        return undefined;
      },
    });
    await receiver.post();
    const result = await receiver.post();
    assert.deepEqual(withoutTimings(result), { kind: 'response', status: 200, bodyBytes: 0 });
    assert.deepEqual(phasesOf(result.timings), ['dns', 'connect', 'tls', 'firstByte']);
    assert.equal(receiver.connections, 2);
    assert.deepEqual(columnOf(receiver.requests, 'rawBody'), [POST.body, POST.body, POST.body]);
  });

  it('are replaced only once', async () => {
    await using receiver = await startPosting({
      respond: (_request, n, response) => {
        if (n === 1) return {};
        response.socket?.destroy();
        return undefined;
      },
    });
    await receiver.post();
    const result = await receiver.post();
    assert.equal(result.kind === 'failure' && result.reason, 'reset');
    assert.equal(receiver.requests.length, 3);
  });

  it('are closed with their agent', async () => {
    const closed = Promise.withResolvers<void>();
    await using receiver = await startPosting({
      respond: (_request, _n, response) => {
        response.socket?.once('close', () => closed.resolve());
        return {};
      },
    });
    await receiver.post();
    receiver.agent[Symbol.dispose]();
    await closed.promise;
  });

  it('keep no process running with a post in progress once their agent is disposed of', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await using receiver = await startPosting({ respond: () => new Promise(() => {}) });
    void receiver.post();
    await receiver.waitFor(1);
    receiver.agent[Symbol.dispose]();
    assert.equal(timers(), before);
  });
});

declare function connectLookup(
  name: string,
  how: object,
  callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
): void;
