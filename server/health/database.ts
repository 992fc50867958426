import { say } from '#contract/reasons.ts';
import { createWriteProbe } from '#platform/database/failover/write-probe.ts';
import { CONNECTIONS_BESIDE_POOL, type Database, type Db } from '#platform/database.ts';
import { findLastBackup } from '#platform/monitoring/last-backup.ts';
import { isBefore02, laterMigrations, listMigrationFiles } from '#platform/schema/migrate.ts';
import { findDistribution } from '../distribution/shards.ts';
import {
  type DoctorDeps,
  type Finding,
  fault,
  faultOf,
  ok,
  reasonOf,
  warning,
  warningOf,
} from './finding.ts';

const OLDEST_POSTGRES = 15;
const SKEW_MS = 2000;
/** Reserved for the command line, backups and ad hoc sessions. */
const SPARE_CONNECTIONS = 5;

const NODES_TIMEOUT_MS = 3_000;

const HOUR_MS = 3_600_000;
/** One a day, plus the time that it takes. */
const OLDEST_BACKUP_HOURS = 26;

/** All checks of the database itself, once it answers. */
export async function checkDatabase(
  deps: Pick<DoctorDeps, 'config' | 'clock'>,
  db: Database,
): Promise<Finding[]> {
  return [
    await checkWrites(deps, db),
    checkVersion(await readNumber(db, 'server_version_num')),
    await checkClock(deps, db),
    await checkDurability(db),
    await checkConnections(deps, db),
    await checkMigrations(db),
    ...(await checkDistribution(db)),
  ];
}

async function checkWrites({ clock }: Pick<DoctorDeps, 'clock'>, db: Database): Promise<Finding> {
  try {
    await createWriteProbe(db, clock)();
    return ok('database', say('health.answers'));
  } catch (error) {
    return faultOf('database', 'health.database-read-only', { reason: reasonOf(error) });
  }
}

export function checkVersion(versionNumber: number): Finding {
  const major = Math.floor(versionNumber / 10_000);
  if (major >= OLDEST_POSTGRES) return ok('database version', say('health.version', { version: major }));
  return fault(
    'database version',
    say('health.version-old', { version: major }),
    say('health.version-old.remedy', { oldest: OLDEST_POSTGRES }),
  );
}

async function checkClock({ clock }: Pick<DoctorDeps, 'clock'>, db: Db): Promise<Finding> {
  const before = clock.now();
  const [row] = await db<{ at: number }[]>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as at`;
  const skew = Math.round((row?.at ?? before) - (before + clock.now()) / 2);
  if (Math.abs(skew) < SKEW_MS) return ok('clock', say('health.clock'));
  return faultOf('clock', 'health.clock-apart', { seconds: Math.round(Math.abs(skew) / 1000) });
}

async function checkDurability(db: Db): Promise<Finding> {
  const [row] = await db<{ off: string | null }[]>`
    select string_agg(name, ', ' order by name) as off from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`;
  if (!row?.off) return ok('durability', say('health.durable'));
  return fault(
    'durability',
    say('health.not-durable', { names: row.off }),
    say('health.not-durable.remedy', { names: row.off }),
  );
}

async function checkConnections({ config }: Pick<DoctorDeps, 'config'>, db: Db): Promise<Finding> {
  const allowed =
    (await readNumber(db, 'max_connections')) - (await readNumber(db, 'superuser_reserved_connections'));
  const perProcess = config.databasePoolSize + CONNECTIONS_BESIDE_POOL;
  const wanted = config.processes * perProcess + SPARE_CONNECTIONS;
  if (wanted <= allowed) return ok('connections', say('health.connections', { wanted, allowed }));
  const [beside, spare] = [CONNECTIONS_BESIDE_POOL, SPARE_CONNECTIONS];
  return faultOf('connections', 'health.connections-few', { beside, spare, wanted, allowed });
}

async function checkMigrations(db: Db): Promise<Finding> {
  const known = await listMigrationFiles();
  const [ledger] = await db`select 1 from pg_tables where tablename = 'schema_migrations'`;
  if (!ledger) return warningOf('schema', 'health.schema-empty');
  const rows = await db<{ name: string }[]>`select name from schema_migrations order by name`;
  const applied = rows.map(({ name }) => name);
  const later = laterMigrations(applied, known);
  if (later.length > 0) return faultOf('schema', 'health.schema-later', { names: later.join(', ') });
  if (isBefore02(applied, known)) return faultOf('schema', 'health.schema-before-0-2');
  const missing = known.filter((name) => !applied.includes(name));
  if (missing.length > 0) return faultOf('schema', 'health.schema-missing', { names: missing.join(', ') });
  return ok('schema', say('health.schema', { count: applied.length }));
}

async function checkDistribution(db: Database): Promise<Finding[]> {
  const found = await findDistribution(db);
  if (!found) return [];
  const { inactiveNodes, undistributed, shardOf, workers } = found;
  if (inactiveNodes.length > 0) {
    const what = say('health.nodes-off', { names: inactiveNodes.join(', ') });
    return [fault('distribution', what, say('health.nodes.remedy'))];
  }
  if (undistributed.length > 0)
    return [faultOf('distribution', 'health.undistributed', { names: undistributed.join(', ') })];
  const what = say('health.distribution', { shards: new Set(shardOf).size, workers });
  return [ok('distribution', what), await checkNodes(db)];
}

async function checkNodes(db: Database): Promise<Finding> {
  const silent = await findSilentNodes(db).catch(() => undefined);
  if (silent?.length === 0) return ok('nodes', say('health.nodes'));
  const what = silent ? say('health.nodes-away', { names: silent.join(', ') }) : say('health.node-hangs');
  return fault('nodes', what, say('health.nodes-away.remedy'));
}

/** @throws when a query to a node times out */
async function findSilentNodes(db: Database): Promise<string[]> {
  const rows = await db.begin(async (tx) => {
    await tx.unsafe(`set local statement_timeout = ${NODES_TIMEOUT_MS}`);
    return tx<{ name: string }[]>`
      select nodename || ':' || nodeport as name
      from run_command_on_all_nodes('select 1') join pg_dist_node using (nodeid) where not success order by 1`;
  });
  return rows.map(({ name }) => name);
}

/** Requires an up-to-date schema. */
export async function checkBackup({ clock }: Pick<DoctorDeps, 'clock'>, db: Db): Promise<Finding> {
  const takenAt = await findLastBackup(db);
  if (takenAt === undefined)
    return warning('backup', say('health.backup-none'), say('health.backup-old.remedy'));
  const hours = Math.floor((clock.now() - takenAt) / HOUR_MS);
  if (hours < OLDEST_BACKUP_HOURS) return ok('backup', say('health.backup', { hours: hours + 1 }));
  return warningOf('backup', 'health.backup-old', { hours });
}

async function readNumber(db: Db, name: string): Promise<number> {
  const [row] = await db<{ value: string }[]>`select current_setting(${name}) as value`;
  return Number(row?.value);
}
