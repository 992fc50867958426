import { type Db, openConnection } from '../database.ts';
import { noHost } from './connection-errors.ts';
import { Host, readAddresses } from './failover/hosts.ts';

/** The host where a database is migrated and claimed: on Citus the coordinator, otherwise the only one. */
export interface Coordinator {
  url: string;
  /** Statements may go to any node of the cluster, even while the coordinator is unreachable. */
  isDistributed: boolean;
}

interface Node {
  url: string;
  /** The coordinator's is 0; undefined without Citus. */
  group: number | undefined;
  isDistributed: boolean;
  /** The coordinator's address in the cluster's metadata. */
  coordinator: { host: string; port: number } | undefined;
}

/**
 * Finds the coordinator of a Citus cluster through any of its nodes; without Citus, returns the URL itself.
 *
 * @throws when no host answers, or when a host is not a node of the same cluster
 */
export async function findCoordinator(url: string): Promise<Coordinator> {
  const { urls } = readAddresses(url);
  const failures: [Host, Error][] = [];
  const answers = await Promise.all(
    urls.map((one) => askNode(one).catch((error) => void failures.push([new Host(one), error]))),
  );
  const nodes = answers.flatMap((answer) => answer ?? []);
  if (nodes.length === 0) throw noHost(failures);
  if (nodes.every(({ group }) => group === undefined)) return { url, isDistributed: false };
  const [stranger] = nodes.filter(({ group, isDistributed }) => group !== 0 && !isDistributed);
  if (stranger)
    throw new Error(
      `DATABASE_URL names ${new Host(stranger.url).name}, a Citus worker that does not know the tables: name the coordinator alone ` +
        'until the database is distributed, and then only workers with metadata (start_metadata_sync_to_all_nodes)',
    );
  const known = nodes.find(({ group }) => group === 0)?.url ?? addressOf(nodes);
  return { url: known, isDistributed: nodes.some(({ isDistributed }) => isDistributed) };
}

async function askNode(url: string): Promise<Node> {
  const connection = openConnection(url);
  const db: Db = connection.sql;
  try {
    const [citus] = await db`select from pg_extension where extname = 'citus'`;
    if (!citus) return { url, group: undefined, isDistributed: false, coordinator: undefined };
    const [local] = await db<{ group: number }[]>`select groupid as "group" from pg_dist_local_group`;
    const tables = await db`select from pg_dist_partition where partmethod = 'h' limit 1`;
    const [coordinator] = await db<{ host: string; port: number }[]>`
      select nodename as host, nodeport as port from pg_dist_node where groupid = 0`;
    return { url, group: local?.group, isDistributed: tables.length > 0, coordinator };
  } finally {
    await connection.close(1);
  }
}

/** The coordinator's address according to the nodes, if it is not in the URL. */
function addressOf(nodes: readonly Node[]): string {
  const [node] = nodes.filter(({ coordinator }) => coordinator !== undefined);
  if (!node?.coordinator)
    throw new Error('the Citus workers of DATABASE_URL know no coordinator: name it in DATABASE_URL');
  const url = new URL(node.url);
  url.searchParams.delete('host');
  url.searchParams.delete('port');
  url.hostname = node.coordinator.host;
  url.port = String(node.coordinator.port);
  return url.href;
}
