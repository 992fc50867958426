import { CHAT } from '#contract/api/chat.ts';
import type { Peer } from '#contract/chat.ts';
import { say } from '#contract/reasons.ts';
import { contactKey } from '#features/contacts/index.ts';
import { refuseToPost } from '#features/groups/index.ts';
import { serve } from '#platform/http/serve.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import type { BotConversation } from '../access/bot-conversation.ts';
import { findOwnConversation, type OwnConversation } from '../access/own-conversation.ts';
import type { MessageDeps } from '../deps.ts';
import { findAudience } from './audience.ts';
import { listReceipts, markDelivered } from './receipts.ts';

/** A page sends it every few seconds; a person may have several. */
const TYPING_PER_MINUTE = 60;

/** Delivery and read receipts between people, and their typing. */
export function receiptChatRoutes(deps: MessageDeps) {
  const typing = new RateLimit(deps, {
    name: 'typing',
    limit: TYPING_PER_MINUTE,
    windowMs: 60_000,
    refusal: say('person.typing-fast'),
  });
  return [
    serve(CHAT, {
      'GET /conversations/:conversationId/receipts': ({ person: { accountId }, params }) =>
        listReceipts(deps, { accountId, ...params }),
      'POST /delivered': async ({ person: { accountId }, body }) => {
        await markDelivered(deps, accountId, body);
        return {};
      },
      'POST /conversations/:conversationId/typing': async ({ person: { accountId, peer }, params }) => {
        await typing.count(accountId);
        await tellTyping(deps, { accountId, ...params }, [peer]);
        return {};
      },
    }),
  ];
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
  const listed = isBot ? own : await findOwnConversation(db, own);
  const [isShown, mayWrite, audience] = await Promise.all([
    isBot || accounts.showProfile(userId).then(({ typingIndicators }) => typingIndicators),
    listed.peerId === null ? mayPost(deps, own) : mayWriteTo(deps, userId, listed.peerId),
    findAudience(deps, listed),
  ]);
  if (!isShown || !mayWrite || audience === undefined) return;
  live.publish(audience, { type: 'typing', data: { conversationId, userId, ...(people && { people }) } });
}

async function mayPost(
  { groups }: MessageDeps,
  { accountId, conversationId }: OwnConversation,
): Promise<boolean> {
  const found = await groups.findForActor(conversationId, accountId);
  return found !== undefined && refuseToPost(found.group, found.member) === undefined;
}

async function mayWriteTo({ contacts }: MessageDeps, accountId: string, peerId: string): Promise<boolean> {
  const sides = await contacts.find([contactKey(accountId, peerId), contactKey(peerId, accountId)]);
  return sides.every(({ blockedAt }) => blockedAt === null);
}
