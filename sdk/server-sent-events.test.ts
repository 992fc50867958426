import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readServerSentEvents, type ServerSentEvent } from './server-sent-events.ts';

test('events, positions and heartbeats arrive however the stream is cut, with every character of the data', async () => {
  const data = '{"data":{"textMsg":"one\u2028two: 2\u2029id: 3 😀"}}';
  const stream = `id: 7\nevent: message.received\ndata: ${data}\n\nid: 8\n\n: \n\ndata: {}\n\nid: 9\nda`;
  const bytes = new TextEncoder().encode(stream);
  for (const size of [1, 5, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    const events: ServerSentEvent[] = [];
    for await (const event of readServerSentEvents(ReadableStream.from(chunks), 60_000))
      if (event.id ?? event.data) events.push(event);
    assert.deepEqual(events, [
      { id: '7', type: 'message.received', data },
      { id: '8', type: 'message', data: undefined },
      { id: undefined, type: 'message', data: '{}' },
    ]);
  }
});
