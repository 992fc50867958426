import { V1 } from '#contract/api/v1.ts';
import { serve } from '#platform/http/serve.ts';
import { findBotConversation } from './access/bot-conversation.ts';
import { deleteMessage } from './changes/delete.ts';
import { editMessage } from './changes/edit.ts';
import { readEdit } from './changes/rules.ts';
import { listStored, readStored, requireStored } from './conversations/history.ts';
import { showProfileToBot } from './conversations/profiles.ts';
import type { MessageDeps } from './deps.ts';
import { tellTyping } from './receipts/chat.ts';

/** Calls of bots besides sending (extensions of the contract). */
export function botRoutes(deps: MessageDeps) {
  const find = (botId: string, conversationId: string) => findBotConversation(deps, botId, conversationId);
  return [
    serve(V1, {
      'GET /v1/people/:userId': ({ actor, params }) => showProfileToBot(deps, actor.accountId, params.userId),
      'POST /v1/messages/typing': async ({ actor, body }) => {
        await tellTyping(deps, await find(actor.accountId, body.conversationId));
        return { sent: true as const };
      },
      'GET /v1/messages/:msgId': async ({ actor, params, query }) =>
        readStored(deps, await find(actor.accountId, query.conversationId), params.msgId),
      'GET /v1/conversations/:conversationId/messages': async ({ actor, params, query }) =>
        listStored(deps, await find(actor.accountId, params.conversationId), query),
      'PATCH /v1/messages/:msgId': async ({ actor, params, body }) => {
        const conversation = await find(actor.accountId, body.conversationId);
        const row = await editMessage(deps, { ...conversation, ...params }, (type) => readEdit(type, body));
        return requireStored(deps, conversation, row);
      },
      'DELETE /v1/messages/:msgId': async ({ actor, params, body }) => {
        await deleteMessage(deps, { ...(await find(actor.accountId, body.conversationId)), ...params });
        return { deleted: true as const };
      },
    }),
  ];
}
