import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port that nobody listens on. The system gives out those from 32768 on by itself, for connections too: one of them
 * could be taken again before whoever asked has begun to listen. A node of a Redis cluster also takes the port 10000 above
 * its own.
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
