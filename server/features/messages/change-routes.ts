import { CHAT } from '#contract/api/chat.ts';
import { serve } from '#platform/http/serve.ts';
import { deleteMessage, hideMessage } from './changes/delete.ts';
import { editMessage } from './changes/edit.ts';
import { changeLifetime } from './conversations/lifetime.ts';
import type { MessageDeps } from './deps.ts';
import { pinMessage, unpinMessage } from './pins/pins.ts';
import { reactToMessage } from './reactions/react.ts';

/** Editing, deleting and reactions, which are not in the API's contract. */
export function changeChatRoutes(deps: MessageDeps) {
  return [
    serve(CHAT, {
      'PATCH /conversations/:conversationId/messages/:msgId': ({ person: { accountId }, params, body }) =>
        editMessage(deps, { accountId, ...params }, body.text),
      'DELETE /conversations/:conversationId/messages/:msgId': async ({ person: { accountId }, params }) => {
        await deleteMessage(deps, { accountId, ...params });
        return params;
      },
      'PUT /conversations/:conversationId/messages/:msgId/reactions': ({
        person: { accountId },
        params,
        body,
      }) => reactToMessage(deps, { accountId, ...params }, body.emoji),
      'PUT /conversations/:conversationId/messages/:msgId/pin': async ({ person, params }) => {
        await pinMessage(deps, { accountId: person.accountId, ...params });
        return params;
      },
      'DELETE /conversations/:conversationId/messages/:msgId/pin': async ({ person, params }) => {
        await unpinMessage(deps, { accountId: person.accountId, ...params });
        return params;
      },
      'PUT /conversations/:conversationId/retention': ({ person: { accountId }, params, body }) =>
        changeLifetime(deps, { accountId, ...params }, body.lifetimeDays),
      'POST /conversations/:conversationId/messages/:msgId/hide': async ({
        person: { accountId },
        params,
      }) => {
        await hideMessage(deps, { accountId, ...params });
        return params;
      },
    }),
  ];
}
