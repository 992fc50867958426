import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { MaintenanceState, Notices, ShownAnnouncements } from '#contract/notices.ts';
import { api } from '../api.ts';

const key = ['notices'] as const;

/** The current maintenance, if any; also available without signing in. */
export const maintenanceQuery = queryOptions({
  queryKey: [...key, 'maintenance'],
  queryFn: async ({ signal }) =>
    (await api.get<Static<typeof MaintenanceState>>('/api/auth/maintenance', { signal })).maintenance ?? null,
  staleTime: 30_000,
});

/** The operators' announcements for signed-in people. */
export const announcementsQuery = queryOptions({
  queryKey: [...key, 'announcements'],
  queryFn: async ({ signal }) =>
    (await api.get<Static<typeof ShownAnnouncements>>('/api/auth/announcements', { signal })).announcements,
  staleTime: 30_000,
});

/** For when changes may have been missed. */
export function readNoticesAgain(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: key });
}

/** Stores the notices from an event. */
export function keepNotices(client: QueryClient, { maintenance, announcements }: Notices): void {
  client.setQueryData(maintenanceQuery.queryKey, maintenance ?? null);
  client.setQueryData(announcementsQuery.queryKey, announcements);
}
