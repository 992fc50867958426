import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { listening } from './free-port.ts';

export type RawReceiver = Awaited<ReturnType<typeof startRawReceiver>>;

/** A receiver on 127.0.0.1 that sends whatever the test writes, HTTP or not. */
export async function startRawReceiver(onConnection: (socket: Socket) => void) {
  /** Every connection that arrived. */
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    // A caller that disconnects is not an error.
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  const port = await listening(server);
  return {
    /** Plain http; the same port does not speak TLS. */
    url: `http://127.0.0.1:${port}/hook`,
    trustedHost: `127.0.0.1:${port}`,
    port,
    sockets,
    /** Resolves once every caller has disconnected. */
    async gone(): Promise<void> {
      for (const socket of sockets) {
        // Not `once` of node:events: it would reject on a reset, which is also a disconnect.
        if (!socket.closed) await new Promise((resolve) => socket.resume().once('close', resolve));
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
