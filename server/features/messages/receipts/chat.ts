import { CHAT } from '#contract/api/chat.ts';
import type { Peer } from '#contract/chat.ts';
import { say } from '#contract/reasons.ts';
import { serve } from '#platform/http/serve.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import type { BotConversation } from '../access/bot-conversation.ts';
import { findRights } from '../access/changed-conversation.ts';
import { findOwnConversation, type OwnConversation } from '../access/own-conversation.ts';
import type { MessageDeps } from '../deps.ts';
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
  return serve(CHAT, {
    'GET /conversations/:conversationId/receipts': ({ person: { accountId }, params }) =>
      listReceipts(deps, { accountId, ...params }),
    'POST /delivered': ({ person: { accountId }, body }) => markDelivered(deps, accountId, body),
    'POST /conversations/:conversationId/typing': async ({ person: { accountId, peer }, params }) => {
      await typing.count(accountId);
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
