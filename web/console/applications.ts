import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Application } from '#contract/applications.ts';
import type { ConsoleHome } from '#contract/monitoring.ts';
import { ApiError, api } from '../ui/api.ts';
import { tell, tellError } from '../ui/parts/faults.tsx';

export const homeQuery = queryOptions({
  queryKey: ['home'],
  queryFn: ({ signal }) => api.get<ConsoleHome>('/api/console/home', { signal }),
});

export const applicationQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId],
    queryFn: ({ signal }) => api.get<Application>(`/api/console/applications/${appId}`, { signal }),
  });

/** What is kept of one thing of an application, `null` when it has none. */
export async function orNone<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** A change of an application: fetches anew what may have changed with it, and says in words what came of it. */
export function useChange<Input, Output>(
  appId: string,
  change: (input: Input) => Promise<Output>,
  { done, onSuccess }: { done?: string; onSuccess?: (output: Output) => void } = {},
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (output) => {
      if (done) tell(done);
      onSuccess?.(output);
      await queries.invalidateQueries({ queryKey: ['applications', appId] });
      await queries.invalidateQueries(homeQuery);
    },
    onError: tellError,
  });
}
