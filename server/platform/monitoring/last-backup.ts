import type { Db, Tx } from '../database.ts';
import type { Platform } from '../platform.ts';

/** Records a successful backup of the database as of that time. */
export async function recordBackup(tx: Tx, takenAt: number): Promise<void> {
  await tx`
    insert into last_backup (taken_at) values (${takenAt})
    on conflict (is_the_one) do update set taken_at = excluded.taken_at`;
}

/** As of when the last successful backup is; undefined before the first. */
export async function findLastBackup(db: Db): Promise<number | undefined> {
  const [row] = await db<{ takenAt: number }[]>`select taken_at from last_backup`;
  return row?.takenAt;
}

export function watchBackups({ metrics, db, clock }: Platform): void {
  metrics.gauge(
    'parley_backup_age_seconds',
    'Age of the last good backup; +Inf before the first.',
    async () => (clock.now() - ((await findLastBackup(db)) ?? Number.NEGATIVE_INFINITY)) / 1000,
  );
}
