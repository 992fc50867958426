import type { Value } from '#platform/database/values.ts';
import type { Database, Db, Tx } from '#platform/database.ts';
import { createSchema, listMigrationFiles } from '#platform/schema/migrate.ts';
import { distributeTables, findUndistributed } from './distribute.ts';

export interface Rehearsal {
  tables: { table: string; bytes: number }[];
  bytes: number;
  /** How long the conversion took on empty tables. */
  emptyMs: number;
  /** How fast rows were copied to the workers; undefined if there are too few to measure. */
  bytesPerSecond: number | undefined;
  /** How long the servers would be paused. */
  estimatedMs: number;
}

const SAMPLE_ROWS = 20_000;
/** Fewer rows allow no extrapolation. */
const LEAST_ROWS = 1_000;
const SCHEMA = 'parley_rehearsal';

/**
 * Runs the conversion on empty copies of the tables and on a sample of the messages, in a transaction that is rolled back.
 * Its locks block nobody.
 *
 * @throws the error from Citus
 */
export async function rehearse(db: Database): Promise<Rehearsal> {
  const tables = await measureTables(db);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  const { emptyMs, bytesPerSecond } = await undone(db, async (tx) => {
    await tx`set local statement_timeout = 0`;
    // As in the conversion; besides, after a parallel copy Citus refuses to create a schema in the same transaction.
    await tx`set local citus.multi_shard_modify_mode to 'sequential'`;
    const rate = await measureRate(tx);
    await tx.unsafe(`create schema ${SCHEMA}`);
    await tx.unsafe(`set local search_path = ${SCHEMA}`);
    const run = (text: string, values: unknown[] = []) => tx.unsafe(text, values as Value[]);
    await createSchema(run, { migrations: await listMigrationFiles(), now: 0 });
    const begun = performance.now();
    await distributeTables(tx);
    return { emptyMs: performance.now() - begun, bytesPerSecond: rate };
  });
  const copyMs = bytesPerSecond === undefined ? 0 : (bytes / bytesPerSecond) * 1000;
  return { tables, bytes, emptyMs, bytesPerSecond, estimatedMs: emptyMs + copyMs };
}

/** Sizes include indexes and partitions. */
async function measureTables(db: Db): Promise<{ table: string; bytes: number }[]> {
  const { others, missing } = await findUndistributed(db);
  return db<{ table: string; bytes: number }[]>`
    select relname::text as table,
      (pg_total_relation_size(oid) + (
        select coalesce(sum(pg_total_relation_size(inhrelid)), 0) from pg_inherits where inhparent = c.oid
      ))::bigint as bytes
    from pg_class c
    where relnamespace = current_schema()::regnamespace and relname = any(${[...others, ...missing]})
    order by 2 desc, 1`;
}

async function measureRate(tx: Tx): Promise<number | undefined> {
  await tx`create table sample_of_messages (like messages including all)`;
  const { count } = await tx`
    insert into sample_of_messages select * from messages limit ${tx.constant(SAMPLE_ROWS)}`;
  if (count < LEAST_ROWS) return undefined;
  const [size] = await tx<{ bytes: number }[]>`
    select pg_total_relation_size('sample_of_messages') as bytes`;
  const begun = performance.now();
  await tx`select create_distributed_table('sample_of_messages', 'bucket', colocate_with => 'none')`;
  return ((size?.bytes ?? 0) / (performance.now() - begun)) * 1000;
}

async function undone<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const undo = new Error('undone');
  let result: T | undefined;
  await db
    .begin(async (tx) => {
      result = await work(tx);
      throw undo;
    })
    .catch((error) => {
      if (error !== undo) throw error;
    });
  return result as T;
}
