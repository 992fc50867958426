import { queryOptions } from '@tanstack/react-query';
import { ApiError, callConsole } from '../../ui/api.ts';
import { type AfterChange, useChangeOf } from '../../ui/parts/change.ts';

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

/** A change to an application; its card on the first screen is reloaded as well. */
export function useChange<Input, Output>(
  appId: string,
  change: (input: Input) => Promise<Output>,
  after?: AfterChange<Output>,
) {
  return useChangeOf([['applications', appId], homeQuery.queryKey], change, after);
}
