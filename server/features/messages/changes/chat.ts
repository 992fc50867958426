import { Type } from 'typebox';
import { ChatMessage, EditMessage } from '#contract/chat.ts';
import { id } from '#contract/ids.ts';
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { Messages } from '../index.ts';

const params = Type.Object({ conversationId: id(), msgId: id() });

/** People edit and delete messages; the API's contract knows neither. */
export function changeChatRoutes(chat: ChatRoutes, messages: Messages): void {
  const path = '/conversations/:conversationId/messages/:msgId';
  chat.patch(
    path,
    { params, body: EditMessage, reply: ChatMessage, message: 'message edited' },
    ({ person: { accountId }, params, body }) => messages.editMessage({ accountId, ...params }, body.text),
  );

  chat.delete(
    path,
    { params, reply: params, message: 'deleted for everybody' },
    async ({ person: { accountId }, params }) => {
      await messages.deleteMessage({ accountId, ...params });
      return params;
    },
  );

  chat.post(
    `${path}/hide`,
    { params, reply: params, message: 'deleted for you' },
    async ({ person: { accountId }, params }) => {
      await messages.hideMessage({ accountId, ...params });
      return params;
    },
  );
}
