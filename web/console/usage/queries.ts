import { queryOptions } from '@tanstack/react-query';
import type { Usage, UsageSpan } from '#contract/applications/monitoring.ts';
import { api, withQuery } from '../../ui/api.ts';

const REFRESH_MS = 15_000;

export const usageQuery = (appId: string, span: UsageSpan) =>
  queryOptions({
    queryKey: ['applications', appId, 'usage', span],
    queryFn: ({ signal }) =>
      api.get<Usage>(withQuery(`/api/console/applications/${appId}/usage`, { span }), { signal }),
    refetchInterval: REFRESH_MS,
  });
