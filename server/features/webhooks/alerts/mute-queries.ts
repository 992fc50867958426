import type { LockedApplication } from '#features/applications/index.ts';
import type { Db, Tx } from '#platform/database.ts';

export async function findAlertsMuted(db: Db, appId: string): Promise<number | null> {
  const [row] = await db<{ alertsMutedUntil: number | null }[]>`
    select alerts_muted_until from applications where app_id = ${appId}`;
  return row?.alertsMutedUntil ?? null;
}

export async function updateAlertsMuted(
  tx: Tx,
  { appId }: LockedApplication,
  mutedUntil: number | null,
): Promise<void> {
  await tx`update applications set alerts_muted_until = ${mutedUntil} where app_id = ${appId}`;
}
