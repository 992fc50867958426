import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/**
 * A port that is not in use. Ephemeral ports (from 32768) are avoided: the system could assign one to a connection before
 * the caller listens. A Redis cluster node also uses the port 10000 above its own.
 */
export async function findFreePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  const probe = createServer().listen(port);
  try {
    await once(probe, 'listening');
  } catch {
    return findFreePort();
  }
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Has a server of a test listen on this machine; returns its port. */
export async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  await once(server.listen(0, host), 'listening');
  return (server.address() as AddressInfo).port;
}
