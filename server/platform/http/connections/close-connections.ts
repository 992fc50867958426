import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Longer than the slowest request may take; a connection still open then would never end. */
const GRACE_MS = 20_000;

/**
 * Node closes connections that are idle after a request, but waits for those that never sent one (browsers open them in
 * advance), and stops timing out slow senders: each of these would keep a server from closing.
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
    // Connections accepted until the server stopped listening.
    setImmediate(closeUnused);
    const timer = setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
    app.server.once('close', () => clearTimeout(timer));
    done();
  });
}
