import type { Db, Tx } from '../database.ts';
import type { Platform } from '../platform.ts';

/** Notes that a whole backup was written of the database as it was then. */
export async function recordBackup(tx: Tx, takenAt: number): Promise<void> {
  await tx`
    insert into last_backup (taken_at) values (${takenAt})
    on conflict (is_the_one) do update set taken_at = excluded.taken_at`;
}

/** Since when no backup has been written: since the last good one or, where there was none, since the first start. */
export async function findUnsavedSince(db: Db): Promise<number | undefined> {
  const [row] = await db<{ since: number | null }[]>`
    select coalesce((select taken_at from last_backup), (select min(applied_at) from schema_migrations)) as since`;
  return row?.since ?? undefined;
}

export function watchBackups({ metrics, db, clock }: Pick<Platform, 'metrics' | 'db' | 'clock'>): void {
  metrics.gauge(
    'parley_backup_age_seconds',
    'Age of the last good backup; since the first start where there was none.',
    async () => (clock.now() - ((await findUnsavedSince(db)) ?? clock.now())) / 1000,
  );
}
