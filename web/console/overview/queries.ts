import { queryOptions } from '@tanstack/react-query';
import type { Overview } from '#contract/applications/monitoring.ts';
import { api } from '../../ui/api.ts';

const REFRESH_MS = 15_000;

export const overviewQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'overview'],
    queryFn: ({ signal }) => api.get<Overview>(`/api/console/applications/${appId}/overview`, { signal }),
    refetchInterval: REFRESH_MS,
  });
