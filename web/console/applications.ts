import { queryOptions } from '@tanstack/react-query';
import type { Application, ApplicationSummary } from '#contract/applications.ts';
import { api } from '../ui/api.ts';

export const applicationsQuery = queryOptions({
  queryKey: ['applications'],
  queryFn: ({ signal }) => api.get<ApplicationSummary[]>('/api/console/applications', { signal }),
});

export const applicationQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId],
    queryFn: ({ signal }) => api.get<Application>(`/api/console/applications/${appId}`, { signal }),
  });
