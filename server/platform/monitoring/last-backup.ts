import type { Db, Tx } from '../database.ts';
import type { Platform } from '../platform.ts';

/** Records a successful backup of the database as of that time. */
export async function recordBackup(tx: Tx, takenAt: number): Promise<void> {
  await tx`
    insert into last_backup (taken_at) values (${takenAt})
    on conflict (is_the_one) do update set taken_at = excluded.taken_at`;
}

/**
 * The time since which there has been no backup: that of the last successful one, or of the first start if there was none.
 */
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
