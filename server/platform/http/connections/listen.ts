import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface ListenOptions {
  host: string;
  port: number;
  /** Other processes of this server listen on the same port, which is therefore known to be theirs. */
  isShared?: boolean;
}

/** Node accepts one connection per socket in each turn of its event loop: with one socket, a burst waits for as many turns. */
const SOCKETS = 64;
/** Connections that wait to be accepted, as far as the kernel allows; clients repeat what does not fit after 1, 3 and 7 s. */
const BACKLOG = 4_096;
/** Several sockets on one port. Elsewhere the kernel would not spread connections over them. */
const isShareable = process.platform === 'linux';

/** Serves on a port; stops accepting connections when disposed of, before the application is closed. */
export async function listen(app: FastifyInstance, options: ListenOptions): Promise<AsyncDisposable> {
  const { host, isShared = false } = options;
  if (!isShareable) {
    await app.listen({ host, port: options.port });
    return new AsyncDisposableStack();
  }
  const port = isShared ? options.port : await findPort(options);
  const shared = { reusePort: true, backlog: BACKLOG };
  await app.listen({ host, port, ...shared });
  const sockets = app.addresses().flatMap((at) => {
    if (typeof at === 'string') return [];
    const same = { host: at.address, port, ...shared };
    return Array.from({ length: SOCKETS - 1 }, () => openSocket(app.server).listen(same));
  });
  await Promise.all(sockets.map((socket) => once(socket, 'listening')));
  return {
    // Its connections are the application's to close.
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.close();
    },
  };
}

/** With the options of an HTTP server’s own socket. */
function openSocket(server: Server): Server {
  return createServer(
    { allowHalfOpen: true, noDelay: true },
    (connection) => void server.emit('connection', connection),
  );
}

/**
 * The port that several sockets will share: a free one if `port` is 0.
 *
 * @throws when another program uses it; with `reusePort` they would silently share it
 */
export async function findPort({ host, port }: ListenOptions): Promise<number> {
  const probe = createServer().listen({ host, port });
  await once(probe, 'listening');
  const { port: found } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return found;
}
