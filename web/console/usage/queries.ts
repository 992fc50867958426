import { queryOptions } from '@tanstack/react-query';
import type { UsageSpan } from '#contract/applications/monitoring.ts';
import { callConsole } from '../../ui/api.ts';

const REFRESH_MS = 15_000;

export const usageQuery = (appId: string, span: UsageSpan) =>
  queryOptions({
    queryKey: ['applications', appId, 'usage', span],
    queryFn: ({ signal }) =>
      callConsole('GET /applications/:appId/usage', { params: { appId }, query: { span }, signal }),
    refetchInterval: REFRESH_MS,
  });
