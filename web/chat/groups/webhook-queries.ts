import { queryOptions } from '@tanstack/react-query';
import type { ChosenIncomingWebhook, CreateIncomingWebhook } from '#contract/webhooks/incoming-webhooks.ts';
import { callChat } from '../../ui/api.ts';
import { membersQuery } from './queries.ts';

/** Reloaded with the members: bots come and go with them. */
export const webhooksQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...membersQuery(groupId).queryKey, 'incoming-webhooks'],
    queryFn: ({ signal }) => callChat('GET /groups/incoming-webhooks', { query: { groupId }, signal }),
  });

export const webhookCalls = {
  create: (body: CreateIncomingWebhook) => callChat('POST /groups/incoming-webhooks', { body }),
  renew: (body: ChosenIncomingWebhook) => callChat('POST /groups/incoming-webhooks/renew', { body }),
  revoke: (body: ChosenIncomingWebhook) => callChat('POST /groups/incoming-webhooks/revoke', { body }),
};
