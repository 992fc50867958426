import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listening } from './free-port.ts';

export type BreakableNetwork = Awaited<ReturnType<typeof createBreakableNetwork>>;

/** A proxy between this process and a database, which can fail silently like a real network. */
export async function createBreakableNetwork(databaseUrl: string) {
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
  });
  const port = await listening(server);
  const url = new URL(databaseUrl);
  // By TCP, not by the Unix socket.
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String(port);
  /** Breaks every connection and refuses new ones. */
  const cut = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server.close(), 'close');
  };
  return {
    /** The database's URL through the proxy. */
    url: url.href,
    /** The number of open connections. */
    get connections() {
      return nearEnds.size;
    },
    cut,
    /** Accepts new connections again. */
    async mend(): Promise<void> {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
    /** Stops all traffic; new connections are accepted but not served. */
    freeze(): void {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    /** Resumes traffic, starting with the data held back. */
    thaw(): void {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    /** Serves new connections again; frozen ones stay silent forever. */
    replace(): void {
      isFrozen = false;
    },
    [Symbol.asyncDispose]: cut,
  };
}
