import { type Db, openConnection } from '../database.ts';
import { noHost } from './connect.ts';
import { Host, readAddresses } from './failover/hosts.ts';

/** Where a database is changed and claimed as a whole: the only place, but on Citus the coordinator. */
export interface Coordinator {
  url: string;
  /** Statements may go to any node of the cluster, whether this one is there or not. */
  isDistributed: boolean;
}

interface Node {
  url: string;
  /** The coordinator's is 0; undefined without Citus. */
  group: number | undefined;
  isDistributed: boolean;
  /** The coordinator, as the nodes call it. */
  coordinator: { host: string; port: number } | undefined;
}

/**
 * Finds the coordinator of a Citus cluster by way of any of its nodes; anywhere else the URL itself is the place.
 *
 * @throws when no host answers, or when one is a node that has nothing to do with the database of the others
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

/** The coordinator's address is not in the URL; the nodes know one. */
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
