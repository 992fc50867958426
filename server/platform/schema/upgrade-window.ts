import type { Db } from '../database.ts';

/** The schema of this version begins here. */
const MIGRATION = '0032_sealed_webhook_urls.sql';
const WINDOW_MS = 86_400_000;
/** Several processes that create a schema at once need less. */
const CREATION_MS = 60_000;

/**
 * Until when the version before may serve beside this one, a day after the migration: what that version reads in the clear
 * is written in the clear until then (docs/decisions/0042-sealed-urls-and-hashed-keys.md). 0 where it never served, because
 * the whole schema was made at once.
 */
export async function findUpgradeEnd(db: Db): Promise<number> {
  const [row] = await db<{ createdAt: number; migratedAt: number }[]>`
    select min(applied_at) as created_at, max(applied_at) filter (where name = ${MIGRATION}) as migrated_at
    from schema_migrations`;
  const { createdAt, migratedAt } = row as { createdAt: number; migratedAt: number };
  return migratedAt - createdAt < CREATION_MS ? 0 : migratedAt + WINDOW_MS;
}
