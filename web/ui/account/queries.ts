import { queryOptions } from '@tanstack/react-query';
import { callAuth } from '../api.ts';
import { changeBy } from '../parts/change.ts';

export const profileQuery = queryOptions({
  queryKey: ['account', 'profile'],
  queryFn: ({ signal }) => callAuth('GET /profile', { signal }),
  staleTime: 60_000,
});

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => callAuth('GET /sessions', { signal }),
});

/** The keys of all queries about the person’s own account. */
export const accountKeys = [['account']];

/** Such a change by an endpoint. */
export const useAccountChange = changeBy(callAuth, () => accountKeys);
