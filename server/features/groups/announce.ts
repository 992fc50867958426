import type { Notice, ShownGroup } from '#contract/chat.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { Group, GroupKey } from './queries.ts';

/*
 * Live events of groups for open pages: every member subscribes to the topic of the group's ID, so that one publication
 * reaches all; an account that joins or leaves is notified on its own topic, and then subscribes to the group's topic or
 * unsubscribes from it.
 */

/** To the members: the group's details or the number of its members changed. */
export function announceChange({ live }: Platform, group: Group): void {
  live.publish(group.groupId, { type: 'group.changed', data: viewGroup(group) });
}

/** To the new members and to the others. */
export function announceJoined(deps: Platform, group: Group, accountIds: readonly string[]): void {
  announceChange(deps, group);
  for (const accountId of accountIds)
    deps.live.publish(accountId, { type: 'group.joined', data: viewGroup(group) });
}

/** A group as shown to its members. */
export function viewGroup(group: Group): ShownGroup {
  const { bucket: _, createdAt: __, joinRequestCount: ___, photoUrl, photoSetBy, ...shown } = group;
  return withoutAbsent({ ...shown, photoUrl, photoSetBy });
}

/** A change to a group, with the actor and the time. */
export type GroupNotice = Notice & { from: string; at: number };

/** Who became a member, or ceased to be one, and by whom. */
export interface Movement {
  joined?: readonly string[];
  left?: readonly string[];
  /** With the group: nobody is left. */
  isDeleted?: boolean;
  from: string;
  at: number;
}

/**
 * A feature that notifies members of changes to their group. It is called in the transaction of the change; the function that
 * it returns is called after the commit.
 */
export interface GroupHook {
  /** The thread of the group tells it. */
  noted?(tx: Tx, group: GroupKey, notice: GroupNotice): Promise<() => void>;
  moved?(tx: Tx, group: Group, movement: Movement): Promise<() => void>;
}

/** Notifies the members. Readers of a broadcast list must not learn who else reads it. */
export async function note(
  tx: Tx,
  { hooks }: { hooks: readonly GroupHook[] },
  group: Group,
  notice: GroupNotice,
): Promise<() => void> {
  if (group.isBroadcast && notice.kind !== 'renamed') return () => {};
  return callAll(hooks, (hook) => hook.noted?.(tx, group, notice));
}

/** Notifies the bots. */
export async function noteMovement(
  tx: Tx,
  { hooks }: { hooks: readonly GroupHook[] },
  group: Group,
  movement: Movement,
): Promise<() => void> {
  return callAll(hooks, (hook) => hook.moved?.(tx, group, movement));
}

async function callAll(
  hooks: readonly GroupHook[],
  call: (hook: GroupHook) => Promise<() => void> | undefined,
): Promise<() => void> {
  const shows: (() => void)[] = [];
  for (const hook of hooks) {
    const show = await call(hook);
    if (show) shows.push(show);
  }
  return inOrder(shows);
}

/** Shows all of them, after the commit. */
export function inOrder(shows: readonly (() => void)[]): () => void {
  return () => {
    for (const show of shows) show();
  };
}
