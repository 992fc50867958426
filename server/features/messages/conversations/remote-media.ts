import type { RemoteMedia } from '#contract/chat.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { type Contacts, contactKey } from '#features/contacts/index.ts';
import type { Platform } from '#platform/platform.ts';
import { selectPeerIds } from '../access/queries.ts';

/** Whose media on other servers a person's pages load automatically. */
export async function showRemoteMedia(
  { db, accounts, contacts }: Pick<Platform, 'db'> & { accounts: Accounts; contacts: Contacts },
  accountId: string,
): Promise<RemoteMedia> {
  const { remoteMedia: load } = await accounts.showProfile(accountId);
  if (load !== 'contacts') return { load, contactIds: [] };
  const peerIds = await selectPeerIds(db, accountId);
  const sides = peerIds.map((peerId) => contactKey(accountId, peerId));
  const found = sides.length === 0 ? [] : await contacts.find(sides);
  const known = new Set(
    found.flatMap((own) => (own.wroteAt !== null && own.blockedAt === null ? own.conversationId : [])),
  );
  return { load, contactIds: peerIds.filter((_, i) => known.has(sides[i]?.conversationId ?? '')) };
}
