import { CHAT } from '#contract/api/chat.ts';
import { serve } from '#platform/http/serve.ts';
import type { Messages } from '../index.ts';

/** Editing, deleting and reactions, which are not in the API's contract. */
export function changeChatRoutes(messages: Messages) {
  return [
    serve(CHAT, {
      'PATCH /conversations/:conversationId/messages/:msgId': ({ person: { accountId }, params, body }) =>
        messages.editMessage({ accountId, ...params }, body.text),
      'DELETE /conversations/:conversationId/messages/:msgId': async ({ person: { accountId }, params }) => {
        await messages.deleteMessage({ accountId, ...params });
        return params;
      },
      'PUT /conversations/:conversationId/messages/:msgId/reactions': ({
        person: { accountId },
        params,
        body,
      }) => messages.reactToMessage({ accountId, ...params }, body.emoji),
      'PUT /conversations/:conversationId/messages/:msgId/pin': async ({ person, params }) => {
        await messages.pinMessage({ accountId: person.accountId, ...params });
        return params;
      },
      'DELETE /conversations/:conversationId/messages/:msgId/pin': async ({ person, params }) => {
        await messages.unpinMessage({ accountId: person.accountId, ...params });
        return params;
      },
      'PUT /conversations/:conversationId/retention': ({ person: { accountId }, params, body }) =>
        messages.changeLifetime({ accountId, ...params }, body.lifetimeDays),
      'POST /conversations/:conversationId/messages/:msgId/hide': async ({
        person: { accountId },
        params,
      }) => {
        await messages.hideMessage({ accountId, ...params });
        return params;
      },
    }),
  ];
}
