import { queryOptions } from '@tanstack/react-query';
import type { EventFilter, EventPayload, LoggedEvent, LoggedEventDetails } from '#contract/webhooks.ts';
import { api, withQuery } from '../../ui/api.ts';

/** The last 100 events, newest first; {@link useLiveLogs} keeps them true. */
export const eventsQuery = (appId: string, filter: EventFilter) =>
  queryOptions({
    queryKey: ['applications', appId, 'events', filter],
    queryFn: ({ signal }) =>
      api.get<LoggedEvent[]>(withQuery(`/api/console/applications/${appId}/events`, filter), { signal }),
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
