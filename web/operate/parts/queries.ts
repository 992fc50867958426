import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ReportTarget } from '#contract/chat/reports.ts';
import type { Announcement } from '#contract/operate/notices.ts';
import { callOperate } from '../../ui/api.ts';
import { noticesKey } from '../../ui/notices/queries.ts';
import { changeBy } from '../../ui/parts/change.ts';

/** A change by an endpoint of this console. */
export const useOperateChange = changeBy(callOperate, () => [['operate'], noticesKey]);

export const selfQuery = queryOptions({
  queryKey: ['operate', 'me'],
  queryFn: ({ signal }) => callOperate('GET /me', { signal }),
});

export const peopleQuery = (query: string) =>
  queryOptions({
    queryKey: ['operate', 'people', query],
    queryFn: async ({ signal }) => (await callOperate('GET /people', { query: { query }, signal })).people,
    enabled: query !== '',
  });

export const personQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operate', 'person', accountId],
    queryFn: ({ signal }) => callOperate('GET /people/:accountId', { params: { accountId }, signal }),
  });

export const personSessionsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operate', 'person-sessions', accountId],
    queryFn: async ({ signal }) =>
      (await callOperate('GET /people/:accountId/sessions', { params: { accountId }, signal })).sessions,
  });

export const personLimitsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operate', 'person-limits', accountId],
    queryFn: ({ signal }) => callOperate('GET /people/:accountId/limits', { params: { accountId }, signal }),
  });

export const applicationsQuery = (query: string) =>
  queryOptions({
    queryKey: ['operate', 'applications', query],
    queryFn: async ({ signal }) =>
      (await callOperate('GET /applications', { query: { query }, signal })).applications,
    enabled: query !== '',
  });

export const applicationQuery = (appId: string) =>
  queryOptions({
    queryKey: ['operate', 'application', appId],
    queryFn: ({ signal }) => callOperate('GET /applications/:appId', { params: { appId }, signal }),
  });

export const endpointQuery = (appId: string) =>
  queryOptions({
    queryKey: ['operate', 'endpoint', appId],
    queryFn: ({ signal }) => callOperate('GET /applications/:appId/endpoint', { params: { appId }, signal }),
    refetchInterval: 15_000,
  });

export const grantsQuery = (appId: string) =>
  infiniteQueryOptions({
    queryKey: ['operate', 'grants', appId],
    queryFn: ({ pageParam, signal }) =>
      callOperate('GET /applications/:appId/grants', {
        params: { appId },
        query: { before: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });

export const failingQuery = queryOptions({
  queryKey: ['operate', 'failing'],
  queryFn: async ({ signal }) => (await callOperate('GET /failing-endpoints', { signal })).endpoints,
});

export const reportsQuery = (asked: { isDecided: 'true' | 'false'; target: ReportTarget | undefined }) =>
  infiniteQueryOptions({
    queryKey: ['operate', 'reports', asked],
    queryFn: ({ pageParam, signal }) =>
      callOperate('GET /reports', { query: { ...asked, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const reportQuery = (reportId: string) =>
  queryOptions({
    queryKey: ['operate', 'report', reportId],
    queryFn: ({ signal }) => callOperate('GET /reports/:reportId', { params: { reportId }, signal }),
  });

export const healthQuery = queryOptions({
  queryKey: ['operate', 'health'],
  queryFn: ({ signal }) => callOperate('GET /health', { signal }),
  refetchInterval: 15_000,
});

export const actsQuery = infiniteQueryOptions({
  queryKey: ['operate', 'acts'],
  queryFn: ({ pageParam, signal }) => callOperate('GET /acts', { query: { before: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextBefore }) => nextBefore,
});

export const listedAnnouncementsQuery = queryOptions({
  queryKey: ['operate', 'announcements'],
  queryFn: async ({ signal }) => (await callOperate('GET /announcements', { signal })).announcements,
  // While an announcement's message is still being delivered.
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 2_000 : false),
});

/** Whether an announcement's message is still being delivered. */
export function isUnderWay({ isMessage, toldAt, endedAt }: Announcement): boolean {
  return isMessage && toldAt === undefined && endedAt === undefined;
}

export const invitationsQuery = queryOptions({
  queryKey: ['operate', 'invitations'],
  queryFn: async ({ signal }) => (await callOperate('GET /invitations', { signal })).invitations,
});

export const holdsQuery = queryOptions({
  queryKey: ['operate', 'holds'],
  queryFn: async ({ signal }) => (await callOperate('GET /holds', { signal })).holds,
});
