import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { MaintenanceState, Notices, ShownAnnouncements } from '#contract/notices.ts';
import { api } from '../api.ts';

const key = ['notices'] as const;

/** Whether there is maintenance; strangers are told, too. */
export const maintenanceQuery = queryOptions({
  queryKey: [...key, 'maintenance'],
  queryFn: async ({ signal }) =>
    (await api.get<Static<typeof MaintenanceState>>('/api/auth/maintenance', { signal })).maintenance ?? null,
  staleTime: 30_000,
});

/** The operators' announcements to those who are signed in. */
export const announcementsQuery = queryOptions({
  queryKey: [...key, 'announcements'],
  queryFn: async ({ signal }) =>
    (await api.get<Static<typeof ShownAnnouncements>>('/api/auth/announcements', { signal })).announcements,
  staleTime: 30_000,
});

/** Something may have changed unheard. */
export function readNoticesAgain(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: key });
}

/** As the server told it. */
export function keepNotices(client: QueryClient, { maintenance, announcements }: Notices): void {
  client.setQueryData(maintenanceQuery.queryKey, maintenance ?? null);
  client.setQueryData(announcementsQuery.queryKey, announcements);
}
