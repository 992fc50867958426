import { queryOptions } from '@tanstack/react-query';
import { callAuth } from '../api.ts';
import { type AfterChange, useChangeOf } from '../parts/change.ts';

export const profileQuery = queryOptions({
  queryKey: ['account', 'profile'],
  queryFn: ({ signal }) => callAuth('GET /profile', { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => callAuth('GET /passkeys', { signal }),
});

export const twoFactorQuery = queryOptions({
  queryKey: ['account', 'two-factor'],
  queryFn: ({ signal }) => callAuth('GET /two-factor', { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => callAuth('GET /sessions', { signal }),
});

/** A change to the person's own account; queries about it are refetched. */
export function useAccountChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  after?: AfterChange<Output>,
) {
  return useChangeOf([['account']], change, after);
}
