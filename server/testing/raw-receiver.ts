import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface RawReceiver extends AsyncDisposable {
  /** Plain http; the same port does not speak TLS. */
  url: string;
  trustedHost: string;
  port: number;
  /** Every connection that arrived. */
  sockets: Socket[];
  /** Resolves once every caller has disconnected. */
  gone(): Promise<void>;
}

/** A receiver on 127.0.0.1 that sends whatever the test writes, HTTP or not. */
export async function startRawReceiver(onConnection: (socket: Socket) => void): Promise<RawReceiver> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    // A caller that disconnects is not an error.
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    trustedHost: `127.0.0.1:${port}`,
    port,
    sockets,
    async gone() {
      for (const socket of sockets) {
        // Not `once` of node:events: it would reject on a reset, which is also a disconnect.
        if (!socket.closed) await new Promise((resolve) => socket.resume().once('close', resolve));
      }
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
