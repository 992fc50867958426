import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ShownMembers } from '#contract/groups.ts';
import { api, withQuery } from '../../ui/api.ts';
import { showError, tell } from '../../ui/parts/faults.tsx';
import { chatKey } from '../live/feed.ts';

const BASE = '/api/chat/groups';

export function membersQuery(groupId: string) {
  return infiniteQueryOptions({
    queryKey: [...chatKey, 'members', groupId],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.get<ShownMembers>(withQuery(`${BASE}/members`, { groupId, cursor }), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** Changes of a group; paths and bodies are those of the API. */
export const groupCalls = {
  create: (body: object, idempotencyKey: string) =>
    api.post<{ groupId: string }>(BASE, body, { idempotencyKey }),
  change: (groupId: string, details: object) => api.patch(`${BASE}/details`, { groupId, ...details }),
  add: (groupId: string, memberIds: string[]) => api.post(`${BASE}/members`, { groupId, memberIds }),
  remove: (groupId: string, memberId: string) => api.post(`${BASE}/members/remove`, { groupId, memberId }),
  setAdmin: (groupId: string, memberId: string, isAdmin: boolean) =>
    api.patch(`${BASE}/members/role`, { groupId, memberId, isAdmin }),
  delete: (groupId: string) => api.delete(`${BASE}/delete`, { groupId }),
};

/** A change to a group: the members shown are reloaded; everything else arrives as events. */
export function useGroupChange<Input>(
  groupId: string,
  change: (input: Input) => Promise<unknown>,
  { done, onSuccess, onError = showError }: Outcome = {},
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      if (done) tell(done);
      onSuccess?.();
      await client.invalidateQueries({ queryKey: membersQuery(groupId).queryKey });
    },
    onError,
  });
}

interface Outcome {
  done?: string;
  onSuccess?: () => void;
  onError?: (error: unknown) => void;
}
