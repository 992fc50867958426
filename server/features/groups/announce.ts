import type { ShownGroup } from '#contract/chat.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { Platform } from '#platform/platform.ts';
import type { Group } from './queries.ts';

/*
 * Live events of groups for open pages: every member subscribes to the topic of the group's ID, so that one publication
 * reaches all; an account that joins or leaves is notified on its own topic, and then subscribes to the group's topic or
 * unsubscribes from it.
 */

/** To the members: the group's details or the number of its members changed. */
export function announceChange({ live }: Platform, group: Group): void {
  live.publish(group.groupId, { type: 'group.changed', data: viewGroup(group) });
}

/** To the members: a member's role changed. */
export function announceRole(
  { live }: Platform,
  groupId: string,
  { accountId, isAdmin }: { accountId: string; isAdmin: boolean },
): void {
  live.publish(groupId, { type: 'group.role', data: { groupId, userId: accountId, isAdmin } });
}

/** To the new members and to the others. */
export function announceJoined(deps: Platform, group: Group, accountIds: readonly string[]): void {
  announceChange(deps, group);
  for (const accountId of accountIds) {
    deps.live.publish(accountId, { type: 'group.joined', data: viewGroup(group) });
  }
}

/** To the former member: the last event of the group. */
export function announceLeft({ live }: Platform, groupId: string, accountId: string): void {
  live.publish(accountId, { type: 'group.left', data: { groupId } });
}

/** To all members: the group was deleted. */
export function announceDeleted({ live }: Platform, groupId: string): void {
  live.publish(groupId, { type: 'group.deleted', data: { groupId } });
}

/** A group as shown to its members. */
export function viewGroup(group: Group): ShownGroup {
  const { bucket: _, createdAt: __, photoUrl, photoSetBy, joinRequestCount, ...shown } = group;
  return withoutAbsent({ ...shown, photoUrl, photoSetBy, joinRequestCount: joinRequestCount || null });
}
