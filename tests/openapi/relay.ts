import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening } from '#testing/free-port.ts';

/** A request and its answer, as they went over the wire. */
export interface Exchange {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  status: number;
  answerHeaders: Headers;
  answer: string;
}

export type Relay = Awaited<ReturnType<typeof startRelay>>;

/** Forwards everything to a server, and records it. */
export async function startRelay(upstream: string) {
  const exchanges: Exchange[] = [];
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '/' } = request;
    const {
      host,
      connection,
      'content-length': length,
      ...headers
    } = request.headers as Record<string, string>;
    const body = (await buffer(request)).toString();
    const reply = await fetch(upstream + path, {
      method,
      headers,
      ...(body && { body }),
      redirect: 'manual',
    });
    const answer = await reply.text();
    const { status, headers: answerHeaders } = reply;
    exchanges.push({ method, path, headers, body, status, answerHeaders, answer });
    const passed = [...answerHeaders].filter(
      ([name]) => !/^(connection|content-encoding|content-length|transfer-encoding)$/.test(name),
    );
    response.writeHead(status, Object.fromEntries(passed)).end(answer);
  });
  return {
    url: `http://127.0.0.1:${await listening(server)}`,
    exchanges,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      server.close();
    },
  };
}
