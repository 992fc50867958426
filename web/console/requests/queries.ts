import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ErrorGroup, RequestFilter, RequestPage } from '#contract/applications/monitoring.ts';
import { api, withQuery } from '../../ui/api.ts';

export const requestsQuery = (appId: string, filter: Omit<RequestFilter, 'before'>) =>
  infiniteQueryOptions({
    queryKey: ['applications', appId, 'requests', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<RequestPage>(
        withQuery(`/api/console/applications/${appId}/requests`, { ...filter, before: pageParam }),
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });

export const errorGroupsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'request-errors'],
    queryFn: ({ signal }) =>
      api.get<ErrorGroup[]>(`/api/console/applications/${appId}/requests/errors`, { signal }),
  });
