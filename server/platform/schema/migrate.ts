import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { type Database, type Db, isDeadlock, isLockTimeout } from '../database.ts';
import { commandsOf, type PlaceTable, placing } from './migration-commands.ts';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const CREATE_LEDGER =
  'create table if not exists schema_migrations (name text primary key, applied_at bigint not null)';
const LOCK_TIMEOUT_MS = 300;
const PAUSE_MS = 200;
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
  const applied: string[] = [];
  for (const name of missing) {
    const plain = commandsOf(await readMigration(name));
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
    );
    if (isNew) applied.push(name);
  }
  return applied;
}

/** The migrations that the database still needs; requires only read access. */
export async function listMissingMigrations(db: Db): Promise<string[]> {
  const files = await listMigrationFiles();
  const [ledger] =
    await db`select from pg_tables where tablename = 'schema_migrations' and schemaname = 'public'`;
  if (!ledger) return files;
  const applied = await db<{ name: string }[]>`select name from schema_migrations`;
  const known = new Set(applied.map(({ name }) => name));
  return files.filter((name) => !known.has(name));
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
  for (const name of migrations) {
    for (const command of commandsOf(await readMigration(name))) await run(command);
    await run('insert into schema_migrations (name, applied_at) values ($1, $2)', [name, now]);
  }
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
