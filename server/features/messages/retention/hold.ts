import type { Tx } from '#platform/database.ts';
import { failedPrecondition, notFound } from '#platform/errors.ts';
import { bucketOf, isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { SLICE } from './expire.ts';
import { clearHold, isConversation, selectHeld, upsertHold, waitForOldest } from './queries.ts';

/**
 * Keeps everything in a conversation: nothing in it expires, and edited and deleted messages are kept sealed
 * and hidden. Once this returns, no removal is in progress.
 *
 * @throws ApiError 404; 400 if it is already held
 */
export async function holdConversation(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  conversationId: string,
  extraWrites: (tx: Tx) => Promise<void>,
): Promise<void> {
  const key = { bucket: bucketOf(conversationId), conversationId };
  const isPossible = isId('grp', conversationId) || isId('prv', conversationId);
  if (!isPossible || !(await isConversation(db, key))) throw notFound('conversation.unknown');
  await db.begin(async (tx) => {
    if (!(await upsertHold(tx, key, clock.now()))) throw failedPrecondition('hold.there');
    await extraWrites(tx);
  });
  await db.write((tx) => waitForOldest(tx, key, SLICE));
}

/** Ends the hold and deletes the data kept for it. @throws ApiError 404 */
export async function releaseConversation(
  { db }: Pick<Platform, 'db'>,
  conversationId: string,
  extraWrites: (tx: Tx) => Promise<void>,
): Promise<void> {
  await db.begin(async (tx) => {
    if (!(await clearHold(tx, { bucket: bucketOf(conversationId), conversationId })))
      throw notFound('hold.unknown');
    await extraWrites(tx);
  });
}

/** The oldest first. */
export function listHeld({
  db,
}: Pick<Platform, 'db'>): Promise<{ conversationId: string; heldAt: number }[]> {
  return selectHeld(db);
}
