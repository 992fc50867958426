import { type Static, Type } from 'typebox';
import { visibleText } from '../fields.ts';
import { GroupId, id, UserId } from '../ids.ts';
import { LIMITS } from '../limits.ts';

/** The id of an incoming webhook. It is not secret. */
export const IncomingWebhookId = id();

/** An incoming webhook, without its secret address. Times are epoch milliseconds. */
export const IncomingWebhook = Type.Object({
  webhookId: IncomingWebhookId,
  name: Type.String(),
  groupId: GroupId,
  createdAt: Type.Integer(),
  lastUsedAt: Type.Optional(
    Type.Integer({ description: 'Omitted if it has never been used. May be up to a minute old.' }),
  ),
});

export type IncomingWebhook = Static<typeof IncomingWebhook>;

/** The same with its address, which is shown only once. */
export const NewIncomingWebhook = Type.Object({ ...IncomingWebhook.properties, url: Type.String() });

export type NewIncomingWebhook = Static<typeof NewIncomingWebhook>;

/** The bots of a group that may have incoming webhooks, for its administrators. */
export const GroupWebhooks = Type.Object({
  bots: Type.Array(
    Type.Object({ botId: UserId, name: Type.String(), webhooks: Type.Array(IncomingWebhook) }),
  ),
});

export type GroupWebhooks = Static<typeof GroupWebhooks>;

export const CreateIncomingWebhook = Type.Object({
  groupId: GroupId,
  botId: UserId,
  name: visibleText(LIMITS.incomingWebhookNameLength),
});

export type CreateIncomingWebhook = Static<typeof CreateIncomingWebhook>;

export const ChosenIncomingWebhook = Type.Object({
  groupId: GroupId,
  botId: UserId,
  webhookId: IncomingWebhookId,
});

export type ChosenIncomingWebhook = Static<typeof ChosenIncomingWebhook>;

/** The incoming webhooks of an application, for its team. */
export const ApplicationWebhooks = Type.Object({
  webhooks: Type.Array(
    Type.Object({
      ...IncomingWebhook.properties,
      groupName: Type.Optional(Type.String({ description: 'Omitted if the group is deleted.' })),
    }),
  ),
});

export type ApplicationWebhooks = Static<typeof ApplicationWebhooks>;
