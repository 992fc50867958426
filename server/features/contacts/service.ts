import { findAccount } from '#features/accounts/service.ts';
import { invalidArgument, notFound } from '#platform/errors.ts';
import { bucketOf, privateConversationId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { type ContactKey, type ContactRow, findContacts, noteWrote, setBlocked } from './queries.ts';

export { type ContactKey, type ContactRow, findContacts, noteWrote };

/** The side of `accountId` in its private conversation with `peerId`. */
export function contactKey(accountId: string, peerId: string): ContactKey {
  const conversationId = privateConversationId(accountId, peerId);
  return { bucket: bucketOf(conversationId), conversationId, accountId };
}

/** A person blocks (or no longer blocks) a bot or another person. Groups that both are in are not touched. */
export async function changeBlock(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  accountId: string,
  { userId, isBlocked }: { userId: string; isBlocked: boolean },
): Promise<void> {
  if (userId === accountId) throw invalidArgument('userId', 'must be somebody else');
  const peer = await findAccount(db, userId);
  if (!peer || peer.deletedAt !== null) throw notFound('userId names nobody');
  const at = isBlocked ? clock.now() : null;
  await db.begin((tx) => setBlocked(tx, { ...contactKey(accountId, userId), peerId: userId, at }));
}
