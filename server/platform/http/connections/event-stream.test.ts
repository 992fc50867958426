import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { listen } from '#testing/event-source.ts';
import { createTinyApp } from '#testing/tiny-app.ts';
import { eventually } from '#testing/waits.ts';
import { type EventStream, openEventStream } from './event-stream.ts';

const ROUND = 20;

/** A server where every `GET /stream` opens a stream. */
async function scene(t: TestContext) {
  const opened: EventStream[] = [];
  const answered: [url: string, status: number, contentType: unknown][] = [];
  const asked = { closed: 0, checks: 0, isAllowed: async () => true, mayBegin: Promise.resolve() };
  const tiny = createTinyApp({
    routes: (app) => {
      app.addHook('onResponse', async ({ url }, reply) => {
        answered.push([url, reply.statusCode, reply.getHeader('content-type')]);
      });
      app.get('/stream', async (_request, reply) => {
        await asked.mayBegin;
        opened.push(
          openEventStream(reply, {
            onClose: () => asked.closed++,
            isAllowed: () => {
              asked.checks++;
              return asked.isAllowed();
            },
          }),
        );
        return reply;
      });
    },
  });
  t.after(() => tiny[Symbol.asyncDispose]());
  const origin = await tiny.app.listen({ host: '127.0.0.1', port: 0 });
  const round = async () => {
    for (let i = 0; i < ROUND; i++) await tiny.app.openStreams.beat();
  };
  return { ...tiny, origin, opened, answered, asked, round, url: `${origin}/stream` };
}

/** A client that reads from its connection only on request. */
function ask(origin: string) {
  const { port } = new URL(origin);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  socket.write('GET /stream HTTP/1.1\r\nhost: localhost\r\n\r\n');
  return socket;
}

test('each stream sends one heartbeat per round, the first a round after it began', async (t) => {
  const { app, origin, opened, asked, round } = await scene(t);
  let received = '';
  const socket = ask(origin).on('data', (bytes) => {
    received += bytes;
  });
  t.after(() => socket.destroy());
  const beats = () => received.split(':\n\n').length - 1;
  await once(socket, 'data');
  for (let i = 1; i < ROUND; i++) await app.openStreams.beat();
  assert.equal(asked.checks, 0);
  await app.openStreams.beat();
  await round();
  assert.equal(asked.checks, 2);
  while (beats() < 2) await once(socket, 'data');
  opened[0]?.send({ type: 'last', data: {} });
  while (!received.includes('last')) await once(socket, 'data');
  assert.equal(beats(), 2);
});

test('a stream ends at the first heartbeat after its credential has ended, but not while the database is down', async (t) => {
  const { url, asked, round } = await scene(t);
  await using source = await listen(url, {});
  asked.isAllowed = () => Promise.reject(new Error('away'));
  await round();
  assert.equal(asked.closed, 0);
  asked.isAllowed = async () => false;
  await round();
  assert.equal(await source.next(), undefined);
  await eventually(() => asked.closed);
  await round();
  assert.deepEqual([asked.checks, asked.closed], [2, 1]);
});

test('the hooks that run after a response run once, when the stream begins', async (t) => {
  const { url, answered, asked, opened } = await scene(t);
  const source = await listen(url, {});
  assert.equal(source.headers['content-type'], 'text/event-stream');
  assert.equal(source.headers['x-content-type-options'], 'nosniff');
  assert.match(String(source.headers['x-request-id']), /^req_/);
  const once = [['/stream', 200, 'text/event-stream']];
  assert.deepEqual(answered, once);
  opened[0]?.close();
  assert.equal(await source.next(), undefined);
  await eventually(() => asked.closed);
  assert.deepEqual(answered, once);
});

test('an open stream keeps neither request nor reply in memory', async (t) => {
  const held: WeakRef<object>[] = [];
  await using tiny = createTinyApp({
    routes: (app) => {
      app.get('/stream', async (request, reply) => {
        held.push(new WeakRef(request), new WeakRef(reply));
        openEventStream(reply, { onClose: () => {}, isAllowed: async () => true });
        return reply;
      });
    },
  });
  const origin = await tiny.app.listen({ host: '127.0.0.1', port: 0 });
  const socket = ask(origin);
  t.after(() => socket.destroy());
  await once(socket, 'data');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let left = 2;
  for (let tries = 0; left > 0 && tries < 200; tries++) {
    // The result is retained for the rest of the turn.
    await pause(10);
    collect();
    left = held.filter((ref) => ref.deref() !== undefined).length;
  }
  assert.deepEqual([held.length, left], [2, 0]);
});

test('a reader that stops reading is disconnected before a few megabytes are buffered', async (t) => {
  const { origin, opened, asked } = await scene(t);
  const socket = ask(origin);
  t.after(() => socket.destroy());
  await once(socket, 'data');
  socket.pause();
  const data = 'x'.repeat(64 * 1024);
  let sent = 0;
  for (; asked.closed === 0 && sent < 1000; sent++) {
    opened[0]?.send({ type: 'x', data });
    await pause(1);
  }
  assert.ok(asked.closed === 1 && sent < 200, `${sent} times 64 KiB`);
});

test('the last data of an ending stream is sent, and its connection is closed', async (t) => {
  const { app, origin, opened } = await scene(t);
  let received = '';
  const socket = ask(origin).on('data', (bytes) => {
    received += bytes;
  });
  await once(socket, 'data');
  const ended = once(socket, 'end');
  opened[0]?.send({ type: 'last', data: {} });
  await app.close();
  await ended;
  assert.match(received, /event: last\n.*\r\n0\r\n\r\n$/s);
});

test('a stream that begins while the server closes ends at once', async (t) => {
  const { app, origin, asked } = await scene(t);
  const { promise, resolve } = Promise.withResolvers<void>();
  asked.mayBegin = promise;
  const arrived = once(app.server, 'request');
  const socket = ask(origin).resume();
  await arrived;
  const [ended, closed] = [once(socket, 'end'), app.close()];
  await pause(1);
  resolve();
  await Promise.all([ended, closed]);
  assert.equal(asked.closed, 1);
});

test('a HEAD request for a stream gets headers only', async (t) => {
  const { url, asked } = await scene(t);
  const { status, headers } = await fetch(url, { method: 'HEAD' });
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream']);
  await eventually(() => asked.closed);
});
