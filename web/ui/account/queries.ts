import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { OwnProfile } from '#contract/accounts/profiles.ts';
import type { Passkey, TwoFactor } from '#contract/accounts/second-factors.ts';
import type { Sessions } from '#contract/accounts.ts';
import { api } from '../api.ts';
import { type AfterChange, useChangeOf } from '../parts/change.ts';

const at = <T>(name: string) =>
  queryOptions({
    queryKey: ['account', name],
    queryFn: ({ signal }) => api.get<T>(`/api/auth/${name}`, { signal }),
  });

export const profileQuery = at<OwnProfile>('profile');
export const passkeysQuery = at<Passkey[]>('passkeys');
export const twoFactorQuery = at<TwoFactor>('two-factor');
export const sessionsQuery = at<Static<typeof Sessions>>('sessions');

/** A change to the person's own account; queries about it are refetched. */
export function useAccountChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  after?: AfterChange<Output>,
) {
  return useChangeOf([['account']], change, after);
}
