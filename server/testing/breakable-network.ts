import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between this process and a database, which can fail silently like a real network. */
export interface BreakableNetwork extends AsyncDisposable {
  /** The database's URL through the proxy. */
  url: string;
  /** Stops all traffic; new connections are accepted but not served. */
  freeze(): void;
  /** Resumes traffic, starting with the data held back. */
  thaw(): void;
  /** Serves new connections again; frozen ones stay silent forever. */
  replace(): void;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts new connections again. */
  mend(): Promise<void>;
  /** The number of open connections. */
  readonly connections: number;
}

export async function createBreakableNetwork(databaseUrl: string): Promise<BreakableNetwork> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const nearEnds = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    nearEnds.add(near);
    near.on('close', () => nearEnds.delete(near));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isFrozen) from.pause();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  // By TCP, not by the Unix socket.
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(port);
  const cut = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server.close(), 'close');
  };
  return {
    url: url.href,
    get connections() {
      return nearEnds.size;
    },
    cut,
    async mend() {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    replace() {
      isFrozen = false;
    },
    [Symbol.asyncDispose]: cut,
  };
}
