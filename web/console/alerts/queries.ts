import { queryOptions } from '@tanstack/react-query';
import { callConsole } from '../../ui/api.ts';

export const contactsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'alert-contacts'],
    queryFn: ({ signal }) =>
      callConsole('GET /applications/:appId/alert-contacts', { params: { appId }, signal }),
  });

export const alertsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'alerts'],
    queryFn: ({ signal }) => callConsole('GET /applications/:appId/alerts', { params: { appId }, signal }),
  });

export const muteQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'alerts-mute'],
    queryFn: ({ signal }) =>
      callConsole('GET /applications/:appId/alerts/mute', { params: { appId }, signal }),
  });
