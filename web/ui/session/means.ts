import { queryOptions } from '@tanstack/react-query';
import { callAuth } from '../api.ts';

/** The providers with which the person is connected, and whether they have a password. */
export const identitiesQuery = queryOptions({
  queryKey: ['account', 'identities'],
  queryFn: ({ signal }) => callAuth('GET /identities', { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => callAuth('GET /passkeys', { signal }),
});

export const twoFactorQuery = queryOptions({
  queryKey: ['account', 'two-factor'],
  queryFn: ({ signal }) => callAuth('GET /two-factor', { signal }),
});
