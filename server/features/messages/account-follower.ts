import type { AccountFollower } from '#features/accounts/follower.ts';
import { viewPeer } from '#features/accounts/index.ts';
import { findAccounts } from '#features/accounts/service.ts';
import { contactKey, findContacts, removeContacts } from '#features/contacts/service.ts';
import type { Platform } from '#platform/platform.ts';
import { deletePrivateListings, selectListings, selectOwnMessages } from './own-data-queries.ts';
import { viewMessage } from './view.ts';

const PAGE = 500;

/**
 * A person's conversations, and what the person wrote in them. What was written to others stays with them when the
 * account ends; that the person wrote to a bot is forgotten, so that none may write to it any more.
 */
export function createMessageAccountFollower({
  db,
  keyring,
}: Pick<Platform, 'db' | 'keyring'>): AccountFollower {
  return {
    sections: {
      async *conversations(accountId) {
        for (const { conversationId, kind, peerId, createdAt } of await selectListings(db, accountId)) {
          const [[peer], [own]] =
            peerId === null
              ? [[], []]
              : await Promise.all([
                  findAccounts(db, [peerId]),
                  findContacts(db, [contactKey(accountId, peerId)]),
                ]);
          yield {
            conversationId,
            kind,
            createdAt,
            ...(peer && { peer: viewPeer(peer), isBlocked: own?.blockedAt != null }),
          };
        }
      },
      async *messages(accountId) {
        for (const place of await selectListings(db, accountId)) {
          let after = '';
          for (let isMore = true; isMore; ) {
            const rows = await selectOwnMessages(db, { ...place, accountId, after, limit: PAGE });
            // A poll stands in a section of its own, with what came of it.
            for (const row of rows) if (row.type !== 'poll') yield viewMessage(keyring, row);
            isMore = rows.length === PAGE;
            after = rows.at(-1)?.msgId ?? '';
          }
        }
      },
    },
    async deleted(tx, { accountId }) {
      const peerIds = await deletePrivateListings(tx, accountId);
      await removeContacts(tx, accountId, peerIds);
    },
  };
}
