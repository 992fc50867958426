import type { ChangeRole } from '#contract/groups.ts';
import { announceRole } from '../announce.ts';
import { deleteLinksBy } from '../link-queries.ts';
import { note } from '../notices.ts';
import { refuseRole } from '../rules.ts';
import { type GroupActor, type GroupDeps, lockGroupForActor } from '../service.ts';
import { countAdmins, selectMembers, updateRole } from './queries.ts';

/**
 * An administrator promotes or demotes a member (contract §4).
 *
 * @throws ApiError 404 group, 403 outsider, 400 broadcast list, 403 right, 404 no such member, 400 only administrator
 */
export async function changeRole(
  deps: GroupDeps,
  actor: GroupActor,
  { groupId, memberId, isAdmin }: ChangeRole,
): Promise<void> {
  const show = await deps.db.begin(async (tx) => {
    const { group, member } = await lockGroupForActor(tx, groupId, actor.accountId);
    const [target] = await selectMembers(tx, [{ ...group, accountId: memberId }]);
    const adminCount = await countAdmins(tx, group);
    const refusal = refuseRole(group, member, { target, isAdmin, adminCount });
    if (refusal) throw refusal;
    await updateRole(tx, { ...group, accountId: memberId }, isAdmin);
    if (!isAdmin) await deleteLinksBy(tx, group, memberId);
    if (target?.isAdmin === isAdmin) return undefined;
    return note(tx, deps, group, {
      kind: isAdmin ? 'promoted' : 'demoted',
      userIds: [memberId],
      from: actor.accountId,
      at: deps.clock.now(),
    });
  });
  announceRole(deps, groupId, { accountId: memberId, isAdmin });
  show?.();
}
