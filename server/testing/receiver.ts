import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Authority, type Certificate, createAuthority, createSelfSigned } from './certificates.ts';
import { listening } from './free-port.ts';
import { LONGEST_WAIT_MS } from './waits.ts';

export type ReceiverTls = 'valid' | 'expired' | 'wrong-name' | 'self-signed' | 'plain';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
  /** Epoch milliseconds. */
  receivedAt: number;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/**
 * Answers the n-th request (from 1). A function that returns nothing handles the response itself: it may trickle, flood, or
 * stay silent.
 */
export type Respond = (
  request: ReceivedRequest,
  n: number,
  response: ServerResponse,
) => Reply | undefined | Promise<Reply | undefined>;

export interface ReceiverOptions {
  tls?: ReceiverTls;
  /** The host in `url`; the valid certificate is for this one, localhost and 127.0.0.1. */
  host?: string;
  /** For sharing one authority among receivers. */
  authority?: Authority;
  respond?: Respond;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A webhook receiver on 127.0.0.1; a lookup passed to the guard gives it a public-looking name. */
export async function startReceiver(options: ReceiverOptions = {}) {
  const { tls = 'valid', host = 'hooks.example.test', authority = createAuthority(), respond } = options;
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const arrivals = new EventTarget();
  let connections = 0;

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      rawBody: await buffer(incoming),
      receivedAt: Date.now(),
    };
    const n = requests.push(request);
    arrivals.dispatchEvent(new Event('arrival'));
    const reply = respond ? await respond(request, n, response) : {};
    if (!reply) return;
    response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
  };
  const listener = (incoming: IncomingMessage, response: ServerResponse) => {
    // A caller that disconnects is not an error.
    handle(incoming, response).catch(() => response.destroy());
  };

  const server =
    tls === 'plain'
      ? http.createServer(listener)
      : https.createServer(certificateFor(tls, host, authority), listener);
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const port = await listening(server);

  return {
    url: `${tls === 'plain' ? 'http' : 'https'}://${host}:${port}/hook`,
    /** `host:port`, as `WEBHOOK_TRUSTED_HOSTS` takes it. */
    trustedHost: `${host}:${port}`,
    port,
    /** PEM of the authority that issued the certificate. */
    ca: authority.pem,
    requests,
    /** How many TCP connections arrived, with or without a request. */
    get connections() {
      return connections;
    },
    /** Resolves with the requests once there are that many. */
    async waitFor(count: number): Promise<ReceivedRequest[]> {
      const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
      while (requests.length < count) {
        await once(arrivals, 'arrival', { signal }).catch(() => {
          throw new Error(`${requests.length} of ${count} requests arrived`);
        });
      }
      return requests;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function certificateFor(tls: Exclude<ReceiverTls, 'plain'>, host: string, authority: Authority): Certificate {
  const hosts = [host, 'localhost', '127.0.0.1'];
  switch (tls) {
    case 'valid':
      return authority.issue({ hosts });
    case 'expired':
      return authority.issue({
        hosts,
        validFrom: new Date('2020-01-01'),
        validUntil: new Date('2020-02-01'),
      });
    case 'wrong-name':
      return authority.issue({ hosts: ['other.example.test'] });
    case 'self-signed':
      return createSelfSigned({ hosts });
    default:
      return tls satisfies never;
  }
}
