import { Batcher } from '#platform/batch.ts';
import type { Database, Db } from '#platform/database.ts';
import { BUCKETS } from '#platform/ids.ts';
import { type KeyedTable, type Shards, UNSHARDED } from '#platform/partitioning/shards.ts';
import { distributedTables } from './tables.ts';

/** The layout of a fully or partly distributed database. */
export interface Distribution {
  /** The number of active workers. */
  workers: number;
  /** Nodes that Citus itself has switched off. */
  inactiveNodes: string[];
  /** The shard of each bucket. */
  shardOf: string[];
  /** The node of each bucket, `host:port`. */
  nodeOf: string[];
  /** Tables that are only on the coordinator because a later version added them. */
  undistributed: string[];
}

/** Undefined on plain PostgreSQL, and on Citus before `scale distribute`. */
export async function findDistribution(db: Db): Promise<Distribution | undefined> {
  const [known] = await db<{ isCitus: boolean }[]>`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as is_citus`;
  if (!known?.isCitus) return undefined;
  const tables = await db<{ name: string }[]>`
    select logicalrelid::text as name from pg_dist_partition where partmethod = 'h'`;
  const distributed = new Set(tables.map(({ name }) => name));
  if (!distributed.has('messages')) return undefined;
  const nodes = await db<{ name: string; isActive: boolean }[]>`
    select nodename || ':' || nodeport as name, isactive as is_active
    from pg_dist_node where shouldhaveshards order by 1`;
  const shards = await db<{ shard: string; node: string }[]>`
    select shardid::text as shard, nodename || ':' || nodeport as node
    from generate_series(0, ${BUCKETS - 1}) as bucket
    join pg_dist_shard_placement on shardid = get_shard_id_for_distribution_column('messages', bucket)
    order by bucket`;
  return {
    workers: nodes.filter(({ isActive }) => isActive).length,
    inactiveNodes: nodes.filter(({ isActive }) => !isActive).map(({ name }) => name),
    shardOf: shards.map(({ shard }) => shard),
    nodeOf: shards.map(({ node }) => node),
    undistributed: distributedTables()
      .map(({ table }) => table)
      .filter((table) => !distributed.has(table)),
  };
}

export function toShards(distribution: Distribution | undefined): Shards {
  if (!distribution) return UNSHARDED;
  const { workers, shardOf, nodeOf } = distribution;
  const buckets = shardOf.map((shard, bucket) => ({ shard, bucket }));
  const parts = [...Map.groupBy(buckets, ({ shard }) => shard).values()];
  return {
    isDistributed: true,
    workers,
    of: (bucket) => shardOf[bucket] ?? '',
    nodeOf: (bucket) => nodeOf[bucket] ?? '',
    parts,
    isAway: () => false,
    isAnyAway: async () => false,
  };
}

/** Of the nodes of rows, which are looked up only while a node is away. */
const MOST_KEPT = 10_000;

/** The location of rows in a running server, which a live conversion changes. */
export interface CurrentShards extends Shards {
  learn(db: Db): Promise<Distribution | undefined>;
}

export function createCurrentShards(db: Database): CurrentShards {
  /** By id. */
  const nodes = new Map<string, string | undefined>();
  const lookUps = new Batcher<string, string | undefined>(async (ids, table) => {
    const rows = await db<{ id: string; node: string }[]>`
      select id, nodename || ':' || nodeport as node from unnest(${ids}::text[]) as id
      join pg_dist_shard_placement on shardid = get_shard_id_for_distribution_column(${table}, id)`;
    const nodeOf = new Map(rows.map(({ id, node }) => [id, node]));
    return ids.map((id) => nodeOf.get(id));
  });
  const findNode = async (table: KeyedTable, id: string) => {
    const node = nodes.get(id) ?? (await lookUps.submit(id, table));
    nodes.set(id, node);
    return node;
  };
  const isNodeAway = (node: string | undefined) =>
    db.hosts.some(({ address, isUp }) => address === node && !isUp);
  const current: CurrentShards = {
    ...UNSHARDED,
    async learn(db) {
      const distribution = await findDistribution(db);
      const { isDistributed, workers, of, nodeOf, parts } = toShards(distribution);
      Object.assign(current, { isDistributed, workers, of, nodeOf, parts });
      return distribution;
    },
    isAway: ([first]) => first !== undefined && isNodeAway(current.nodeOf(first.bucket)),
    async isAnyAway(table, ids) {
      // Afterwards, rows may have moved.
      if (!db.isPartAway || nodes.size > MOST_KEPT) nodes.clear();
      if (!db.isPartAway) return false;
      return (await Promise.all(ids.map((id) => findNode(table, id)))).some(isNodeAway);
    },
  };
  return current;
}

/** One line for the operator. */
export function describeDistribution({
  workers,
  inactiveNodes,
  shardOf,
  undistributed,
}: Distribution): string {
  return [
    `the database is distributed: ${new Set(shardOf).size} shards on ${workers} workers`,
    ...(inactiveNodes.length > 0 ? [`switched off: ${inactiveNodes.join(', ')}`] : []),
    ...(undistributed.length > 0 ? [`not distributed: ${undistributed.join(', ')}`] : []),
  ].join('; ');
}
