import type { ShownGroup } from '#contract/chat.ts';
import type { Platform } from '#platform/platform.ts';
import type { Group } from './queries.ts';

type Deps = Pick<Platform, 'live'>;

/*
 * Open pages are told of a group: everybody in it listens to the topic of the group's id, so that one publication
 * reaches all; who joins or leaves is told on their own topic, and then starts or stops listening to the group's.
 */

/** To those who are in the group: its details or the number of its members changed. */
export function announceChange({ live }: Deps, group: Group): void {
  live.publish(group.groupId, { type: 'group.changed', data: viewGroup(group) });
}

/** To those who are in the group: somebody's role changed. */
export function announceRole(
  { live }: Deps,
  groupId: string,
  { accountId, isAdmin }: { accountId: string; isAdmin: boolean },
): void {
  live.publish(groupId, { type: 'group.role', data: { groupId, userId: accountId, isAdmin } });
}

/** To those who came in, and to the rest. */
export function announceJoined(deps: Deps, group: Group, accountIds: readonly string[]): void {
  announceChange(deps, group);
  for (const accountId of accountIds) {
    deps.live.publish(accountId, { type: 'group.joined', data: viewGroup(group) });
  }
}

/** To the one who is out: nothing of the group is heard after this. */
export function announceLeft({ live }: Deps, groupId: string, accountId: string): void {
  live.publish(accountId, { type: 'group.left', data: { groupId } });
}

/** To all who were in the group: it is gone. */
export function announceDeleted({ live }: Deps, groupId: string): void {
  live.publish(groupId, { type: 'group.deleted', data: { groupId } });
}

/** A group as its members see it. */
export function viewGroup({ bucket: _, createdAt: __, photoUrl, photoSetBy, ...shown }: Group): ShownGroup {
  return { ...shown, ...(photoUrl !== null && { photoUrl }), ...(photoSetBy !== null && { photoSetBy }) };
}
