import { systemClock } from '#platform/clock.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { BUCKETS } from '#platform/ids.ts';
import type { Shards } from '#platform/partitioning/shards.ts';
import { migrate } from '#platform/schema/migrate.ts';
import { toShards } from '../distribution/shards.ts';
import { distributedTables } from '../distribution/tables.ts';
import { createEmptyDatabase, type TestDatabase } from './database.ts';
import { PATIENT } from './waits.ts';

export const REMAINDERS = 4;

export interface ShadowDatabase extends TestDatabase {
  /** One shard for each partition. */
  shards: Shards;
}

/**
 * A database that imitates the schema of a cluster: every table is hash-partitioned by its distribution key, so that
 * PostgreSQL itself requires every primary key, unique index and foreign key to fit within one partition.
 */
export async function createShadowDatabase(): Promise<ShadowDatabase> {
  const database = await createEmptyDatabase();
  const db = openDatabase({ url: database.url, poolSize: 1, ...PATIENT });
  await migrate({ db, clock: systemClock });
  const references = await readReferences(db);
  for (const { table, key } of distributedTables()) {
    await db.unsafe(`alter table ${table} rename to plain_${table}`);
    await db.unsafe(`
      create table ${table} (like plain_${table} including defaults including constraints including indexes)
      partition by hash (${key})`);
    for (let remainder = 0; remainder < REMAINDERS; remainder++) {
      await db.unsafe(`
        create table ${table}_of_${remainder} partition of ${table}
        for values with (modulus ${REMAINDERS}, remainder ${remainder})`);
    }
  }
  for (const { table, definition } of references) await db.unsafe(`alter table ${table} add ${definition}`);
  for (const { table } of distributedTables()) await db.unsafe(`drop table plain_${table} cascade`);
  const remainders = await db<{ shard: string }[]>`
    select remainder::text as shard
    from generate_series(0, ${BUCKETS - 1}::integer) as bucket
    cross join generate_series(0, ${REMAINDERS - 1}::integer) as remainder
    where satisfies_hash_partition('messages'::regclass, ${REMAINDERS}::integer, remainder, bucket) order by bucket`;
  await db.end({ timeout: 5 });
  const shardOf = remainders.map(({ shard }) => shard);
  const shards = toShards({ workers: 1, inactiveNodes: [], undistributed: [], shardOf, nodeOf: [] });
  return { ...database, shards };
}

/** Foreign keys, which `like` leaves out. */
async function readReferences(db: Database): Promise<{ table: string; definition: string }[]> {
  return db<{ table: string; definition: string }[]>`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f'`;
}
