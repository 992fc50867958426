import { CLAIM } from '#platform/database/claim.ts';
import { isAnyUnaware, stopServers } from '#platform/database/serving.ts';
import { type Database, type Db, openConnection } from '#platform/database.ts';
import { listMissingMigrations } from '#platform/schema/migrate.ts';
import { countWorkers, type Distributed, distribute } from './distribute.ts';

export interface Converted extends Distributed {
  /** How long the servers were paused. */
  pausedMs: number;
}

/**
 * Distributes a database in use. Servers pause meanwhile, answer 503, and then resume by themselves with the new location of
 * the tables. If it is interrupted, nothing has changed, and it can be run again.
 *
 * @throws with a message for the operator; nothing has changed then
 */
export async function convert(db: Database, url: string): Promise<Converted> {
  const obstacles = await findObstacles(db);
  if (obstacles.length > 0) throw new Error(obstacles.join('\n'));
  const session = openConnection(url);
  try {
    // If this process is killed, its session would otherwise continue with its statement.
    await session.sql.unsafe("set client_connection_check_interval = '1s'");
    await stopServers(session);
    const begun = performance.now();
    // In the session that holds the servers' lock, so that they resume only once it has ended.
    const distributed = await distribute({ begin: (work) => session.transact(work) });
    return { ...distributed, pausedMs: performance.now() - begun };
  } finally {
    await session.close(1);
  }
}

/** Obstacles that have to be removed before the database can be distributed. */
export async function findObstacles(db: Db): Promise<string[]> {
  await countWorkers(db);
  const obstacles: string[] = [];
  const missing = await listMissingMigrations(db);
  if (missing.length > 0)
    obstacles.push(`the schema is of an older version: start this one, or run "parley migrate", first`);
  const nodes = await db<{ name: string; group: number; isSynced: boolean; isActive: boolean }[]>`
    select nodename || ':' || nodeport as name, groupid as "group", metadatasynced as is_synced,
      isactive as is_active
    from pg_dist_node where noderole = 'primary' order by groupid`;
  if (nodes.every(({ group }) => group !== 0))
    obstacles.push('the nodes do not know their coordinator: "select citus_set_coordinator_host(…)" on it');
  for (const { name, isSynced, isActive } of nodes) {
    if (!isActive) obstacles.push(`${name} is switched off: "select citus_activate_node(…)"`);
    else if (!isSynced)
      obstacles.push(
        `${name} has no metadata: "select start_metadata_sync_to_all_nodes()" on the coordinator`,
      );
  }
  const prepared = await db<{ success: boolean; result: string }[]>`
    select success, result from run_command_on_all_nodes('show max_prepared_transactions')`;
  if (prepared.some(({ success }) => !success)) obstacles.push('not every node of the cluster answers');
  else if (prepared.some(({ result }) => Number(result) === 0))
    obstacles.push('max_prepared_transactions is 0 on a node: Citus commits on several nodes with it');
  if (await isAnyUnaware(db, CLAIM))
    obstacles.push('a server of an older version runs, which would not stop for it: upgrade it, or stop it');
  return obstacles;
}
