import { setTimeout as pause } from 'node:timers/promises';
import { type Database, type Db, isDeadlock, isLockTimeout, type Tx } from '#platform/database.ts';
import { COORDINATOR_TABLES, distributedTables, placeTable, REFERENCE_TABLES } from './tables.ts';

export interface Distributed {
  tables: string[];
  /** Tables that were already distributed. */
  already: string[];
  workers: number;
}

/** How long to wait for a reader or a vacuum; all other queries queue behind the lock meanwhile. */
const LOCK_TIMEOUT = '5s';
const ATTEMPTS = 20;
const PAUSE_MS = 500;

/**
 * Turns a live database into a distributed one, on a Citus coordinator that knows its workers. Distributes every remaining
 * table in one transaction: an error leaves everything unchanged. Run it again after a migration to distribute new tables.
 *
 * @throws with a message for the operator: no Citus, no workers
 */
export async function distribute({ begin }: Pick<Database, 'begin'>): Promise<Distributed> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await begin(async (tx) => {
        const workers = await countWorkers(tx);
        return { workers, ...(await distributeTables(tx)) };
      });
    } catch (error) {
      const isInTheWay = isDeadlock(error) || isLockTimeout(error);
      if (!isInTheWay || attempt === ATTEMPTS) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/** @throws with a message for the operator: no Citus, no workers */
export async function countWorkers(db: Db): Promise<number> {
  const [extension] = await db`select 1 from pg_extension where extname = 'citus'`;
  if (!extension)
    throw new Error('this database has no Citus: create extension citus, and add its workers, first');
  const [nodes] = await db<{ count: number }[]>`
    select count(*) from citus_get_active_worker_nodes()`;
  const workers = nodes?.count ?? 0;
  if (workers === 0) throw new Error('the Citus coordinator knows no workers: add them by citus_add_node()');
  return workers;
}

/** Distributes the tables of the current schema that are not distributed yet. */
export async function distributeTables(tx: Tx): Promise<Pick<Distributed, 'tables' | 'already'>> {
  const { missing, others, already } = await findUndistributed(tx);
  const all = [...others, ...missing];
  if (all.length === 0) return { tables: [], already };
  await tx`set local statement_timeout = 0`;
  await tx.unsafe(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
  await tx`set local citus.multi_shard_modify_mode to 'sequential'`;
  // All at once and in a fixed order, to prevent deadlocks.
  await tx.unsafe(`lock table ${all.join(', ')} in access exclusive mode`);
  // A table cannot be distributed while another refers to it: foreign keys go first, and come back last.
  const references = await tx<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
      and conrelid::regclass::text = any(${missing})`;
  for (const { table, name } of references) await tx.unsafe(`alter table ${table} drop constraint ${name}`);
  for (const table of all) await tx.unsafe(placeTable(table) as string);
  for (const { table, name, definition } of references) {
    await tx.unsafe(`alter table ${table} add constraint ${name} ${definition}`);
  }
  return { tables: missing, already };
}

/** Tables of the current schema that are not distributed yet, in the order in which they can be. */
export async function findUndistributed(db: Db) {
  const known = await db<{ name: string }[]>`
    select relname::text as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where relnamespace = current_schema()::regnamespace and not relispartition`;
  const present = await db<{ name: string }[]>`
    select tablename::text as name from pg_tables where schemaname = current_schema()`;
  const already = known.map(({ name }) => name);
  const isMissing = (table: string) => present.some(({ name }) => name === table) && !already.includes(table);
  return {
    others: [...REFERENCE_TABLES, ...COORDINATOR_TABLES].filter(isMissing),
    missing: distributedTables().flatMap(({ table }) => (isMissing(table) ? table : [])),
    already,
  };
}
