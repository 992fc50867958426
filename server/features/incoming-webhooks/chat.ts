import { Type } from 'typebox';
import { GroupId } from '#contract/ids.ts';
import {
  ChosenIncomingWebhook,
  CreateIncomingWebhook,
  GroupWebhooks,
  NewIncomingWebhook,
} from '#contract/webhooks/incoming-webhooks.ts';
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { IncomingWebhooks } from './index.ts';

/** Incoming webhooks of a group, for its administrators. */
export function incomingWebhookChatRoutes(chat: ChatRoutes, webhooks: IncomingWebhooks): void {
  chat.get(
    '/groups/incoming-webhooks',
    { query: Type.Object({ groupId: GroupId }), reply: GroupWebhooks, message: 'incoming webhooks' },
    ({ person, query }) => webhooks.listOfGroup(person.accountId, query.groupId),
  );

  chat.post(
    '/groups/incoming-webhooks',
    {
      body: CreateIncomingWebhook,
      reply: NewIncomingWebhook,
      message: 'incoming webhook created; its address is shown this once',
      status: 201,
    },
    ({ person, body }) => webhooks.create(person.accountId, body),
  );

  chat.post(
    '/groups/incoming-webhooks/renew',
    {
      body: ChosenIncomingWebhook,
      reply: NewIncomingWebhook,
      message: 'new address, shown this once; the old one is dead',
    },
    ({ person, body }) => webhooks.renew(person.accountId, body),
  );

  chat.post(
    '/groups/incoming-webhooks/revoke',
    {
      body: ChosenIncomingWebhook,
      reply: Type.Object({ revoked: Type.Literal(true) }),
      message: 'incoming webhook revoked',
    },
    async ({ person, body }) => {
      await webhooks.revoke(person.accountId, body);
      return { revoked: true as const };
    },
  );
}
