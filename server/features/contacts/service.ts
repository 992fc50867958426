import type { Peer } from '#contract/chat.ts';
import { type Accounts, viewPeer } from '#features/accounts/index.ts';
import type { Tx } from '#platform/database.ts';
import { invalidArgument, notFound } from '#platform/errors.ts';
import { bucketOf, privateConversationId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { type ContactKey, deleteContacts, selectBlocked, setBlocked } from './queries.ts';

export type ContactDeps = Platform & { accounts: Accounts };

/** The side of `accountId` in its private conversation with `peerId`. */
export function contactKey(accountId: string, peerId: string): ContactKey {
  const conversationId = privateConversationId(accountId, peerId);
  return { bucket: bucketOf(conversationId), conversationId, accountId };
}

/** A person blocks (or no longer blocks) a bot or another person. Groups that both are in are not affected. */
export async function changeBlock(
  { db, clock, live, accounts }: Pick<ContactDeps, 'db' | 'clock' | 'live' | 'accounts'>,
  accountId: string,
  { userId, isBlocked }: { userId: string; isBlocked: boolean },
): Promise<void> {
  if (userId === accountId) throw invalidArgument('userId', 'yourself');
  const peer = await accounts.find(userId);
  if (!peer || peer.deletedAt !== null) throw notFound('recipient.unknown', { field: 'userId' });
  const at = isBlocked ? clock.now() : null;
  await db.begin((tx) => setBlocked(tx, { ...contactKey(accountId, userId), peerId: userId, at }));
  live.publish(accountId, { type: 'block.changed', data: { userId, isBlocked } });
}

/** The accounts that a person blocks, most recent first. */
export async function listBlocked(
  { db, accounts }: Pick<ContactDeps, 'db' | 'accounts'>,
  accountId: string,
): Promise<Peer[]> {
  const blockedIds = await selectBlocked(db, accountId);
  const blocked = await accounts.findAll(blockedIds);
  const peerOf = new Map(blocked.map((account) => [account.accountId, viewPeer(account)]));
  return blockedIds.flatMap((blockedId) => peerOf.get(blockedId) ?? []);
}

/** Removes that an account wrote to these others or blocked them. */
export async function removeContacts(tx: Tx, accountId: string, peerIds: string[]): Promise<void> {
  if (peerIds.length === 0) return;
  await deleteContacts(
    tx,
    peerIds.map((peerId) => contactKey(accountId, peerId)),
  );
}
