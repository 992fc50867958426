import { CHAT } from '#contract/api/chat.ts';
import type { MarkDelivered, Receipt } from '#contract/chat/receipts.ts';
import type { Peer } from '#contract/chat.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { Db, Tx } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import { bucketOf, isId } from '#platform/ids.ts';
import type { BotConversation } from '../access/bot-conversation.ts';
import { findRights } from '../access/changed-conversation.ts';
import { findOwnConversation, type OwnConversation, type OwnMessage } from '../access/own-conversation.ts';
import type { ListedConversation } from '../access/queries.ts';
import type { MessageDeps } from '../deps.ts';
import { findMessageIds } from '../queries.ts';
import { audienceOfGroup } from '../rules.ts';

/** Delivery and read receipts between people, and their typing. */
export function receiptChatRoutes(deps: MessageDeps) {
  return serve(CHAT, {
    'GET /conversations/:conversationId/receipts': ({ person: { accountId }, params }) =>
      listReceipts(deps, { accountId, ...params }),
    'POST /delivered': ({ person: { accountId }, body }) => markDelivered(deps, accountId, body),
    'POST /conversations/:conversationId/typing': async ({ person: { accountId, peer }, params }) => {
      await deps.limits.typing.count(accountId);
      await tellTyping(deps, { accountId, ...params }, [peer]);
    },
  });
}

/**
 * Publishes that a person or a bot is typing: nothing is stored, and pages drop it after some seconds. Not for people who hide
 * it, nor for those who may not write there.
 *
 * @throws ApiError 404
 */
export async function tellTyping(
  deps: MessageDeps,
  own: OwnConversation | BotConversation,
  people?: Peer[],
): Promise<void> {
  const { db, live, accounts } = deps;
  const { accountId: userId, conversationId } = own;
  const isBot = 'isBot' in own;
  const [isShown, { refusal, audience }] = await Promise.all([
    isBot || accounts.showProfile(userId).then(({ typingIndicators }) => typingIndicators),
    isBot
      ? findRights(deps, own, own)
      : findOwnConversation(db, own).then((listed) => findRights(deps, own, listed)),
  ]);
  if (!isShown || refusal || audience === undefined) return;
  live.publish(audience, { type: 'typing', data: { conversationId, userId, ...(people && { people }) } });
}

/** The topic on which reading in a conversation is published: of the other person, or of the group, if it has one. */
async function findAudience(
  { groups }: MessageDeps,
  { kind, bucket, conversationId, peerId }: ListedConversation,
): Promise<string | undefined> {
  if (kind === 'private') return peerId ?? undefined;
  const [group] = await groups.find([{ bucket, groupId: conversationId }]);
  return group && audienceOfGroup(group);
}

/**
 * The read and delivery markers of the others in a conversation, if they and the person show them
 * (docs/decisions/0062-receipts.md).
 *
 * @throws ApiError 404 when it is not one of the person's
 */
export async function listReceipts(deps: MessageDeps, own: OwnConversation): Promise<Receipt[]> {
  const { db, accounts, groups } = deps;
  const { accountId, conversationId } = own;
  const listed = await findOwnConversation(db, own);
  const [profile, audience] = await Promise.all([
    accounts.showProfile(accountId),
    findAudience(deps, listed),
  ]);
  if (!profile.readReceipts || audience === undefined) return [];
  const people =
    listed.kind === 'private'
      ? [audience]
      : await groups.findPeople([{ bucket: listed.bucket, groupId: conversationId }]);
  const others = people.filter((one) => one !== accountId);
  const rows = await selectReceipts(db, others, conversationId);
  return rows.map(({ accountId: userId, deliveredMsgId, readMsgId }) =>
    withoutAbsent({ userId, deliveredMsgId, readMsgId }),
  );
}

/**
 * Records that a page of the person has received messages of private chats. Their authors are notified, unless
 * the person hides it.
 *
 * @throws ApiError 404 for a message that is not in such a conversation
 */
export async function markDelivered(
  { db, live }: MessageDeps,
  accountId: string,
  { upTo }: MarkDelivered,
): Promise<void> {
  const keys = upTo.map((one) => ({ ...one, bucket: bucketOf(one.conversationId) }));
  const known = keys.every(({ msgId }) => isId('msg', msgId)) ? await findMessageIds(db, keys) : [];
  for (const { conversationId, msgId } of upTo) {
    if (!known.some((one) => one.msgId === msgId && one.conversationId === conversationId))
      throw notFound('conversation.no-message');
  }
  for (const one of upTo) {
    const peerId = await db.write((tx) => updateDelivered(tx, { accountId, ...one }));
    if (peerId === undefined) continue;
    const { conversationId, msgId: deliveredMsgId } = one;
    live.publish(peerId, {
      type: 'conversation.receipt',
      data: { conversationId, userId: accountId, deliveredMsgId },
    });
  }
}

/** Publishes to the others that a person's read marker has moved. */
export async function tellRead(
  deps: MessageDeps,
  userId: string,
  listed: ListedConversation,
  readMsgId: string,
): Promise<void> {
  const { conversationId } = listed;
  const audience = await findAudience(deps, listed);
  if (audience === undefined) return;
  deps.live.publish(audience, { type: 'conversation.receipt', data: { conversationId, userId, readMsgId } });
}

/** Somebody's read and delivery markers in a conversation. */
interface ReceiptRow {
  accountId: string;
  deliveredMsgId: string | null;
  readMsgId: string | null;
}

/** Only of accounts that show them; a read over their shards. */
async function selectReceipts(db: Db, accountIds: string[], conversationId: string): Promise<ReceiptRow[]> {
  return db<ReceiptRow[]>`
    select listed.account_id, listed.delivered_msg_id, listed.read_msg_id
    from account_conversations listed
    join accounts on accounts.account_id = listed.account_id
    where listed.account_id = any(${accountIds}) and listed.conversation_id = ${conversationId}
      and accounts.read_receipts and not accounts.is_bot and accounts.deleted_at is null`;
}

/** The other person of a private chat if the marker moves; nothing if it is already there or beyond. */
async function updateDelivered(
  tx: Tx,
  { accountId, conversationId, msgId }: OwnMessage,
): Promise<string | undefined> {
  const [row] = await tx<{ peerId: string }[]>`
    update account_conversations as listed set delivered_msg_id = ${msgId}
    from accounts
    where listed.account_id = ${accountId} and listed.conversation_id = ${conversationId}
      and accounts.account_id = listed.account_id and accounts.read_receipts
      and listed.kind = 'private'
      and (listed.delivered_msg_id is null or listed.delivered_msg_id < ${msgId})
      and (listed.read_msg_id is null or listed.read_msg_id < ${msgId})
    returning listed.peer_id`;
  return row?.peerId;
}
