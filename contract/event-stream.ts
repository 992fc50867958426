import { createParser } from 'eventsource-parser';

/** One block of a stream of server-sent events. Without data it only says how far the stream has come. */
export interface ServerSentEvent {
  /** Of this event; undefined when it has none. */
  id: string | undefined;
  type: string;
  data: string | undefined;
}

export interface EventStreamOptions {
  /** After so much silence the stream counts as ended: a connection may die without a word. Heartbeats break it. */
  silenceMs?: number;
  /** Called for whatever arrives, heartbeats included. */
  onActivity?: () => void;
}

/** Reads a `text/event-stream` (WHATWG HTML §9.2), in browsers and in Node alike. */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  { silenceMs, onActivity }: EventStreamOptions = {},
): AsyncGenerator<ServerSentEvent, void> {
  let events: ServerSentEvent[] = [];
  const parser = createParser({
    // Called for every block with an id, and before its event when there is one.
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
