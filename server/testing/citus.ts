import { systemClock } from '#platform/clock.ts';
import { type Database, type Db, openDatabase } from '#platform/database.ts';
import { migrate } from '#platform/schema/migrate.ts';
import { distribute } from '../distribution/distribute.ts';
import { PATIENT } from './waits.ts';

/** The addresses of the cluster's servers, the coordinator first; undefined on plain PostgreSQL. */
export function citusServers(): string[] | undefined {
  return process.env['TEST_CITUS_SERVERS']?.split(' ');
}

/** The name of a table without the number that its shards have on a cluster. */
export function withoutShard(table: string): string {
  return citusServers() ? table.replace(/_\d{6,}$/, '') : table;
}

/** How many sessions of a test database wait for a lock: on a cluster, on any of its nodes. */
export async function countWaiting(db: Db): Promise<number> {
  const command = `
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const rows = citusServers()
    ? await db<{ count: string }[]>`select result as count from run_command_on_all_nodes(${command})`
    : await db.unsafe<{ count: string }[]>(command);
  return rows.reduce((sum, { count }) => sum + Number(count), 0);
}

/** The addresses of a test database: on a cluster, every node. */
export function entriesOf(url: string): [string, ...string[]] {
  const name = new URL(url).pathname.slice(1);
  const [first = url, ...others] = (citusServers() ?? []).map((server) => inDatabase(server, name));
  return [first, ...others];
}

/** Makes tests of this process and its children run on the cluster with this coordinator. */
export async function findCluster(coordinator: string): Promise<void> {
  const nodes = await on(
    coordinator,
    (db) =>
      db<{ host: string; port: number }[]>`
        select nodename as host, nodeport as port from pg_dist_node where shouldhaveshards order by 1, 2`,
  );
  if (nodes.length === 0)
    throw new Error('the database of CITUS_URL knows no workers: add them by citus_add_node()');
  const workers = nodes.map(({ host, port }) => {
    const url = new URL(coordinator);
    url.hostname = host;
    url.port = String(port);
    return url.href;
  });
  process.env['TEST_CITUS_SERVERS'] = [coordinator, ...workers].join(' ');
  process.env['TEST_DATABASE_URL'] = coordinator;
}

/** Creates a database that is a separate cluster, and fills it. */
export async function createCluster(
  servers: string[],
  name: string,
  fill: (db: Database) => Promise<unknown> = migrateAndDistribute,
): Promise<void> {
  const [coordinator, ...workers] = servers.map((server) => inDatabase(server, name)) as [
    string,
    ...string[],
  ];
  for (const server of servers) {
    await on(server, (db) => db.unsafe(`create database ${name}`));
    await on(inDatabase(server, name), (db) => db.unsafe('create extension citus'));
  }
  await on(coordinator, async (db) => {
    const { hostname, port } = new URL(coordinator);
    await db`select citus_set_coordinator_host(${hostname}, ${Number(port)})`;
    for (const worker of workers) {
      const { hostname, port } = new URL(worker);
      await db`select citus_add_node(${hostname}, ${Number(port)})`;
    }
    await db.unsafe(`set citus.shard_count = ${SHARDS}`);
    await fill(db);
  });
}

async function migrateAndDistribute(db: Database): Promise<void> {
  await migrate({ db, clock: systemClock });
  await distribute(db);
}

const SHARDS = 8;

/** Copies a cluster's database on each of its servers; its tables contain the metadata of the nodes. */
export async function copyCluster(servers: string[], name: string, template: string): Promise<void> {
  await Promise.all(
    servers.map((server) =>
      on(server, (db) => db.unsafe(`create database ${name} template ${template} strategy file_copy`)),
    ),
  );
}

export async function dropCluster(servers: string[], name: string): Promise<void> {
  for (const server of servers)
    await on(server, (db) => db.unsafe(`drop database if exists ${name} with (force)`));
}

/** Ends the sessions of a database, including those of Citus itself, and refuses new ones, so that it can be copied. */
export async function closeCluster(servers: string[], name: string): Promise<void> {
  for (const server of servers) {
    await on(server, async (db) => {
      await db.unsafe(`alter database ${name} with allow_connections false`);
      await db`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${name}`;
    });
  }
}

/** Removes all rows, shard by shard, on each server: faster than through the coordinator. */
export async function emptyCluster(servers: string[], name: string, partitionsToDrop: RegExp): Promise<void> {
  await on(inDatabase(servers[0] as string, name), async (db) => {
    const partitions = await db<{ name: string }[]>`
      select relname::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname ~ ${partitionsToDrop.source}`;
    for (const { name } of partitions) await db.unsafe(`drop table ${name}`);
  });
  await Promise.all(
    servers.map((server) =>
      on(inDatabase(server, name), async (db) => {
        await db.unsafe(
          `set citus.override_table_visibility = off; set citus.enable_manual_changes_to_shards = on;
          set session_replication_role = replica`,
        );
        const shards = await db<{ name: string }[]>`
          select relname::text as name from pg_class
          where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
            and relname ~ '_[0-9]+$' and relname !~ '^schema_migrations_'`;
        await db.unsafe(shards.map(({ name }) => `delete from ${name};`).join(''));
      }),
    ),
  );
}

async function on<T>(url: string, work: (db: Database) => PromiseLike<T>): Promise<T> {
  const db = openDatabase({ url, poolSize: 1, ...PATIENT });
  try {
    return await work(db);
  } finally {
    await db.end({ timeout: 5 });
  }
}

function inDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
