import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { failure } from '#testing/answers.ts';
import { rawBytes, rawRequest } from '#testing/raw-request.ts';
import { createTinyApp, type TinyAppOptions } from '#testing/tiny-app.ts';
import { unauthenticated } from '../../errors.ts';

const HEAD = ['POST /echo HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];

async function listening(t: TestContext, options: TinyAppOptions = {}): Promise<string> {
  const tiny = createTinyApp(options);
  t.after(() => tiny[Symbol.asyncDispose]());
  return tiny.app.listen({ host: '127.0.0.1', port: 0 });
}

/** The single response that a socket received, with the headers that every response has. */
function readAnswer(received: string): { status: number; body: unknown } {
  const [head = '', body = '', ...more] = received.split('\r\n\r\n');
  assert.deepEqual(more, [], received);
  assert.match(head, /^x-request-id: req_/im);
  assert.match(head, /^x-content-type-options: nosniff/im);
  assert.match(head, /^content-type: application\/json; charset=utf-8/im);
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]), body: JSON.parse(body) };
}

function invalid(message: string, status = 400) {
  return { status, body: failure('invalid-argument', message) };
}

const NOT_HTTP = invalid('the request is not valid HTTP');

test('two Host headers get a 400, and so does none, except in HTTP/1.0', async (t) => {
  const url = await listening(t);
  const ask = async (...hosts: string[]) =>
    readAnswer(await rawRequest(url, ['GET /echo HTTP/1.1', ...hosts, 'Connection: close']));
  assert.equal((await ask('Host: a')).status, 200);
  assert.deepEqual(await ask('Host: a', 'Host: b'), invalid('there must be one Host header, not 2'));
  assert.deepEqual(await ask('Host: a', 'hOST: a'), invalid('there must be one Host header, not 2'));
  assert.deepEqual(await ask(), invalid('there must be one Host header, not 0'));
  assert.equal(readAnswer(await rawRequest(url, ['GET /echo HTTP/1.0'])).status, 200);
});

test('a request that the HTTP parser refuses gets a 400 in the envelope', async (t) => {
  const url = await listening(t);
  const requests = {
    'two lengths': [...HEAD, 'Content-Length: 2', 'Content-Length: 3', '', '{}'].join('\r\n'),
    'two equal lengths': [...HEAD, 'Content-Length: 2', 'Content-Length: 2', '', '{}'].join('\r\n'),
    'a length and chunks': [...HEAD, 'Content-Length: 2', 'Transfer-Encoding: chunked', '', '{}'].join(
      '\r\n',
    ),
    'a length that is no number': [...HEAD, 'Content-Length: 0x2', '', '{}'].join('\r\n'),
    'a negative length': [...HEAD, 'Content-Length: -2', '', '{}'].join('\r\n'),
    'bare LF': `${HEAD.join('\n')}\nContent-Length: 2\n\n{}`,
    'bare LF inside': `${HEAD.join('\r\n')}\nX: y\r\n\r\n`,
    'a space before the colon': [...HEAD, 'Content-Length : 2', '', '{}'].join('\r\n'),
    'a folded header': [...HEAD, 'X: a', ' b', '', ''].join('\r\n'),
    'NUL in a header': [...HEAD, 'X: a\0b', '', ''].join('\r\n'),
    'an unknown method': 'BREW /echo HTTP/1.1\r\nHost: a\r\n\r\n',
    'another protocol': 'GET /echo GOPHER/1.1\r\nHost: a\r\n\r\n',
    'a TLS greeting': Buffer.from('160301020001000', 'hex'),
    'a chunk size that is none': [...HEAD, 'Transfer-Encoding: chunked', '', 'zz', '{}'].join('\r\n'),
  };
  for (const [name, bytes] of Object.entries(requests)) {
    assert.deepEqual(readAnswer(await rawBytes(url, bytes)), NOT_HTTP, name);
  }
});

test('headers and bodies that are too large are refused as soon as that is known', async (t) => {
  const url = await listening(t);
  const answerTo = async (...lines: string[]) => readAnswer(await rawRequest(url, [...HEAD, ...lines]));
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  const tooLarge = invalid('body is too large', 413);
  assert.deepEqual(await answerTo(`X: ${'x'.repeat(20_000)}`), invalid('headers are too large', 431));
  assert.deepEqual(await answerTo(`Content-Length: ${16 * 1024 + 1}`), tooLarge, 'before it is sent');
  assert.deepEqual(await answerTo('Transfer-Encoding: chunked', '', chunk.repeat(5)), tooLarge);
});

test('a client that sends all of a body that is too large, as proxies do, gets the 413', async (t) => {
  const url = new URL(await listening(t));
  const chunk = Buffer.alloc(64 * 1024, ' ');
  const count = 400;
  for (const more of [[], ['Connection: close']]) {
    const socket = connect({ host: url.hostname, port: Number(url.port), allowHalfOpen: true });
    const received: Buffer[] = [];
    socket.on('data', (data) => received.push(data));
    socket.write([...HEAD, ...more, `Content-Length: ${count * chunk.length}`, '', ''].join('\r\n'));
    for (let i = 0; i < count; i++)
      await new Promise<void>((resolve, reject) =>
        socket.write(chunk, (error) => (error ? reject(error) : resolve())),
      );
    socket.end();
    await once(socket, 'close');
    assert.deepEqual(readAnswer(Buffer.concat(received).toString()), invalid('body is too large', 413));
  }
});

test('a request smuggled after the body of another is handled as a separate request', async (t) => {
  const url = await listening(t);
  const smuggled = 'GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const received = await rawBytes(url, [...HEAD, 'Content-Length: 2', '', `{}${smuggled}`].join('\r\n'));
  assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 404']);
});

/** Longer than the pauses of a process on a busy machine. */
const HASTY = { headersMs: 500, requestMs: 600, checkEveryMs: 20 };
const TOO_SLOW = invalid('the request did not arrive in time', 408);

test('a client that sends its headers or its body slowly is disconnected', async (t) => {
  const url = await listening(t, { timeLimits: HASTY });
  const body = [...HEAD, 'Content-Length: 100', '', '{"a":'].join('\r\n');
  for (const sent of ['GET /echo HTTP/1.1\r\nHost: a\r\nX: ', body])
    assert.deepEqual(readAnswer(await rawBytes(url, sent)), TOO_SLOW);
});

test('a slow response is not interrupted', async (t) => {
  const url = await listening(t, {
    timeLimits: HASTY,
    routes: (app) =>
      app.get('/slow', async () => {
        await new Promise((resolve) => setTimeout(resolve, 2 * HASTY.requestMs));
        return {};
      }),
  });
  const received = await rawRequest(url, ['GET /slow HTTP/1.1', 'Host: a', 'Connection: close']);
  assert.deepEqual(readAnswer(received), { status: 200, body: {} });
});

test('while the server closes, requests over open connections are answered', async () => {
  const { promise: closing, resolve: startClosing } = Promise.withResolvers<void>();
  const { promise: answered, resolve: finishClosing } = Promise.withResolvers<void>();
  const tiny = createTinyApp({
    routes: (app) =>
      app.addHook('preClose', async () => {
        startClosing();
        await answered;
      }),
  });
  const { port } = new URL(await tiny.app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), '127.0.0.1');
  const ask = async () => {
    socket.write('GET /echo HTTP/1.1\r\nHost: a\r\n\r\n');
    const [received] = await once(socket, 'data');
    return readAnswer(String(received));
  };
  assert.equal((await ask()).status, 200);
  const closed = tiny.app.close();
  await closing;
  assert.deepEqual(await ask(), { status: 200, body: {} });
  finishClosing();
  await closed;
});

test('a slow body is accepted on routes that allow one', async (t) => {
  const url = await listening(t, {
    timeLimits: HASTY,
    routes: (app) =>
      app.post('/long', { config: { takesLong: true } }, async ({ body }) => ({ received: body })),
  });
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const head = ['POST /long HTTP/1.1', 'Host: a', 'Content-Type: application/json', 'Content-Length: 2'];
  socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n{`);
  setTimeout(() => socket.write('}'), 2 * HASTY.requestMs);
  let received = '';
  for await (const chunk of socket) received += chunk;
  assert.deepEqual(readAnswer(received), { status: 200, body: { received: {} } });
});

test('a client that keeps sending after an early response is disconnected as well', async (t) => {
  const refused = async () => {
    throw unauthenticated('credential.missing');
  };
  const url = await listening(t, {
    timeLimits: HASTY,
    routes: (app) => {
      app.post('/refused', { onRequest: refused }, async () => ({}));
      app.post('/refused-upload', { onRequest: refused, config: { takesLong: true } }, async () => ({}));
    },
  });
  for (const [path, status] of Object.entries({ '/nowhere': 404, '/refused': 401, '/refused-upload': 401 })) {
    const head = [`POST ${path} HTTP/1.1`, 'Host: a', 'Content-Type: application/json'];
    const received = await rawBytes(url, [...head, 'Content-Length: 100', '', '{"a":'].join('\r\n'));
    assert.deepEqual(received.match(/(?<=HTTP\/1\.1 )\d+/g), [String(status), '408'], path);
  }
});

test('an internal request that is answered before its body was read does not count as slow', async (t) => {
  const { app } = createTinyApp({ timeLimits: HASTY });
  t.after(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  assert.equal((await app.inject({ method: 'POST', url: '/nowhere', payload: {} })).statusCode, 404);
  const cutLater = await rawBytes(url, [...HEAD, 'Content-Length: 100', '', '{"a":'].join('\r\n'));
  assert.deepEqual(readAnswer(cutLater), TOO_SLOW);
});

test('an expectation that cannot be met gets a 417 in the envelope', async (t) => {
  const url = await listening(t);
  const ask = (expect: string) =>
    rawBytes(url, [...HEAD, expect, 'Content-Length: 2', 'Connection: close', '', '{}'].join('\r\n'));
  assert.deepEqual(
    readAnswer(await ask('Expect: x')),
    invalid('Expect must be 100-continue or left out', 417),
  );
  assert.match(await ask('Expect: 100-Continue'), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
});
