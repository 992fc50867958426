import type { ChatMessage, Conversation } from '#contract/chat.ts';
import { viewPeer } from '#features/accounts/peer.ts';
import { findAccounts } from '#features/accounts/service.ts';
import { contactKey, findContacts } from '#features/contacts/service.ts';
import { viewGroup } from '#features/groups/announce.ts';
import { findGroups } from '#features/groups/service.ts';
import type { Db, Tx } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import { bucketOf } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { findLatest, findMessage, findPage } from './queries.ts';
import { viewMessage } from './view.ts';

type Deps = Pick<Platform, 'db' | 'keyring'>;

interface ListedConversation {
  conversationId: string;
  bucket: number;
  kind: Conversation['kind'];
  peerId: string | null;
}

/** The conversations of a person, the one with the newest message first. */
export async function listConversations({ db, keyring }: Deps, accountId: string): Promise<Conversation[]> {
  const listed = await findListed(db, accountId);
  const peerIds = listed.flatMap(({ peerId }) => peerId ?? []);
  const groupKeys = listed.flatMap(({ kind, bucket, conversationId }) =>
    kind === 'group' ? { bucket, groupId: conversationId } : [],
  );
  const [latest, peers, contacts, groups] = await Promise.all([
    findLatest(db, listed),
    findAccounts(db, peerIds),
    findContacts(
      db,
      peerIds.map((peerId) => contactKey(accountId, peerId)),
    ),
    groupKeys.length === 0 ? [] : findGroups(db, groupKeys),
  ]);
  const latestOf = new Map(latest.map((row) => [row.conversationId, row]));
  const peerOf = new Map(peers.map((peer) => [peer.accountId, peer]));
  const blocked = new Set(contacts.flatMap((row) => (row.blockedAt === null ? [] : row.conversationId)));
  const groupOf = new Map(groups.map((group) => [group.groupId, group]));
  // Ids of messages and of groups carry their time after the prefix: a new group stands where its first message would.
  const order = (id: string) => (latestOf.get(id)?.msgId ?? id).slice(4);
  return listed
    .sort((one, other) => (order(one.conversationId) < order(other.conversationId) ? 1 : -1))
    .map(({ conversationId, kind, peerId }) => {
      const peer = peerId === null ? undefined : peerOf.get(peerId);
      const group = groupOf.get(conversationId);
      const row = latestOf.get(conversationId);
      return {
        conversationId,
        kind,
        ...(peer && { peer: viewPeer(peer) }),
        ...(group && { group: viewGroup(group) }),
        isBlocked: blocked.has(conversationId),
        ...(row && { lastMessage: viewMessage(keyring, row) }),
      };
    });
}

/** Messages of one of the person's own conversations, newest first. */
export async function readConversation(
  { db, keyring }: Deps,
  accountId: string,
  { conversationId, before, limit }: { conversationId: string; before: string | undefined; limit: number },
): Promise<{ messages: ChatMessage[]; nextBefore?: string }> {
  if (!(await isListed(db, accountId, conversationId))) throw notFound('there is no such conversation');
  const rows = await findPage(db, {
    bucket: bucketOf(conversationId),
    conversationId,
    before,
    limit: limit + 1,
  });
  const messages = rows.slice(0, limit).map((row) => viewMessage(keyring, row));
  const last = messages.at(-1);
  return { messages, ...(rows.length > limit && last && { nextBefore: last.msgId }) };
}

/** One message that is known to be there. */
export async function readMessage(
  { db, keyring }: Deps,
  { conversationId, msgId }: { conversationId: string; msgId: string },
): Promise<ChatMessage> {
  const row = await findMessage(db, { bucket: bucketOf(conversationId), conversationId, msgId });
  if (!row) throw new Error(`message ${msgId} is gone`);
  return viewMessage(keyring, row);
}

/** Puts a private conversation into a person's list. */
export async function listPrivateConversation(
  tx: Tx,
  entry: { accountId: string; conversationId: string; peerId: string; createdAt: number },
): Promise<void> {
  const { accountId, conversationId, peerId, createdAt } = entry;
  await tx`
    insert into account_conversations (account_id, conversation_id, bucket, kind, peer_id, created_at)
    values (${accountId}, ${conversationId}, ${bucketOf(conversationId)}, 'private', ${peerId}, ${createdAt})
    on conflict (account_id, conversation_id) do nothing`;
}

/** Whom a person shares a private chat with, bots included. */
export async function findPeerIds(db: Db, accountId: string): Promise<string[]> {
  const rows = await db<{ peerId: string }[]>`
    select peer_id from account_conversations where account_id = ${accountId} and kind = 'private'`;
  return rows.map(({ peerId }) => peerId);
}

async function findListed(db: Db, accountId: string): Promise<ListedConversation[]> {
  return db<ListedConversation[]>`
    select conversation_id, bucket, kind, peer_id from account_conversations where account_id = ${accountId}`;
}

async function isListed(db: Db, accountId: string, conversationId: string): Promise<boolean> {
  const rows = await db`
    select 1 from account_conversations where account_id = ${accountId} and conversation_id = ${conversationId}`;
  return rows.length === 1;
}
