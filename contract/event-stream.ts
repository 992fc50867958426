import { createParser } from 'eventsource-parser';

/** One block of a stream of server-sent events. Without data it only reports the position of the stream. */
export interface ServerSentEvent {
  /** The event's own id; undefined if it has none. */
  id: string | undefined;
  type: string;
  data: string | undefined;
}

export interface EventStreamOptions {
  /** The stream counts as ended after this time without data or heartbeats: a connection can die unnoticed. */
  silenceMs?: number;
  /** Called whenever data arrives, heartbeats included. */
  onActivity?: () => void;
}

/** Reads a `text/event-stream` (WHATWG HTML §9.2), in browsers and in Node. */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  { silenceMs, onActivity }: EventStreamOptions = {},
): AsyncGenerator<ServerSentEvent, void> {
  let events: ServerSentEvent[] = [];
  const parser = createParser({
    // Called for every block with an id, before its event if it has one.
    onId: (id) => events.push({ id, type: 'message', data: undefined }),
    onEvent({ id, event: type = 'message', data }) {
      if (id !== undefined) events.pop();
      events.push({ id, type, data });
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  try {
    for (;;) {
      const timer = silenceMs === undefined ? undefined : setTimeout(cancel, silenceMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      onActivity?.();
      parser.feed(decoder.decode(value, { stream: true }));
      const read = events;
      events = [];
      yield* read;
    }
  } finally {
    cancel();
  }
}
