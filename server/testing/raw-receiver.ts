import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface RawReceiver extends AsyncDisposable {
  /** Over plain http; the same port under https meets no TLS. */
  url: string;
  trustedHost: string;
  port: number;
  /** Every connection that arrived. */
  sockets: Socket[];
  /** Once every caller has hung up. */
  gone(): Promise<void>;
}

/** A receiver on 127.0.0.1 that speaks whatever the test writes, HTTP or not. */
export async function startRawReceiver(onConnection: (socket: Socket) => void): Promise<RawReceiver> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    // A caller that hangs up is nothing to report.
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
        // Not `once` of node:events: it would take a reset, which is one way of hanging up, for a failure.
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
