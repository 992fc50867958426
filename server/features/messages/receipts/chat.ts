import { Type } from 'typebox';
import { MarkDelivered, Receipts } from '#contract/chat/receipts.ts';
import { id } from '#contract/ids.ts';
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { Messages } from '../index.ts';

const params = Type.Object({ conversationId: id() });
const Done = Type.Object({});

/** Delivery and read receipts, and typing; between people only. */
export function receiptChatRoutes(chat: ChatRoutes, messages: Messages): void {
  chat.get(
    '/conversations/:conversationId/receipts',
    { params, reply: Receipts, message: 'how far the others are' },
    ({ person: { accountId }, params }) => messages.listReceipts({ accountId, ...params }),
  );

  chat.post(
    '/delivered',
    { body: MarkDelivered, reply: Done, message: 'marked as delivered' },
    async ({ person: { accountId }, body }) => {
      await messages.markDelivered(accountId, body);
      return {};
    },
  );

  chat.post(
    '/conversations/:conversationId/typing',
    { params, reply: Done, message: 'the others are told' },
    async ({ person: { accountId }, params }) => {
      await messages.tellTyping({ accountId, ...params });
      return {};
    },
  );
}
