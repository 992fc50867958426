import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Longer than the slowest request may take; whoever is still talking then is never done. */
const GRACE_MS = 20_000;

/**
 * Node closes connections that are idle after a request, but waits for those that never sent one, as browsers open them
 * ahead, and no longer watches over those that send slowly: each of them would keep a server from closing.
 */
export function closeConnectionsOnClose(app: FastifyInstance, graceMs = GRACE_MS): void {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', (done) => {
    const closeUnused = () => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    };
    closeUnused();
    // Those that came until nothing listened any more.
    setImmediate(closeUnused);
    const timer = setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
    app.server.once('close', () => clearTimeout(timer));
    done();
  });
}
