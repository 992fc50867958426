import { queryOptions } from '@tanstack/react-query';
import type { EventFilter, EventPayload, LoggedEvent, LoggedEventDetails } from '#contract/webhooks.ts';
import { api, withQuery } from '../../ui/api.ts';

const REFRESH_MS = 4_000;

/** The last 100 events, newest first; what is retried changes by itself, so they are asked for again. */
export const eventsQuery = (appId: string, filter: EventFilter) =>
  queryOptions({
    queryKey: ['applications', appId, 'events', filter],
    queryFn: ({ signal }) =>
      api.get<LoggedEvent[]>(withQuery(`/api/console/applications/${appId}/events`, filter), { signal }),
    refetchInterval: REFRESH_MS,
  });

export const eventQuery = (appId: string, eventId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'event', eventId],
    queryFn: ({ signal }) =>
      api.get<LoggedEventDetails>(`/api/console/applications/${appId}/events/${eventId}`, { signal }),
    refetchInterval: REFRESH_MS,
  });

export const payloadQuery = (appId: string, eventId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'payload', eventId],
    queryFn: ({ signal }) =>
      api.get<EventPayload>(`/api/console/applications/${appId}/events/${eventId}/payload`, { signal }),
  });
