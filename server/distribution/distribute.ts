import type { Database } from '#platform/database.ts';
import { distributedTables, placeTable, REFERENCE_TABLES } from './tables.ts';

export interface Distributed {
  tables: string[];
  /** Were distributed before. */
  already: string[];
  workers: number;
}

/**
 * Turns a live database into a distributed one, on a Citus coordinator whose workers are known to it. Every table that is
 * not distributed yet is, in one transaction: writers wait meanwhile, and a fault leaves everything as it was. Done
 * again after a later migration, it distributes what came with that.
 *
 * @throws with a message for the operator: no Citus, no workers
 */
export async function distribute(db: Database): Promise<Distributed> {
  const [extension] = await db`select 1 from pg_extension where extname = 'citus'`;
  if (!extension)
    throw new Error('this database has no Citus: create extension citus, and add its workers, first');
  const [nodes] = await db<{ count: number }[]>`
    select count(*) from citus_get_active_worker_nodes()`;
  const workers = nodes?.count ?? 0;
  if (workers === 0) throw new Error('the Citus coordinator knows no workers: add them by citus_add_node()');
  const known = new Set(
    (await db<{ name: string }[]>`select table_name::text as name from citus_tables`).map(({ name }) => name),
  );
  const present = new Set(
    (
      await db<{ name: string }[]>`select tablename::text as name from pg_tables where schemaname = 'public'`
    ).map(({ name }) => name),
  );
  const missing = distributedTables().filter(({ table }) => present.has(table) && !known.has(table));
  await db.begin(async (tx) => {
    await tx`set local statement_timeout = 0`;
    await tx`set local citus.multi_shard_modify_mode to 'sequential'`;
    // A table cannot be distributed while another refers to it: foreign keys go first, and come back last.
    const references = await tx<{ table: string; name: string; definition: string }[]>`
      select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint
      where contype = 'f' and conparentid = 0 and conrelid::regclass::text = any(${missing.map(({ table }) => table)})`;
    for (const { table, name } of references) await tx.unsafe(`alter table ${table} drop constraint ${name}`);
    const tables = [
      ...REFERENCE_TABLES.filter((table) => present.has(table) && !known.has(table)),
      ...missing.map(({ table }) => table),
    ];
    for (const table of tables) await tx.unsafe(placeTable(table) as string);
    for (const { table, name, definition } of references) {
      await tx.unsafe(`alter table ${table} add constraint ${name} ${definition}`);
    }
  });
  return { tables: missing.map(({ table }) => table), already: [...known], workers };
}
