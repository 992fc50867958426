import type { Platform } from '#platform/platform.ts';
import { announceDeleted } from './announce.ts';
import { deleteAllMembers, deleteListings } from './members/queries.ts';
import { updateGroupDeleted } from './queries.ts';
import { refuseToAdminister } from './rules.ts';
import { type GroupActor, lockGroupForActor } from './service.ts';

/**
 * An administrator deletes a group for everybody; every later call about it is 404 (decisions: Groups).
 *
 * @throws ApiError 404 group, 403 right
 */
export async function deleteGroup(
  deps: Pick<Platform, 'db' | 'clock' | 'live'>,
  actor: GroupActor,
  groupId: string,
): Promise<void> {
  await deps.db.begin(async (tx) => {
    const { group, member } = await lockGroupForActor(tx, groupId, actor.accountId);
    const refusal = refuseToAdminister(member);
    if (refusal) throw refusal;
    await updateGroupDeleted(tx, group, deps.clock.now());
    await deleteListings(tx, groupId, await deleteAllMembers(tx, group));
  });
  announceDeleted(deps, groupId);
}
