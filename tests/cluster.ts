import { randomBytes } from 'node:crypto';
import type { Database } from '#platform/database.ts';
import { citusServers, createCluster, dropCluster, entriesOf, findCluster } from '#testing/citus.ts';

export interface ClusterDatabase extends AsyncDisposable {
  /** An address on each node, the coordinator's first. */
  nodes: [string, ...string[]];
}

/** A database of its own on the Citus cluster at CITUS_URL, migrated and distributed unless `fill` says otherwise. */
export async function createClusterDatabase(
  fill?: (db: Database) => Promise<unknown>,
): Promise<ClusterDatabase> {
  await findCluster(process.env['CITUS_URL'] ?? '');
  const servers = citusServers() ?? [];
  const name = `scratch_${randomBytes(4).toString('hex')}`;
  const drop = () => dropCluster(servers, name);
  try {
    await createCluster(servers, name, fill);
  } catch (error) {
    await drop();
    throw error;
  }
  return { nodes: entriesOf(`postgres://x/${name}`), [Symbol.asyncDispose]: drop };
}

/** One URL with several hosts. */
export function oneUrl(urls: readonly string[]): string {
  const [first] = urls.map((url) => new URL(url)) as [URL];
  return first.href.replace(first.host, urls.map((url) => new URL(url).host).join());
}
