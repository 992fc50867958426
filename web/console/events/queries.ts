import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  EventPage,
  EventPayload,
  EventSearch,
  LoggedEvent,
  LoggedEventDetails,
} from '#contract/webhooks.ts';
import { api, withQuery } from '../../ui/api.ts';

/** The last 100 events, newest first. */
export const latestEventsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'latest-events'],
    queryFn: ({ signal }) => api.get<LoggedEvent[]>(`/api/console/applications/${appId}/events`, { signal }),
  });

/** The event log, in pages; {@link useLiveLogs} keeps it up to date. */
export const eventsQuery = (appId: string, search: Omit<EventSearch, 'before'>) =>
  infiniteQueryOptions({
    queryKey: ['applications', appId, 'events', search],
    queryFn: ({ pageParam, signal }) =>
      api.get<EventPage>(
        withQuery(`/api/console/applications/${appId}/events/search`, { ...search, before: pageParam }),
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });

export const eventQuery = (appId: string, eventId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'event', eventId],
    queryFn: ({ signal }) =>
      api.get<LoggedEventDetails>(`/api/console/applications/${appId}/events/${eventId}`, { signal }),
  });

export const payloadQuery = (appId: string, eventId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'payload', eventId],
    queryFn: ({ signal }) =>
      api.get<EventPayload>(`/api/console/applications/${appId}/events/${eventId}/payload`, { signal }),
  });
