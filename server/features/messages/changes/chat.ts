import { Type } from 'typebox';
import { ChangeRetention, ChatMessage, Conversation, EditMessage, React, Reactions } from '#contract/chat.ts';
import { id } from '#contract/ids.ts';
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { Messages } from '../index.ts';

const params = Type.Object({ conversationId: id(), msgId: id() });

/** Editing, deleting and reactions, which are not in the API's contract. */
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

  chat.put(
    `${path}/reactions`,
    { params, body: React, reply: Reactions, message: 'reactions changed' },
    ({ person: { accountId }, params, body }) =>
      messages.reactToMessage({ accountId, ...params }, body.emoji),
  );

  chat.put(`${path}/pin`, { params, reply: params, message: 'pinned' }, async ({ person, params }) => {
    await messages.pinMessage({ accountId: person.accountId, ...params });
    return params;
  });

  chat.delete(`${path}/pin`, { params, reply: params, message: 'not pinned' }, async ({ person, params }) => {
    await messages.unpinMessage({ accountId: person.accountId, ...params });
    return params;
  });

  const ofConversation = Type.Object({ conversationId: id() });
  chat.put(
    '/conversations/:conversationId/retention',
    { params: ofConversation, body: ChangeRetention, reply: Conversation, message: 'retention changed' },
    ({ person: { accountId }, params, body }) =>
      messages.changeLifetime({ accountId, ...params }, body.lifetimeDays),
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
