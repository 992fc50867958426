import { CHAT } from '#contract/api/chat.ts';
import { serve } from '#platform/http/serve.ts';
import type { Messages } from '../index.ts';

/** Delivery and read receipts, and typing; between people only. */
export function receiptChatRoutes(messages: Messages) {
  return [
    serve(CHAT, {
      'GET /conversations/:conversationId/receipts': ({ person: { accountId }, params }) =>
        messages.listReceipts({ accountId, ...params }),
      'POST /delivered': async ({ person: { accountId }, body }) => {
        await messages.markDelivered(accountId, body);
        return {};
      },
      'POST /conversations/:conversationId/typing': async ({ person: { accountId }, params }) => {
        await messages.tellTyping({ accountId, ...params });
        return {};
      },
    }),
  ];
}
