import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests check the fields they expect
  body: any;
}

/** A client with one connection, and thus with one process behind a shared port. */
export class OneConnection implements Disposable {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  readonly #origin: string;
  /** Identifies the server's side of the connection. */
  localPort: number | undefined;

  constructor(origin: string) {
    this.#origin = origin;
  }

  async post(path: string, headers: Record<string, string>, body: object): Promise<Answered> {
    const request = http.request(this.#origin + path, {
      method: 'POST',
      agent: this.#agent,
      headers: { 'content-type': 'application/json', ...headers },
    });
    request.once('socket', (socket) => {
      const note = () => {
        this.localPort = socket.localPort;
      };
      if (socket.connecting) socket.once('connect', note);
      else note();
    });
    request.end(JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, body: await json(response) };
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
