import { queryOptions } from '@tanstack/react-query';
import type { Alert, AlertContact, MuteState } from '#contract/webhooks/alerts.ts';
import { api } from '../../ui/api.ts';

export const contactsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'alert-contacts'],
    queryFn: ({ signal }) =>
      api.get<AlertContact[]>(`/api/console/applications/${appId}/alert-contacts`, { signal }),
  });

export const alertsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'alerts'],
    queryFn: ({ signal }) => api.get<Alert[]>(`/api/console/applications/${appId}/alerts`, { signal }),
  });

export const muteQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'alerts-mute'],
    queryFn: ({ signal }) => api.get<MuteState>(`/api/console/applications/${appId}/alerts/mute`, { signal }),
  });
