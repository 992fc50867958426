import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { test } from 'node:test';
import { columnsOf } from '#testing/columns.ts';
import { createTinyApp, type TinyApp } from '#testing/tiny-app.ts';
import { eventually } from '#testing/waits.ts';
import { openEventStream } from './connections/event-stream.ts';

const ON = { ACCESS_LOG: 'on', TRUST_PROXY: '127.0.0.0/8' };

/** The lines so far, without variable fields. */
function linesOf({ logged }: TinyApp) {
  return logged.map(({ time, pid, hostname, durationMs, requestId, ...line }) => {
    assert.ok(typeof durationMs === 'number' && durationMs >= 0);
    assert.match(String(requestId), /^req_/);
    return line;
  });
}

/** Sends the beginning of a request and disconnects once it has arrived. */
async function hangUp({ app }: TinyApp, bytes: string): Promise<void> {
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const [arrived, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  app.server.once('request', (request) => {
    arrived.resolve();
    request.once('close', () => setImmediate(aborted.resolve));
  });
  const socket = connect(Number(url.port), url.hostname);
  await once(socket, 'connect');
  socket.write(bytes);
  await arrived.promise;
  socket.destroy();
  await aborted.promise;
}

test('ACCESS_LOG=on writes a line for each request at any LOG_LEVEL, without secrets', async () => {
  await using tiny = createTinyApp({
    environment: ON,
    routes: (app) => app.get('/things/:id', async () => ({})),
  });
  const { app } = tiny;
  const answer = await app.inject({
    url: '/things/secret-1?token=secret-2',
    headers: { authorization: 'Bearer secret-3', 'x-forwarded-for': '203.0.113.9' },
  });
  assert.equal(tiny.logged[0]?.['requestId'], answer.headers['x-request-id']);
  await app.inject({ method: 'POST', url: '/nowhere/secret-4' });
  await app.inject({ method: 'POST', url: '/echo', headers: { 'content-type': 'text/plain' }, body: 'x' });
  await app.inject({ url: '/%zz' });
  const line = (method: string, route: string, status: number, address = '127.0.0.1') => {
    return { level: 30, method, route, status, address, msg: 'request' };
  };
  assert.deepEqual(linesOf(tiny), [
    line('GET', '/things/:id', 200, '203.0.113.9'),
    line('POST', 'unknown', 404),
    line('POST', '/echo', 415),
    line('GET', 'unknown', 400),
  ]);
  assert.doesNotMatch(JSON.stringify(tiny.logged), /secret/);
  const page = await readFile('docs/operate/monitoring.md', 'utf8');
  const { pid, hostname, ...first } = tiny.logged[0] ?? {};
  const shown = JSON.parse(/^```json\n(.*)\n```$/m.exec(page)?.[1] ?? '');
  assert.deepEqual(Object.keys(shown).sort(), Object.keys(first).sort());
});

test('without ACCESS_LOG no line is written', async () => {
  await using tiny = createTinyApp({ logLevel: 'debug' });
  await tiny.app.inject({ url: '/echo' });
  assert.deepEqual(tiny.logged, []);
});

test('a client that disconnects before the response is 499', async () => {
  const stored = Promise.withResolvers<object>();
  await using tiny = createTinyApp({
    environment: ON,
    routes: (app) => app.post('/stores', () => stored.promise),
  });
  await hangUp(tiny, 'POST /stores HTTP/1.1\r\nHost: localhost\r\n\r\n');
  stored.resolve({});
  await eventually(() => tiny.logged.length > 0, 'the line');
  const [{ status, route } = {}] = linesOf(tiny);
  assert.deepEqual([status, route], [499, '/stores']);
});

test('a stream has one line, written when it begins', async () => {
  const owner = { onClose: () => {}, isAllowed: async () => true };
  await using tiny = createTinyApp({
    environment: ON,
    routes: (app) => app.get('/live', (_request, reply) => void openEventStream(reply, owner)),
  });
  await hangUp(tiny, 'GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n');
  assert.deepEqual(columnsOf(linesOf(tiny), 'status', 'route'), [[200, '/live']]);
});

test('a client that disconnects while sending its body leaves one debug line, and no 503', async () => {
  await using tiny = createTinyApp({ logLevel: 'debug', environment: ON });
  await hangUp(
    tiny,
    'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  );
  const [said, access] = tiny.logged.filter(({ msg }) => !/listening/.test(String(msg)));
  const { time: _, pid: __, hostname: ___, requestId, ...line } = said ?? {};
  assert.match(String(requestId), /^req_/);
  assert.deepEqual(line, {
    level: 20,
    method: 'POST',
    route: '/echo',
    msg: 'the client hung up before its request was complete',
  });
  assert.deepEqual([access?.['status'], access?.['requestId']], [499, requestId]);
});
