import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

/** A server-sent event as it came over the wire. */
export interface SentEvent {
  id: string;
  type: string;
  data: string;
}

export interface EventSource extends AsyncDisposable {
  status: number;
  headers: IncomingHttpHeaders;
  /** The next event; undefined when the stream has ended. */
  next(): Promise<SentEvent | undefined>;
}

/** Listens to server-sent events over real HTTP, on a connection of its own. */
export async function listen(url: string, headers: Record<string, string>): Promise<EventSource> {
  const request = http.get(url, { agent: false, headers: { accept: 'text/event-stream', ...headers } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks = response.setEncoding('utf8')[Symbol.asyncIterator]();
  let text = '';
  const next = async (): Promise<SentEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end === -1) {
        const read = await chunks.next();
        if (read.done) return undefined;
        text += read.value;
        continue;
      }
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field('data');
      if (data !== undefined) return { id: field('id') ?? '', type: field('event') ?? 'message', data };
    }
  };
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    next,
    async [Symbol.asyncDispose]() {
      request.destroy();
    },
  };
}
