import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { type Database, type Db, isDeadlock, isLockTimeout } from '../database.ts';

/** The command that distributes a new table on a cluster; undefined for one that needs none. */
export type PlaceTable = (table: string) => string | undefined;

const TOKEN = /'(?:[^']|'')*'|--[^\n]*|;|[^'\-;]+|-/g;

/** The commands of a migration, without comments: Citus takes one at a time. */
export function commandsOf(text: string): string[] {
  const commands = [''];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === ';') commands.push('');
    else if (!token.startsWith('--')) commands.push(`${commands.pop()}${token}`);
  }
  return commands.map((command) => command.trim()).filter((command) => command !== '');
}

const NEW_TABLE = /^create table (?:if not exists )?(\w+) \(/;
const REFERENCE = String.raw`references \w+ \([^)]*\)(?: on delete \w+)?`;
const OF_TABLE = new RegExp(String.raw`,\s*(foreign key \([^)]*\)\s+${REFERENCE})`, 'g');
const OF_COLUMN = new RegExp(String.raw`^(\s*(\w+) [^\n]*?) (${REFERENCE})`, 'gm');

/**
 * The same on a cluster: a table can reference distributed ones only once it is distributed itself, so its foreign keys are
 * added last, under their usual names.
 */
function placing(command: string, place: PlaceTable): string[] {
  const [, table] = NEW_TABLE.exec(command) ?? [];
  const placement = table === undefined ? undefined : place(table);
  if (table === undefined || placement === undefined) return [command];
  const references: string[] = [];
  const without = command
    .replace(OF_TABLE, (_, reference: string) => {
      references.push(reference);
      return '';
    })
    .replace(OF_COLUMN, (_, definition: string, column: string, reference: string) => {
      references.push(`foreign key (${column}) ${reference}`);
      return definition;
    });
  return [without, placement, ...references.map((reference) => `alter table ${table} add ${reference}`)];
}

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const CREATE_LEDGER =
  'create table if not exists schema_migrations (name text primary key, applied_at bigint not null)';
const LOCK_TIMEOUT_MS = 300;
const PAUSE_MS = 200;
/**
 * The last migration of the release 0.2.0. The files with smaller names are the baseline: they create in one go what its migrations led
 * to, so that a database on which it has run has them already.
 */
const LAST_OF_0_2 = '0125_running_processes.sql';
/** A minute or more: the operator has to find whatever locks a table for longer. */
const MOST_ATTEMPTS = 150;

/**
 * Brings the schema up to date. Files run forward only, in order of their names, each with its entry in one transaction; a
 * lock on the table of entries lets several processes start at once.
 *
 * @param place on a cluster
 * @returns the names that this call applied
 */
export async function migrate({
  db,
  clock,
  place,
}: {
  db: Database;
  clock: Clock;
  place?: PlaceTable | undefined;
}): Promise<string[]> {
  const missing = await listMissingMigrations(db);
  if (missing.length === 0) return [];
  await createLedger(db);
  const comesFrom02 = (await listApplied(db)).includes(LAST_OF_0_2);
  if (comesFrom02 && missing.some(isBaseline)) await requireNothingOf01(db);
  const applied: string[] = [];
  for (const name of missing) {
    const plain = comesFrom02 && isBaseline(name) ? [] : commandsOf(await readMigration(name));
    const commands = place ? plain.flatMap((command) => placing(command, place)) : plain;
    const isNew = await givingWay(() =>
      db.begin(async (tx) => {
        // However long another process holds the lock, and however large the tables are.
        await tx`set local statement_timeout = 0`;
        await tx`lock table schema_migrations in exclusive mode`;
        const [known] = await tx`select name from schema_migrations where name = ${name}`;
        if (known) return false;
        await tx.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
        if (place) await tx.unsafe(`set local citus.multi_shard_modify_mode = 'sequential'`);
        for (const command of commands) await tx.unsafe(command);
        await tx`insert into schema_migrations (name, applied_at) values (${name}, ${clock.now()})`;
        return true;
      }),
    ).catch((error) => {
      throw Object.assign(error, { message: `the migration ${name} failed: ${error.message}` });
    });
    if (isNew) applied.push(name);
  }
  return applied;
}

/**
 * The migrations that the database still needs; requires only read access.
 *
 * @throws with a message for the operator if the database is of a version before 0.2
 */
export async function listMissingMigrations(db: Db): Promise<string[]> {
  const files = await listMigrationFiles();
  const [ledger] =
    await db`select from pg_tables where tablename = 'schema_migrations' and schemaname = 'public'`;
  if (!ledger) return files;
  const applied = await listApplied(db);
  if (isBefore02(applied, files))
    throw new Error(
      'the database is of a version of Parley before 0.2: run version 0.2 on it for a day, then this one',
    );
  return files.filter((name) => !applied.includes(name));
}

/** Of migrations that a database or a backup has, those of a version later than this one. */
export function laterMigrations(applied: readonly string[], files: readonly string[]): string[] {
  return applied.filter((name) => name > LAST_OF_0_2 && !files.includes(name));
}

/** Whether a database or a backup with these migrations has to go through version 0.2 first. */
export function isBefore02(applied: readonly string[], files: readonly string[]): boolean {
  return !applied.includes(LAST_OF_0_2) && applied.some((name) => isBaseline(name) && !files.includes(name));
}

/**
 * Creates the schema that results from these migrations, in the caller's transaction: a restore needs the schema of its
 * backup. The database must not contain any of it.
 */
export async function createSchema(
  run: (text: string, values?: unknown[]) => Promise<unknown>,
  { migrations, now }: { migrations: readonly string[]; now: number },
): Promise<void> {
  await run(CREATE_LEDGER);
  const hasBaseline = migrations.includes(LAST_OF_0_2);
  for (const name of await listMigrationFiles()) {
    if (!migrations.includes(name) && !(hasBaseline && isBaseline(name))) continue;
    for (const command of commandsOf(await readMigration(name))) await run(command);
  }
  for (const name of migrations)
    await run('insert into schema_migrations (name, applied_at) values ($1, $2)', [name, now]);
}

/** Whether the migration belongs to the schema of version 0.2. */
export function isBaseline(name: string): boolean {
  return name < LAST_OF_0_2;
}

async function listApplied(db: Db): Promise<string[]> {
  const rows = await db<{ name: string }[]>`select name from schema_migrations`;
  return rows.map(({ name }) => name);
}

/** Version 0.2 moves what 0.1 wrote to other tables and columns, which takes it a day; this version reads only those. */
async function requireNothingOf01(db: Db): Promise<void> {
  const events = await db`select 1 from deliveries limit 1`;
  const webhookUrls = await db`select 1 from applications where webhook_url is not null limit 1`;
  if (events.length + webhookUrls.length > 0)
    throw new Error(
      'version 0.2 of Parley has not yet moved all that version 0.1 wrote: run it for a day, then this one',
    );
}

/**
 * A migration that waits for a table lock blocks everybody after it. So it gives way to the running version and retries,
 * before PostgreSQL (`deadlock_timeout`, 1 s) would abort one of that version's requests.
 */
async function givingWay<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isInTheWay = isDeadlock(error) || isLockTimeout(error);
      if (!isInTheWay || attempt === MOST_ATTEMPTS) throw error;
    }
    await pause(PAUSE_MS);
  }
}

/** The names of all migrations of this version, in order. */
export async function listMigrationFiles(): Promise<string[]> {
  return (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
}

function readMigration(name: string): Promise<string> {
  return readFile(new URL(name, MIGRATIONS), 'utf8');
}

async function createLedger(db: Database): Promise<void> {
  try {
    await db.unsafe(CREATE_LEDGER);
  } catch (error) {
    // Concurrent `if not exists` can still collide in the catalogue; then the other process has created the table.
    const [exists] = await db`select 1 from pg_tables where tablename = 'schema_migrations'`;
    if (!exists) throw error;
  }
}
