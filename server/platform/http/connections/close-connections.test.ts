import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import { createTinyApp } from '#testing/tiny-app.ts';
import { closeConnectionsOnClose } from './close-connections.ts';

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
