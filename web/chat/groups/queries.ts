import type { Static } from 'typebox';
import type { ChangeDetailsInChat, CreateGroupInChat } from '#contract/groups.ts';
import { callChat } from '../../ui/api.ts';
import { type AfterChange, useChangeOf } from '../../ui/parts/change.ts';
import { chatPages } from '../../ui/parts/query.ts';
import { chatKey } from '../live/feed.ts';

export const membersQuery = (groupId: string) =>
  chatPages([...chatKey, 'members', groupId], 'GET /groups/members', { query: { groupId } });

/** Changes of a group; paths and bodies are those of the API. */
export const groupCalls = {
  create: (body: Static<typeof CreateGroupInChat>, idempotencyKey: string) =>
    callChat('POST /groups', { body, idempotencyKey }),
  change: (groupId: string, details: Omit<Static<typeof ChangeDetailsInChat>, 'groupId'>) =>
    callChat('PATCH /groups/details', { body: { groupId, ...details } }),
  add: (groupId: string, memberIds: string[]) =>
    callChat('POST /groups/members', { body: { groupId, memberIds } }),
  remove: (groupId: string, memberId: string) =>
    callChat('POST /groups/members/remove', { body: { groupId, memberId } }),
  setAdmin: (groupId: string, memberId: string, isAdmin: boolean) =>
    callChat('PATCH /groups/members/role', { body: { groupId, memberId, isAdmin } }),
  delete: (groupId: string) => callChat('DELETE /groups/delete', { body: { groupId } }),
};

/** A change to a group: the members shown are reloaded; everything else arrives as events. */
export function useGroupChange<Input, Output>(
  groupId: string,
  change: (input: Input) => Promise<Output>,
  after?: AfterChange<Output>,
) {
  return useChangeOf([membersQuery(groupId).queryKey], change, after);
}
