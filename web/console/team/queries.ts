import { queryOptions } from '@tanstack/react-query';
import type { Invited, Team } from '#contract/applications/team.ts';
import { api } from '../../ui/api.ts';

export const teamQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'team'],
    queryFn: ({ signal }) => api.get<Team>(`/api/console/applications/${appId}/team`, { signal }),
  });

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.post<Invited>('/api/console/invitations/show', { token }, { signal }),
  });
