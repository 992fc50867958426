import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEventStream, type ServerSentEvent } from './event-stream.ts';

async function read(chunks: readonly Uint8Array[]) {
  const events: ServerSentEvent[] = [];
  for await (const event of readEventStream(ReadableStream.from(chunks))) events.push(event);
  return events;
}

const bytes = (text: string) => new TextEncoder().encode(text);

const TEXT =
  ': connected\n\nid: 1\n\nevent: message\ndata: {"a":"ü🦜"}\nid: 2\n\ndata: two\ndata: lines\n\nid: 3\n\n:\n\n';
const EVENTS = [
  { id: '1', type: 'message', data: undefined },
  { id: '2', type: 'message', data: '{"a":"ü🦜"}' },
  { id: undefined, type: 'message', data: 'two\nlines' },
  { id: '3', type: 'message', data: undefined },
];

test('events and positions are read, however the stream is split into chunks', async () => {
  const whole = bytes(TEXT);
  assert.deepEqual(await read([whole]), EVENTS);
  for (let length = 1; length < 20; length++) {
    const pieces = Array.from({ length: Math.ceil(whole.length / length) }, (_, i) =>
      whole.slice(i * length, (i + 1) * length),
    );
    assert.deepEqual(await read(pieces), EVENTS);
  }
  assert.deepEqual(await read([bytes(TEXT.replaceAll('\n', '\r\n'))]), EVENTS);
});

test('an event cut off by the end of the stream is ignored', async () => {
  assert.deepEqual(await read([bytes('event: message\ndata: {"a"')]), []);
});

test('any data shows that the connection is alive; silence ends the stream', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let activity = 0;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const events = readEventStream(readable, { silenceMs: 1000, onActivity: () => activity++ });
  const writer = writable.getWriter();
  const next = events.next();
  await writer.write(bytes(':\n\n'));
  t.mock.timers.tick(999);
  await writer.write(bytes('data: x\n\n'));
  assert.deepEqual((await next).value, { id: undefined, type: 'message', data: 'x' });
  assert.equal(activity, 2);
  const end = events.next();
  await new Promise(setImmediate);
  t.mock.timers.tick(1000);
  assert.equal((await end).done, true);
});

test('a reader that stops early closes the connection', async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytes('data: x\n\n')),
    cancel: () => {
      isCancelled = true;
    },
  });
  for await (const { data } of readEventStream(body)) {
    assert.equal(data, 'x');
    break;
  }
  assert.equal(isCancelled, true);
});
