import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { EventSearch } from '#contract/webhooks.ts';
import { callConsole } from '../../ui/api.ts';

/** The last 100 events, newest first. */
export const latestEventsQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'latest-events'],
    queryFn: ({ signal }) => callConsole('GET /applications/:appId/events', { params: { appId }, signal }),
  });

/** The event log, in pages; {@link useLiveLogs} keeps it up to date. */
export const eventsQuery = (appId: string, search: Omit<EventSearch, 'before'>) =>
  infiniteQueryOptions({
    queryKey: ['applications', appId, 'events', search],
    queryFn: ({ pageParam, signal }) =>
      callConsole('GET /applications/:appId/events/search', {
        params: { appId },
        query: { ...search, before: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });

export const eventQuery = (appId: string, eventId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'event', eventId],
    queryFn: ({ signal }) =>
      callConsole('GET /applications/:appId/events/:eventId', { params: { appId, eventId }, signal }),
  });

export const payloadQuery = (appId: string, eventId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'payload', eventId],
    queryFn: ({ signal }) =>
      callConsole('GET /applications/:appId/events/:eventId/payload', { params: { appId, eventId }, signal }),
  });
