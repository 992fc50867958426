import { CHAT } from '#contract/api/chat.ts';
import { say } from '#contract/reasons.ts';
import { serve } from '#platform/http/serve.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import type { MessageDeps } from '../deps.ts';
import { listReceipts, markDelivered } from './receipts.ts';
import { tellTyping } from './typing.ts';

/** A page sends it every few seconds; a person may have several. */
const TYPING_PER_MINUTE = 60;

/** Delivery and read receipts, and typing; between people only. */
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
      'POST /conversations/:conversationId/typing': async ({ person: { accountId }, params }) => {
        await tellTyping({ ...deps, typing }, { accountId, ...params });
        return {};
      },
    }),
  ];
}
