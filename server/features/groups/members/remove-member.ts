import type { RemoveMember } from '#contract/groups.ts';
import type { Platform } from '#platform/platform.ts';
import type { GroupHook } from '../notices.ts';
import { refuseToRemove } from '../rules.ts';
import { type GroupActor, lockGroupForActor } from '../service.ts';
import { announceDeparture, depart } from './depart.ts';
import { selectMembers } from './queries.ts';

/**
 * An administrator removes a member, or a member leaves by removing itself (contract §4).
 *
 * @throws ApiError 404 group, 403 right, 404 no such member, 400 for the creator of a broadcast list
 */
export async function removeMember(
  deps: Platform & { hooks: readonly GroupHook[] },
  actor: GroupActor,
  { groupId, memberId }: RemoveMember,
): Promise<void> {
  const departure = await deps.db.begin(async (tx) => {
    const { group, member } = await lockGroupForActor(tx, groupId, actor.accountId);
    const [target] = await selectMembers(tx, [{ ...group, accountId: memberId }]);
    const refusal = refuseToRemove(group, member, { accountId: memberId, isMember: target !== undefined });
    if (refusal) throw refusal;
    const leaving = target as NonNullable<typeof target>;
    return depart(tx, deps, group, { ...leaving, by: actor.accountId, at: deps.clock.now() });
  });
  announceDeparture(deps, departure);
}
