import type { MarkDelivered, Receipt } from '#contract/chat/receipts.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import { notFound } from '#platform/errors.ts';
import { bucketOf, isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { findOwnConversation, type OwnConversation } from '../access/own-conversation.ts';
import type { ListedConversation } from '../access/queries.ts';
import { findMessageIds } from '../queries.ts';
import { findAudience } from './audience.ts';
import { selectReceipts, updateDelivered } from './queries.ts';

/**
 * The read and delivery markers of the others in a conversation, if they and the person show them
 * (docs/decisions/0062-receipts.md).
 *
 * @throws ApiError 404 when it is not one of the person's
 */
export async function listReceipts(
  { db, accounts, groups }: Pick<Platform, 'db'> & { accounts: Accounts; groups: Groups },
  own: OwnConversation,
): Promise<Receipt[]> {
  const { accountId, conversationId } = own;
  const listed = await findOwnConversation(db, own);
  const [profile, audience] = await Promise.all([
    accounts.showProfile(accountId),
    findAudience({ groups }, listed),
  ]);
  if (!profile.readReceipts || audience === undefined) return [];
  const people =
    listed.kind === 'private'
      ? [audience]
      : await groups.findPeople([{ bucket: listed.bucket, groupId: conversationId }]);
  const others = people.filter((one) => one !== accountId);
  const rows = await selectReceipts(db, others, conversationId);
  return rows.map(({ accountId: userId, deliveredMsgId, readMsgId }) => ({
    userId,
    ...(deliveredMsgId !== null && { deliveredMsgId }),
    ...(readMsgId !== null && { readMsgId }),
  }));
}

/**
 * Records that a page of the person has received messages of private chats. Their authors are notified, unless
 * the person hides it.
 *
 * @throws ApiError 404 for a message that is not in such a conversation
 */
export async function markDelivered(
  { db, live }: Pick<Platform, 'db' | 'live'>,
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
  { live, groups }: Pick<Platform, 'live'> & { groups: Groups },
  userId: string,
  listed: ListedConversation,
  readMsgId: string,
): Promise<void> {
  const { conversationId } = listed;
  const audience = await findAudience({ groups }, listed);
  if (audience === undefined) return;
  live.publish(audience, { type: 'conversation.receipt', data: { conversationId, userId, readMsgId } });
}
