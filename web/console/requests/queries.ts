import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { RequestFilter } from '#contract/applications/monitoring.ts';
import { callConsole } from '../../ui/api.ts';

export const requestsQuery = (appId: string, filter: Omit<RequestFilter, 'before'>) =>
  infiniteQueryOptions({
    queryKey: ['applications', appId, 'requests', filter],
    queryFn: ({ pageParam, signal }) =>
      callConsole('GET /applications/:appId/requests', {
        params: { appId },
        query: { ...filter, before: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });

export const errorGroupsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'request-errors'],
    queryFn: ({ signal }) =>
      callConsole('GET /applications/:appId/requests/errors', { params: { appId }, signal }),
  });
