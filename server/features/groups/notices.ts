import type { Notice } from '#contract/chat.ts';
import type { Tx } from '#platform/database.ts';
import type { Group, GroupKey } from './queries.ts';

/** A change to a group, with the actor and the time. */
export type GroupNotice = Notice & { from: string; at: number };

/** A feature that notifies the members of changes to their group. */
export interface GroupHook {
  /** Called in the transaction of the change; the function that it returns is called after the commit. */
  noted(tx: Tx, group: GroupKey, notice: GroupNotice): Promise<() => void>;
}

/** Notifies the members. Readers of a broadcast list must not learn who else reads it. */
export async function note(
  tx: Tx,
  { hooks }: { hooks: readonly GroupHook[] },
  group: Group,
  notice: GroupNotice,
): Promise<() => void> {
  if (group.isBroadcast && notice.kind !== 'renamed') return () => {};
  const shows: (() => void)[] = [];
  for (const hook of hooks) shows.push(await hook.noted(tx, group, notice));
  return () => {
    for (const show of shows) show();
  };
}
