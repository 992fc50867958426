import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Longer than the slowest request may take; a connection still open then would never end. */
const GRACE_MS = 20_000;
/** How long a connection that becomes idle may stay open while the server closes. */
const IDLE_MS = 100;
/** How long connections stay open for requests that are on their way: what is answered now says that it is the last answer. */
const LINGER_MS = 300;

/**
 * Closing waits for the requests under way on every connection, also on those that other sockets accepted, which Node does
 * not count. Node closes connections that are idle when it begins to close, but neither those that become idle later nor those
 * that never sent a request (browsers open them in advance), and stops timing out slow senders: each of these would keep a
 * server from closing. A client may be sending on an idle connection at that moment, and would find it reset, so connections are
 * idle for a while before they are closed.
 */
export function closeConnectionsOnClose(app: FastifyInstance, graceMs = GRACE_MS): void {
  const { server } = app;
  const sockets = new Set<Socket>();
  const timers: NodeJS.Timeout[] = [];
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const allClosed = () =>
    Promise.all([...sockets].map((socket) => new Promise((end) => socket.once('close', end))));
  app.addHook('preClose', async () => {
    const closeUnused = () => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    };
    closeUnused();
    // Connections accepted until the server stopped listening.
    setImmediate(closeUnused);
    timers.push(setTimeout(() => server.closeAllConnections(), graceMs));
    await Promise.race([allClosed(), pause(LINGER_MS)]);
    timers.push(setInterval(() => server.closeIdleConnections(), IDLE_MS));
  });
  app.addHook('onClose', async () => {
    await allClosed();
    for (const timer of timers) clearTimeout(timer);
  });
}

/**
 * A connection that is closed while its client still sends is reset, and the response is lost: a proxy then reports 502. So when
 * the last response of a connection is an error that comes before the end of the request, the rest is read and discarded first,
 * within the time that a body may take.
 */
export function readBeforeClosing(app: Pick<FastifyInstance, 'addHook'>): void {
  app.addHook('onError', ({ raw }, reply, _error, done) => {
    const { socket } = raw;
    const isLast = reply.hasHeader('connection') || /close/i.test(raw.headers.connection ?? '');
    if (isLast && !raw.complete && socket instanceof Socket) {
      const close = socket.destroySoon.bind(socket);
      socket.destroySoon = () => {
        if (raw.complete) return close();
        socket.end();
        raw.once('close', close).resume();
      };
    }
    done();
  });
}
