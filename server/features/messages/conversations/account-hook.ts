import { type Account, type AccountHook, viewPeer } from '#features/accounts/index.ts';
import { contactKey } from '#features/contacts/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { firstIdAt } from '#platform/ids.ts';
import type { LiveEvent } from '#platform/live.ts';
import { deleteMentionsOf } from '../access/mention-queries.ts';
import { deleteHidden, type ListedConversation, selectListed, selectPeerIds } from '../access/queries.ts';
import type { MessageDeps } from '../deps.ts';
import { openDraft, selectDrafts } from '../drafts.ts';
import { BOTS_TOPIC } from '../live/pages.ts';
import { type ConversationKey, isOfConversation, type MessageRow, messageColumns } from '../queries.ts';
import { openReactions, selectReactionsAfter } from '../reactions.ts';
import { daysOfEvents } from '../retention/expire.ts';
import { limitLifetime } from '../retention/queries.ts';
import { viewMessage } from '../view.ts';
import { viewSettings } from './list.ts';

const PAGE = 500;

/**
 * A person's conversations, and what the person wrote in them. Messages to others stay when the account is
 * deleted, unless their accounts are deleted, too. The contacts with bots are deleted, so that none may write to it any more,
 * nor read what was written.
 */
export function createMessageAccountHook({
  db,
  clock,
  config,
  keyring,
  live,
  accounts,
  contacts,
  groups,
}: MessageDeps): AccountHook {
  /**
   * Everybody who knows the person from a conversation; a group gets one publication, however large it is.
   */
  const findOthers = async (accountId: string): Promise<string[]> => {
    const [peerIds, known] = await Promise.all([selectPeerIds(db, accountId), groups.findKnowing(accountId)]);
    return [...new Set([...peerIds, ...known.groups.map(({ groupId }) => groupId), ...known.creatorIds])];
  };
  /** The conversations of a person, then the groups that they have left. */
  const listWritten = async (accountId: string): Promise<ConversationKey[]> => {
    const [listed, former] = await Promise.all([
      listOldestFirst(db, accountId),
      groups.findFormer(accountId),
    ]);
    return [...listed, ...former.map(({ bucket, groupId }) => ({ bucket, conversationId: groupId }))];
  };
  const publish = (topics: readonly string[], event: LiveEvent) => {
    for (const topic of topics) live.publish(topic, event);
  };
  const tell = (account: Account, topics: readonly string[]) =>
    publish(topics, { type: 'person.changed', data: viewPeer(account) });
  const othersOf = new Map<string, string[]>();
  return {
    sections: {
      async *conversations(accountId) {
        for (const one of await listOldestFirst(db, accountId)) {
          const { kind, peerId, createdAt } = one;
          const [[peer], [own]] =
            peerId === null
              ? [[], []]
              : await Promise.all([
                  accounts.findAll([peerId]),
                  contacts.find([contactKey(accountId, peerId)]),
                ]);
          yield {
            ...viewSettings(one, clock.now()),
            kind,
            createdAt,
            ...(peer && { peer: viewPeer(peer), isBlocked: own?.blockedAt != null }),
          };
        }
      },
      async *drafts(accountId) {
        for (const row of await selectDrafts(db, accountId, null)) {
          const { conversationId } = row;
          yield { conversationId, ...openDraft(keyring, row) };
        }
      },
      async *reactions(accountId) {
        for (const listing of await listWritten(accountId)) {
          const read = (after: string) => selectReactionsAfter(db, listing, { after, limit: PAGE });
          for await (const row of pageAfterPage(read)) {
            const own = openReactions(keyring, row).given.filter(({ userIds }) =>
              userIds.includes(accountId),
            );
            const { conversationId, msgId } = row;
            if (own.length > 0) yield { conversationId, msgId, emoji: own.map(({ emoji }) => emoji) };
          }
        }
      },
      async *messages(accountId) {
        for (const listing of await listWritten(accountId)) {
          const read = (after: string) => selectOwnMessages(db, { ...listing, accountId, after });
          // Polls have their own section, with their results; deleted messages have no content.
          for await (const row of pageAfterPage(read))
            if (!['poll', 'deleted', 'notice'].includes(row.type)) yield viewMessage(keyring, row);
        }
      },
    },
    async profileChanged(userId) {
      // Of two concurrent changes, the one published last may be the older: both publish the current state.
      const [others, [account]] = [await findOthers(userId), await accounts.findAll([userId])];
      // There is no list of the people who write with a bot, and it may be long: each process checks its
      // pages.
      if (account) tell(account, account.isBot ? [...others, BOTS_TOPIC] : others);
    },
    async receiptsChanged(userId) {
      publish(await findOthers(userId), { type: 'receipts.changed', data: { userId } });
    },
    async beforeDeletion(accountId) {
      // Afterwards they can no longer be determined.
      othersOf.set(accountId, await findOthers(accountId));
    },
    async deleted(tx, { accountId }) {
      const peerIds = await deletePrivateListings(tx, accountId);
      await deleteHidden(tx, accountId);
      await deleteMentionsOf(tx, accountId);
      await contacts.remove(tx, accountId, peerIds);
      for (const peer of await accounts.findAll(peerIds, tx))
        if (peer.deletedAt !== null || peer.isBot)
          await limitLifetime(tx, contactKey(accountId, peer.accountId), daysOfEvents(config));
    },
    async afterDeletion(accountId) {
      const [account] = await accounts.findAll([accountId]);
      if (account) tell(account, othersOf.get(accountId) ?? []);
      othersOf.delete(accountId);
    },
  };
}

/** The conversations of a person, hidden ones included. */
export async function listOldestFirst(db: Db, accountId: string): Promise<ListedConversation[]> {
  const listed = await selectListed(db, accountId);
  const placeOf = ({ createdAt, conversationId }: ListedConversation) =>
    firstIdAt('msg', createdAt) + conversationId;
  return listed.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}

/** One page of what somebody wrote in a conversation, the oldest first. */
export async function selectOwnMessages(
  db: Db,
  { accountId, after, ...conversation }: ConversationKey & { accountId: string; after: string },
): Promise<MessageRow[]> {
  return db<MessageRow[]>`
    select ${messageColumns(db)} from messages
    where ${isOfConversation(db, conversation)} and sender_id = ${accountId} and msg_id > ${after}
    order by msg_id
    limit ${PAGE}`;
}

/** Returns the ids of the peers. */
export async function deletePrivateListings(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx<{ peerId: string }[]>`
    delete from account_conversations where account_id = ${accountId} and kind = 'private' returning peer_id`;
  return rows.map(({ peerId }) => peerId);
}

/** All rows, read page by page in the order of their messages. */
async function* pageAfterPage<R extends { msgId: string }>(
  read: (after: string) => Promise<R[]>,
): AsyncGenerator<R> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: R[] = await read(after);
    yield* rows;
    after = rows.length === PAGE ? rows.at(-1)?.msgId : undefined;
  }
}
