import { queryOptions } from '@tanstack/react-query';
import type {
  ChosenIncomingWebhook,
  CreateIncomingWebhook,
  GroupWebhooks,
  NewIncomingWebhook,
} from '#contract/webhooks/incoming-webhooks.ts';
import { api, withQuery } from '../../ui/api.ts';
import { membersQuery } from './queries.ts';

const BASE = '/api/chat/groups/incoming-webhooks';

/** Reloaded with the members: bots come and go with them. */
export const webhooksQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...membersQuery(groupId).queryKey, 'incoming-webhooks'],
    queryFn: ({ signal }) => api.get<GroupWebhooks>(withQuery(BASE, { groupId }), { signal }),
  });

export const webhookCalls = {
  create: (body: CreateIncomingWebhook) => api.post<NewIncomingWebhook>(BASE, body),
  renew: (body: ChosenIncomingWebhook) => api.post<NewIncomingWebhook>(`${BASE}/renew`, body),
  revoke: (body: ChosenIncomingWebhook) => api.post(`${BASE}/revoke`, body),
};
