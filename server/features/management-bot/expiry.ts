import type { Platform } from '#platform/platform.ts';
import { deleteDialoguesBefore } from './queries.ts';

/** One step of the expiry worker: deletes abandoned dialogues. */
export async function removeExpiredDialogues({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  await db.begin((tx) => deleteDialoguesBefore(tx, clock.now()));
}
