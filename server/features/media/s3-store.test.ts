import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { ApiError } from '#platform/errors.ts';
import { startS3Server } from '#testing/s3-server.ts';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { LONGEST_WAIT_MS } from '#testing/waits.ts';
import { S3Store } from './s3-store.ts';

const KEYS = { bucket: 'uploads', region: 'eu-test-1', accessKeyId: 'id', secretAccessKey: 'secret' };
const QUICK = { connectMs: 500, answerMs: 300, stallMs: 1_000 };
/** For stores that answer. */
const ANSWERING = { ...QUICK, connectMs: LONGEST_WAIT_MS, answerMs: LONGEST_WAIT_MS };

async function stage(t: TestContext, bytes: number) {
  const directory = await scratchFolder(t);
  const path = join(directory, 'file');
  await writeFile(path, Buffer.alloc(bytes));
  return { path, size: bytes, digest: 'UNSIGNED-PAYLOAD' };
}

async function storeAt(t: TestContext, server: Server, limits = QUICK) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return new S3Store({ endpoint: `http://127.0.0.1:${port}`, ...KEYS }, limits);
}

const answering = (t: TestContext, listener: RequestListener) =>
  storeAt(t, createHttpServer(listener), ANSWERING);

/** Every operation of the store fails with 503, and names the cause only for the log. */
async function isAway(t: TestContext, store: S3Store, cause: RegExp): Promise<void> {
  const file = await stage(t, 4_000_000);
  for (const ask of [
    () => store.put('one', file),
    () => store.read('one', undefined),
    () => store.read('one', { start: 0, end: 9 }),
    () => store.remove('one'),
  ]) {
    await assert.rejects(ask, (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.status, 503);
      assert.equal(error.message, 'the storage of uploads does not respond; try again');
      const { message, cause: inner } = error.cause as Error;
      assert.match(`${message} ${inner}`, cause);
      return true;
    });
  }
}

test('a store that refuses connections is 503', async (t) => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await isAway(t, new S3Store({ endpoint: `http://127.0.0.1:${port}`, ...KEYS }, ANSWERING), /ECONNREFUSED/);
});

test('a store that accepts connections and never answers is 503 in time, also for an upload that it does not read', async (t) => {
  const store = await storeAt(
    t,
    createServer((socket) => void socket.pause()),
  );
  await isAway(t, store, /did not answer in time|Timeout/);
});

test('a store that fails, or refuses the keys, is 503', async (t) => {
  for (const status of [500, 503, 403]) {
    const store = await answering(t, (request, response) => {
      request.resume().on('end', () => response.writeHead(status).end('<Error/>'));
    });
    await isAway(t, store, new RegExp(`answered \\w+ with ${status}`));
  }
});

test('a file that takes longer than the response timeout is read completely; one that breaks off or stalls is an error', async (t) => {
  await using s3 = await startS3Server();
  s3.objects.set('media/one', Buffer.alloc(2_000_000, 'x'));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const slow = await new S3Store(s3.config).read('one', undefined);
  t.mock.timers.tick(60_000);
  t.mock.timers.reset();
  assert.equal((await buffer(slow as Readable)).length, 2_000_000);
  for (const end of ['breaks off', 'stalls']) {
    const store = await answering(t, (_request, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('x', () => end === 'breaks off' && response.destroy());
    });
    const file = await store.read('one', undefined);
    assert.ok(file);
    await assert.rejects(buffer(file), end);
  }
});
