import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { CurrentInviteLink } from '#contract/accounts/profiles.ts';
import type { Peer } from '#contract/chat.ts';
import type { ApplicationCalls, ConnectedApplications } from '#contract/oauth.ts';
import { api, withQuery } from '../../ui/api.ts';
import { chatKey } from '../live/feed.ts';

/** Below the account's key, so that ui/account/queries.ts reloads it after a change of the account. */
export const inviteLinkQuery = queryOptions({
  queryKey: ['account', 'invite-link'],
  queryFn: ({ signal }) => api.get<Static<typeof CurrentInviteLink>>('/api/auth/invite-link', { signal }),
});

export const blockedQuery = queryOptions({
  queryKey: [...chatKey, 'blocks'],
  queryFn: ({ signal }) => api.get<Peer[]>('/api/chat/blocks', { signal }),
});

export const connectionsKey = ['connected-applications'] as const;

export const connectionsQuery = infiniteQueryOptions({
  queryKey: [...connectionsKey, 'list'],
  queryFn: ({ pageParam: cursor, signal }) =>
    api.get<ConnectedApplications>(withQuery('/api/chat/connected-applications', { cursor }), { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

export function callsQuery(appId: string) {
  return infiniteQueryOptions({
    queryKey: [...connectionsKey, 'calls', appId],
    queryFn: ({ pageParam: before, signal }) =>
      api.get<ApplicationCalls>(withQuery('/api/chat/application-calls', { appId, before }), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });
}

export const revokeConnection = (appId: string, grantId?: string) =>
  api.post('/api/chat/connected-applications/revoke', { appId, ...(grantId !== undefined && { grantId }) });
