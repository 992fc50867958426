import { queryOptions } from '@tanstack/react-query';
import type { OwnProfile } from '#contract/accounts/profiles.ts';
import { callAuth } from '../api.ts';
import { changeBy, useChangeOf } from '../parts/change.ts';
import { useTexts } from '../texts.ts';

export const profileQuery = queryOptions({
  queryKey: ['account', 'profile'],
  queryFn: ({ signal }) => callAuth('GET /profile', { signal }),
  staleTime: 60_000,
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

/** The keys of all queries about the person’s own account. */
export const accountKeys = [['account']];

/** Such a change by an endpoint. */
export const useAccountChange = changeBy(callAuth, () => accountKeys);

/** A choice of the profile, and how another one is made: it shows at once, and is reverted if the server refuses. */
export function useProfileChoice<Field extends keyof OwnProfile>(profile: OwnProfile, field: Field) {
  const t = useTexts();
  const change = useChangeOf(
    accountKeys,
    (chosen: OwnProfile[Field]) => callAuth('PATCH /profile', { body: { [field]: chosen } }),
    { done: t('ui.common.saved') },
  );
  return [change.isPending ? change.variables : profile[field], change.mutate] as const;
}
