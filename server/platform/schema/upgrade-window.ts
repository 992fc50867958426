import type { Db } from '../database.ts';

/** The first migration of this version. */
const MIGRATION = '0032_sealed_webhook_urls.sql';
const WINDOW_MS = 86_400_000;
/** Concurrent processes take less time than this to create a schema. */
const CREATION_MS = 60_000;

/**
 * The time until which the previous version may run alongside this one, a day after the migration: data that it
 * reads in plain text is written in plain text until then (docs/decisions/0042-sealed-urls-and-hashed-keys.md).
 * 0 if it never ran, because the whole schema was created at once.
 */
export async function findUpgradeEnd(db: Db): Promise<number> {
  const [row] = await db<{ createdAt: number; migratedAt: number }[]>`
    select min(applied_at) as created_at, max(applied_at) filter (where name = ${MIGRATION}) as migrated_at
    from schema_migrations`;
  const { createdAt, migratedAt } = row as { createdAt: number; migratedAt: number };
  return migratedAt - createdAt < CREATION_MS ? 0 : migratedAt + WINDOW_MS;
}
