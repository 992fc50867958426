import type { Notice } from '#contract/chat.ts';
import type { Tx } from '#platform/database.ts';
import type { Group, GroupKey } from './queries.ts';

/** Something that happened to a group, by whom and when. */
export type GroupNotice = Notice & { from: string; at: number };

/** A feature that tells the members what happened to their group. */
export interface GroupHook {
  /** In the transaction of the change; what it returns is called after the commit. */
  noted(tx: Tx, group: GroupKey, notice: GroupNotice): Promise<() => void>;
}

/** Has the members told. Who reads a broadcast list is not for its other readers to know. */
export async function note(
  tx: Tx,
  { hooks }: { hooks: readonly GroupHook[] },
  group: Group,
  notice: GroupNotice,
): Promise<() => void> {
  if (group.isBroadcast && notice.kind !== 'renamed') return () => {};
  const told: (() => void)[] = [];
  for (const hook of hooks) told.push(await hook.noted(tx, group, notice));
  return () => {
    for (const show of told) show();
  };
}
