import { queryOptions, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { SignedIn } from '#contract/accounts.ts';
import { ApiError, callAuth } from '../api.ts';
import { useAction } from '../parts/change.ts';
import { forgetAccount } from './kept.ts';

export type Account = Static<typeof SignedIn>['account'];

/** Who is signed in; `null` when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Account | null> => {
    try {
      return (await callAuth('GET /session', { signal })).account;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export function useSession() {
  return useQuery(sessionQuery);
}

/** For components inside {@link RequireSession}: somebody is signed in. */
export function useAccount(): Account {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data) throw new ApiError(401, 'unauthenticated', 'nobody is signed in');
  return data;
}

/** All pages of this browser have one session: what the others show, and would send, is of the person before. */
const pages = new BroadcastChannel('parley-session');
pages.onmessage = () => location.reload();

/** Somebody has signed in or out on this page. */
export function noteChangeOfPerson(): void {
  pages.postMessage(undefined);
}

/** To be called with the new account, or with `null` after signing out: all cached data is discarded. */
export function useChangeOfPerson(): (account: Account | null) => void {
  const queries = useQueryClient();
  // The news that the session has ended may come before the answer of the call that ended it.
  const before = queries.getQueryData(sessionQuery.queryKey);
  return (account) => {
    // The next person at this browser must not read it.
    if (before && !account) forgetAccount(before.accountId);
    noteChangeOfPerson();
    queries.setQueryData(sessionQuery.queryKey, account);
    // Only the session says whether there are terms to accept.
    if (account) void queries.invalidateQueries(sessionQuery);
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  };
}

export function useSignOut() {
  const changePerson = useChangeOfPerson();
  return useAction(() => callAuth('POST /sign-out'), { onSuccess: () => changePerson(null) });
}
