import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { readEventStream } from '#contract/event-stream.ts';

/** A server-sent event as received. */
export interface SentEvent {
  id: string;
  type: string;
  data: string;
}

export type EventSource = Awaited<ReturnType<typeof listen>>;

/** Listens to server-sent events over real HTTP, on a separate connection. */
export async function listen(url: string, headers: Record<string, string>) {
  const request = http.get(url, { agent: false, headers: { accept: 'text/event-stream', ...headers } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const events = readEventStream(Readable.toWeb(response) as ReadableStream<Uint8Array>);
  /** The next event; undefined when the stream has ended. */
  const next = async (): Promise<SentEvent | undefined> => {
    for (;;) {
      const { done, value } = await events.next();
      if (done) return undefined;
      const { id = '', type, data } = value;
      if (data !== undefined) return { id, type, data };
    }
  };
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    next,
    async [Symbol.asyncDispose](): Promise<void> {
      request.destroy();
    },
  };
}
