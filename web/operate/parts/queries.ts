import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { ReportTarget } from '#contract/chat/reports.ts';
import type { ApplicationGrants } from '#contract/oauth.ts';
import type { OperatorActPage, OperatorSelf } from '#contract/operate/acts.ts';
import type {
  FailingEndpoints,
  OperatedApplication,
  OperatedApplications,
  OperatedEndpoint,
} from '#contract/operate/applications.ts';
import type { ServerHealth } from '#contract/operate/health.ts';
import type { Announcement, Announcements } from '#contract/operate/notices.ts';
import type {
  OperatedPeople,
  OperatedPerson,
  PersonSessions,
  ShownPersonLimits,
} from '#contract/operate/people.ts';
import type { HeldConversations, SignUpInvitations } from '#contract/operate/policy.ts';
import type { OperatedReport, ReportPage } from '#contract/operate/reports.ts';
import { api, withQuery } from '../../ui/api.ts';

const ROOT = '/api/operate';

export const selfQuery = queryOptions({
  queryKey: ['operate', 'me'],
  queryFn: ({ signal }) => api.get<Static<typeof OperatorSelf>>(`${ROOT}/me`, { signal }),
});

export const peopleQuery = (query: string) =>
  queryOptions({
    queryKey: ['operate', 'people', query],
    queryFn: async ({ signal }) =>
      (await api.get<Static<typeof OperatedPeople>>(withQuery(`${ROOT}/people`, { query }), { signal }))
        .people,
    enabled: query !== '',
  });

export const personQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operate', 'person', accountId],
    queryFn: ({ signal }) => api.get<OperatedPerson>(`${ROOT}/people/${accountId}`, { signal }),
  });

export const personSessionsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operate', 'person-sessions', accountId],
    queryFn: async ({ signal }) =>
      (await api.get<PersonSessions>(`${ROOT}/people/${accountId}/sessions`, { signal })).sessions,
  });

export const personLimitsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['operate', 'person-limits', accountId],
    queryFn: ({ signal }) => api.get<ShownPersonLimits>(`${ROOT}/people/${accountId}/limits`, { signal }),
  });

export const applicationsQuery = (query: string) =>
  queryOptions({
    queryKey: ['operate', 'applications', query],
    queryFn: async ({ signal }) =>
      (
        await api.get<Static<typeof OperatedApplications>>(withQuery(`${ROOT}/applications`, { query }), {
          signal,
        })
      ).applications,
    enabled: query !== '',
  });

export const applicationQuery = (appId: string) =>
  queryOptions({
    queryKey: ['operate', 'application', appId],
    queryFn: ({ signal }) => api.get<OperatedApplication>(`${ROOT}/applications/${appId}`, { signal }),
  });

export const endpointQuery = (appId: string) =>
  queryOptions({
    queryKey: ['operate', 'endpoint', appId],
    queryFn: ({ signal }) => api.get<OperatedEndpoint>(`${ROOT}/applications/${appId}/endpoint`, { signal }),
    refetchInterval: 15_000,
  });

export const grantsQuery = (appId: string) =>
  infiniteQueryOptions({
    queryKey: ['operate', 'grants', appId],
    queryFn: ({ pageParam, signal }) =>
      api.get<ApplicationGrants>(withQuery(`${ROOT}/applications/${appId}/grants`, { before: pageParam }), {
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });

export const failingQuery = queryOptions({
  queryKey: ['operate', 'failing'],
  queryFn: async ({ signal }) =>
    (await api.get<FailingEndpoints>(`${ROOT}/failing-endpoints`, { signal })).endpoints,
});

export const reportsQuery = (asked: { isDecided: 'true' | 'false'; target: ReportTarget | undefined }) =>
  infiniteQueryOptions({
    queryKey: ['operate', 'reports', asked],
    queryFn: ({ pageParam, signal }) =>
      api.get<ReportPage>(withQuery(`${ROOT}/reports`, { ...asked, cursor: pageParam }), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

export const reportQuery = (reportId: string) =>
  queryOptions({
    queryKey: ['operate', 'report', reportId],
    queryFn: ({ signal }) => api.get<OperatedReport>(`${ROOT}/reports/${reportId}`, { signal }),
  });

export const healthQuery = queryOptions({
  queryKey: ['operate', 'health'],
  queryFn: ({ signal }) => api.get<ServerHealth>(`${ROOT}/health`, { signal }),
  refetchInterval: 15_000,
});

export const actsQuery = infiniteQueryOptions({
  queryKey: ['operate', 'acts'],
  queryFn: ({ pageParam, signal }) =>
    api.get<OperatorActPage>(withQuery(`${ROOT}/acts`, { before: pageParam }), { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextBefore }) => nextBefore,
});

export const listedAnnouncementsQuery = queryOptions({
  queryKey: ['operate', 'announcements'],
  queryFn: async ({ signal }) =>
    (await api.get<Static<typeof Announcements>>(`${ROOT}/announcements`, { signal })).announcements,
  // While an announcement's message is still being delivered.
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 2_000 : false),
});

/** Whether an announcement's message is still being delivered. */
export function isUnderWay({ isMessage, toldAt, endedAt }: Announcement): boolean {
  return isMessage && toldAt === undefined && endedAt === undefined;
}

export const invitationsQuery = queryOptions({
  queryKey: ['operate', 'invitations'],
  queryFn: async ({ signal }) =>
    (await api.get<Static<typeof SignUpInvitations>>(`${ROOT}/invitations`, { signal })).invitations,
});

export const holdsQuery = queryOptions({
  queryKey: ['operate', 'holds'],
  queryFn: async ({ signal }) =>
    (await api.get<Static<typeof HeldConversations>>(`${ROOT}/holds`, { signal })).holds,
});
