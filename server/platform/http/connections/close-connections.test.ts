import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Fastify from 'fastify';
import { createTinyApp } from '#testing/tiny-app.ts';
import { closeConnectionsOnClose } from './close-connections.ts';
import { listen } from './listen.ts';

test('a connection without a request does not keep the server from closing', async () => {
  const tiny = createTinyApp();
  const { port } = new URL(await tiny.app.listen({ host: '127.0.0.1', port: 0 }));
  const arrived = once(tiny.app.server, 'connection');
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  await arrived;
  const closed = once(socket, 'close');
  await tiny.app.close();
  await closed;
});

test('nor does a connection that never completes its request', async () => {
  const app = Fastify();
  closeConnectionsOnClose(app, 10);
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const arrived = once(app.server, 'connection');
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost');
  const [serverSide] = await arrived;
  await once(serverSide, 'readable').catch(() => {});
  const closed = once(socket, 'close');
  await app.close();
  await closed;
  assert.equal(socket.destroyed, true);
});

test('a request that arrives on an idle connection while the server begins to close gets the last answer', async () => {
  const app = Fastify({ keepAliveTimeout: 72_000, return503OnClosing: false });
  closeConnectionsOnClose(app);
  app.get('/', async () => 'done');
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1');
  const asks = async () => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const [answer] = await once(socket, 'data');
    return /^HTTP\/1.1 200 .*\r\nconnection: ([\w-]+)\r\n.*done$/is.exec(answer)?.[1];
  };
  assert.equal(await asks(), 'keep-alive');
  const closed = app.close();
  assert.equal(await asks(), 'close');
  await closed;
});

test('closing waits for the requests under way, whichever socket accepted them, and for no connection afterwards', async () => {
  const app = Fastify({ keepAliveTimeout: 72_000 });
  closeConnectionsOnClose(app);
  const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const count = { begun: 0, ended: 0 };
  app.get('/', async () => {
    if (++count.begun === 20) arrived.resolve();
    await released.promise;
    count.ended++;
    return 'done';
  });
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const asked = Array.from({ length: 20 }, () =>
    fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text()),
  );
  await arrived.promise;
  await listening[Symbol.asyncDispose]();
  const endedWhenClosed = app.close().then(() => count.ended);
  // Time for a server that does not wait to be closed.
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  released.resolve();
  assert.equal(await endedWhenClosed, 20);
  assert.deepEqual([...new Set(await Promise.all(asked))], ['done']);
});
