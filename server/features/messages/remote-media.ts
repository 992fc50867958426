import type { RemoteMedia } from '#contract/chat.ts';
import { showProfile } from '#features/accounts/profile/profile.ts';
import { contactKey, findContacts } from '#features/contacts/service.ts';
import type { Db } from '#platform/database.ts';
import { selectPeerIds } from './conversation-queries.ts';

/** Whose media on other servers a person's pages load without being asked. */
export async function showRemoteMedia(db: Db, accountId: string): Promise<RemoteMedia> {
  const { remoteMedia: load } = await showProfile(db, accountId);
  if (load !== 'contacts') return { load, contactIds: [] };
  const peerIds = await selectPeerIds(db, accountId);
  const sides = peerIds.map((peerId) => contactKey(accountId, peerId));
  const contacts = sides.length === 0 ? [] : await findContacts(db, sides);
  const known = new Set(
    contacts.flatMap((own) => (own.wroteAt !== null && own.blockedAt === null ? own.conversationId : [])),
  );
  return { load, contactIds: peerIds.filter((_, i) => known.has(sides[i]?.conversationId ?? '')) };
}
