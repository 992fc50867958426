import type { Notice } from '#contract/chat.ts';
import type { Tx } from '#platform/database.ts';
import type { Group, GroupKey } from './queries.ts';

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
  return () => {
    for (const show of shows) show();
  };
}
