import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { ApiError } from '../api.ts';
import { Fault } from '../parts/faults.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { Entrance } from './entrance.tsx';
import { sessionQuery, useSession } from './session.ts';

/** Its children are for those who are signed in; others see the way in, at the same address. */
export function RequireSession({ children, first }: { children: ReactNode; first?: 'sign-in' | 'sign-up' }) {
  const session = useSession();
  const queries = useQueryClient();
  // A session may end at any call: revoked elsewhere, expired, the account deleted.
  useEffect(
    () =>
      queries.getQueryCache().subscribe(({ query }) => {
        const { error } = query.state;
        if (error instanceof ApiError && error.status === 401)
          queries.setQueryData(sessionQuery.queryKey, null);
      }),
    [queries],
  );
  if (session.isPending) return <Waiting />;
  if (session.isError) return <Fault error={session.error} retry={() => session.refetch()} />;
  return session.data ? children : <Entrance {...(first && { first })} />;
}
