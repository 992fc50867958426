import { CONNECTIONS_BESIDE_POOL, type Database, type Db } from '#platform/database.ts';
import { findUnsavedSince } from '#platform/last-backup.ts';
import { listMigrationFiles } from '#platform/migrate.ts';
import { describeDistribution, findDistribution } from '../distribution/shards.ts';
import { type DoctorDeps, type Finding, fault, ok, warning } from './finding.ts';

const OLDEST_POSTGRES = 15;
const SKEW_MS = 2000;
/** For the command line, a backup, and whoever looks into the database. */
const SPARE_CONNECTIONS = 5;

const HOUR_MS = 3_600_000;
/** One a night, and the time that it takes. */
const OLDEST_BACKUP_HOURS = 26;

/** Everything about the database itself, once it answers. */
export async function checkDatabase(
  deps: Pick<DoctorDeps, 'config' | 'clock'>,
  db: Database,
): Promise<Finding[]> {
  return [
    judgeVersion(await readNumber(db, 'server_version_num')),
    await checkClock(deps, db),
    await checkDurability(db),
    await checkConnections(deps, db),
    await checkMigrations(db),
    ...(await checkDistribution(db)),
  ];
}

export function judgeVersion(versionNumber: number): Finding {
  const major = Math.floor(versionNumber / 10_000);
  if (major >= OLDEST_POSTGRES) return ok('database version', `PostgreSQL ${major}`);
  return fault(
    'database version',
    `PostgreSQL ${major} is too old`,
    `use PostgreSQL ${OLDEST_POSTGRES} or later: pg_upgrade, or "parley backup" and "parley restore" into a new one`,
  );
}

async function checkClock({ clock }: Pick<DoctorDeps, 'clock'>, db: Db): Promise<Finding> {
  const before = clock.now();
  const [row] = await db<{ at: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as at`;
  const skew = Math.round((row?.at ?? before) - (before + clock.now()) / 2);
  if (Math.abs(skew) < SKEW_MS) return ok('clock', 'this machine and the database agree');
  return fault(
    'clock',
    `the clocks of this machine and the database are ${Math.round(Math.abs(skew) / 1000)} s apart`,
    'run a time service (chrony, systemd-timesyncd) on both: signatures, tokens and retries depend on the clock',
  );
}

async function checkDurability(db: Db): Promise<Finding> {
  const [row] = await db<{ off: string | null }[]>`
    select string_agg(name, ', ' order by name) as off from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`;
  if (!row?.off) return ok('durability', 'commits are on disk before they are acknowledged');
  return fault(
    'durability',
    `${row.off} is off: a power cut can lose acknowledged messages`,
    `set ${row.off} = on in postgresql.conf`,
  );
}

async function checkConnections({ config }: Pick<DoctorDeps, 'config'>, db: Db): Promise<Finding> {
  const allowed =
    (await readNumber(db, 'max_connections')) - (await readNumber(db, 'superuser_reserved_connections'));
  const perProcess = config.databasePoolSize + CONNECTIONS_BESIDE_POOL;
  const wanted = config.processes * perProcess + SPARE_CONNECTIONS;
  if (wanted <= allowed) return ok('connections', `${wanted} needed here, ${allowed} allowed`);
  return fault(
    'connections',
    `PROCESSES × (DATABASE_POOL_SIZE + ${CONNECTIONS_BESIDE_POOL}) + ${SPARE_CONNECTIONS} spare ones make ${wanted} connections, the database allows ${allowed}`,
    'lower DATABASE_POOL_SIZE, or raise max_connections',
  );
}

async function checkMigrations(db: Db): Promise<Finding> {
  const known = await listMigrationFiles();
  const [ledger] = await db`select 1 from pg_tables where tablename = 'schema_migrations'`;
  if (!ledger) return warning('schema', 'the database is empty', 'start the server, or run "parley migrate"');
  const rows = await db<{ name: string }[]>`select name from schema_migrations order by name`;
  const applied = rows.map(({ name }) => name);
  const later = applied.filter((name) => !known.includes(name));
  if (later.length > 0)
    return fault(
      'schema',
      `the schema is of a later version (${later.join(', ')})`,
      'install that version here as well',
    );
  const missing = known.filter((name) => !applied.includes(name));
  if (missing.length > 0)
    return fault(
      'schema',
      `not yet applied: ${missing.join(', ')}`,
      'start this version, or run "parley migrate"',
    );
  return ok('schema', `${applied.length} migrations, all applied`);
}

async function checkDistribution(db: Db): Promise<Finding[]> {
  const found = await findDistribution(db);
  if (!found) return [];
  const what = describeDistribution(found);
  if (found.inactiveNodes.length > 0)
    return [
      fault(
        'distribution',
        what,
        'see to the nodes, then "select citus_activate_node(…)" on the coordinator',
      ),
    ];
  if (found.undistributed.length > 0)
    return [
      fault('distribution', what, 'run "parley scale distribute": a later version brought these tables'),
    ];
  return [ok('distribution', what)];
}

/** Asks of a schema that is up to date. */
export async function checkBackup({ clock }: Pick<DoctorDeps, 'clock'>, db: Db): Promise<Finding> {
  const since = await findUnsavedSince(db);
  const hours = Math.floor((clock.now() - (since ?? clock.now())) / HOUR_MS);
  if (hours < OLDEST_BACKUP_HOURS) return ok('backup', `the last one is less than ${hours + 1} h old`);
  return warning(
    'backup',
    `no backup has succeeded for ${hours} h`,
    '"parley backup" every night, as deploy/systemd/parley-backup.timer does; see docs/operate/backup.md',
  );
}

async function readNumber(db: Db, name: string): Promise<number> {
  const [row] = await db<{ value: string }[]>`select current_setting(${name}) as value`;
  return Number(row?.value);
}
