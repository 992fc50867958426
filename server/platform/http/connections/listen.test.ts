import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import { listen } from './listen.ts';

const isLinux = process.platform === 'linux';

test('a burst of connections is accepted within few turns of the event loop', async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  await using _listening = await listen(app, { host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const count = 400;
  let accepted = 0;
  const { promise: all, resolve } = Promise.withResolvers<void>();
  app.server.on('connection', () => {
    if (++accepted === count) resolve();
  });
  let turns = 0;
  const turn = () => {
    turns++;
    counting = setImmediate(turn);
  };
  let counting = setImmediate(turn);
  const clients = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  await Promise.all(clients.map((client) => once(client, 'connect')));
  const connectedAfter = turns;
  await all;
  clearImmediate(counting);
  for (const client of clients) client.destroy();
  if (isLinux) assert.ok(turns - connectedAfter < count / 4, `${turns - connectedAfter} turns`);
});

test('a port that another program uses is refused, also if that one would share it', async (t) => {
  const other = createServer().listen({ host: '127.0.0.1', port: 0, reusePort: isLinux });
  await once(other, 'listening');
  t.after(() => other.close());
  const app = Fastify();
  t.after(() => app.close());
  const { port } = other.address() as AddressInfo;
  await assert.rejects(listen(app, { host: '127.0.0.1', port }), { code: 'EADDRINUSE' });
});

test('connections through every socket are served, and none is accepted after the end', async (t) => {
  const app = Fastify().get('/', () => 'answer');
  t.after(() => app.close());
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const answers = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
      return response.text();
    }),
  );
  assert.deepEqual(new Set(answers), new Set(['answer']));
  await listening[Symbol.asyncDispose]();
  await app.close();
  await assert.rejects(fetch(`http://127.0.0.1:${port}/`));
});
