import type { Platform } from '#platform/platform.ts';
import { deleteDialoguesBefore } from './queries.ts';

/** One step of the expiry worker: forgets talks that nobody went on with. */
export async function removeExpiredDialogues({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  await db.begin((tx) => deleteDialoguesBefore(tx, clock.now()));
}
