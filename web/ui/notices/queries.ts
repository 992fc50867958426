import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Notices } from '#contract/notices.ts';
import { callAuth } from '../api.ts';

export const noticesKey = ['notices'] as const;

/** The current maintenance, if any; also available without signing in. */
export const maintenanceQuery = queryOptions({
  queryKey: [...noticesKey, 'maintenance'],
  queryFn: async ({ signal }) => (await callAuth('GET /maintenance', { signal })).maintenance ?? null,
  staleTime: 30_000,
});

/** The operators' announcements for signed-in people. */
export const announcementsQuery = queryOptions({
  queryKey: [...noticesKey, 'announcements'],
  queryFn: async ({ signal }) => (await callAuth('GET /announcements', { signal })).announcements,
  staleTime: 30_000,
});

/** For when changes may have been missed. */
export function readNoticesAgain(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: noticesKey });
}

/** Stores the notices from an event. */
export function keepNotices(client: QueryClient, { maintenance, announcements }: Notices): void {
  client.setQueryData(maintenanceQuery.queryKey, maintenance ?? null);
  client.setQueryData(announcementsQuery.queryKey, announcements);
}
