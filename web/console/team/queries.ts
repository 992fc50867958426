import { queryOptions } from '@tanstack/react-query';
import { callConsole } from '../../ui/api.ts';

export const teamQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'team'],
    queryFn: ({ signal }) => callConsole('GET /applications/:appId/team', { params: { appId }, signal }),
  });

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => callConsole('POST /invitations/show', { body: { token }, signal }),
  });
