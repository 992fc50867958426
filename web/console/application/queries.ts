import { queryOptions } from '@tanstack/react-query';
import { ApiError, callConsole } from '../../ui/api.ts';
import { changeBy } from '../../ui/parts/change.ts';

export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: ({ signal }) => callConsole('GET /home', { signal }),
});

export const applicationQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId],
    queryFn: ({ signal }) => callConsole('GET /applications/:appId', { params: { appId }, signal }),
  });

/** A cached part of an application; `null` if it has none. */
export async function orNone<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The keys of an application, with all of its parts, and of its card on the first screen. */
export const keysOf = (appId: string | undefined) =>
  appId === undefined ? [homeQuery.queryKey] : [['applications', appId], homeQuery.queryKey];

/** A change by an endpoint of the console. */
export const useChange = changeBy(callConsole, ({ appId }) => keysOf(appId));
