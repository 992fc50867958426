import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createTinyApp, type TinyAppOptions } from '#testing/tiny-app.ts';
import { currentTurn, type Turn } from '../../concurrency/turn.ts';

const HEADERS = 'Host: localhost\r\nContent-Type: application/json\r\n';
const LARGE = 'x'.repeat(16 * 1024 * 1024);

/** An app that tells which requests have reached its onResponse hooks, with their statuses. */
function watched(routes: TinyAppOptions['routes'] = () => {}) {
  const ended: [string, number][] = [];
  const waiting: (() => void)[] = [];
  const tiny = createTinyApp({
    routes(app) {
      app.addHook('onResponse', ({ url }, { statusCode }, done) => {
        ended.push([url, statusCode]);
        for (const wake of waiting.splice(0)) wake();
        done();
      });
      routes(app);
    },
  });
  const hasEnded = async (count: number) => {
    while (ended.length < count) await new Promise<void>((wake) => waiting.push(wake));
    return ended;
  };
  let listening: Promise<string> | undefined;
  const send = async (bytes: string) => {
    listening ??= tiny.app.listen({ host: '127.0.0.1', port: 0 });
    const { port, hostname } = new URL(await listening);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(bytes);
    return socket;
  };
  return { ended, hasEnded, send, [Symbol.asyncDispose]: () => tiny[Symbol.asyncDispose]() };
}

test('a request whose client has gone ends when it has been handled, with its true status', async () => {
  const [arrived, left, stored] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<object>(),
  ];
  let turn: Turn | undefined;
  await using app = watched((tiny) =>
    tiny.post('/stores', ({ raw }, reply) => {
      turn = currentTurn();
      raw.socket.once('close', left.resolve);
      arrived.resolve();
      reply.code(201);
      return stored.promise;
    }),
  );
  const socket = await app.send(`POST /stores HTTP/1.1\r\n${HEADERS}Content-Length: 2\r\n\r\n{}`);
  await arrived.promise;
  socket.destroy();
  await left.promise;
  assert.deepEqual([app.ended, turn?.isOver], [[], false]);
  stored.resolve({});
  assert.deepEqual(await app.hasEnded(1), [['/stores', 201]]);
  assert.equal(turn?.isOver, true);
});

test('a request ends whose client goes while it sends the body', async () => {
  await using app = watched();
  const socket = await app.send(`POST /echo HTTP/1.1\r\n${HEADERS}Content-Length: 9\r\n\r\n{"a"`);
  setImmediate(() => socket.destroy());
  assert.deepEqual(await app.hasEnded(1), [['/echo', 400]]);
});

test('a request ends whose client goes while it reads the response, whole or streamed', async () => {
  await using app = watched((tiny) =>
    tiny
      .get('/whole', async () => LARGE)
      .get('/streamed', async () => Readable.from(Array.from({ length: 256 }, () => LARGE.slice(0, 65_536)))),
  );
  for (const path of ['/whole', '/streamed']) {
    const socket = await app.send(`GET ${path} HTTP/1.1\r\n${HEADERS}\r\n`);
    await once(socket, 'readable');
    socket.destroy();
  }
  assert.deepEqual((await app.hasEnded(2)).sort(), [
    ['/streamed', 200],
    ['/whole', 200],
  ]);
});

test('a request that is answered ends once', async () => {
  await using app = watched();
  const socket = await app.send(`GET /echo HTTP/1.1\r\n${HEADERS}Connection: close\r\n\r\n`);
  socket.resume();
  await once(socket, 'close');
  assert.deepEqual(await app.hasEnded(1), [['/echo', 200]]);
});
