import type { AddMembers } from '#contract/groups.ts';
import type { Db } from '#platform/database.ts';
import { announceJoined } from '../announce.ts';
import type { Group } from '../queries.ts';
import { findGroupToAdminister, type GroupActor, type GroupDeps, lockGroupToAdminister } from '../service.ts';
import { bringWithinLimits, makeMembers, refuseToBring } from './newcomers.ts';
import { forgetRemovals, selectMembers } from './queries.ts';

/**
 * An administrator adds members, all or none; existing members are not an error (decisions: Groups).
 *
 * @throws ApiError 404 group, 403 right, 404 unknown user, 403 never wrote to the bot, 429 size, or too many who never wrote
 * to the person
 */
export async function addMembers(
  deps: GroupDeps,
  actor: GroupActor,
  { groupId, memberIds }: AddMembers,
): Promise<void> {
  // Refuses outsiders before taking locks; checked again under the lock.
  const seen = await findGroupToAdminister(deps.db, groupId, actor.accountId);
  const asked = [...new Set(memberIds)];
  const newIds = await withoutMembers(deps.db, seen, asked);
  const joined = await bringWithinLimits(deps, actor, newIds, () =>
    insertNewcomers(deps, actor, { groupId, asked }),
  );
  if (!joined) return;
  announceJoined(deps, joined.group, joined.newIds);
  for (const show of joined.shows) show();
}

async function withoutMembers(db: Db, group: Group, accountIds: string[]): Promise<string[]> {
  const present = await selectMembers(
    db,
    accountIds.map((accountId) => ({ ...group, accountId })),
  );
  const known = new Set(present.map(({ accountId }) => accountId));
  return accountIds.filter((accountId) => !known.has(accountId));
}

/** Undefined if all of them are already members. */
function insertNewcomers(
  deps: GroupDeps,
  actor: GroupActor,
  { groupId, asked }: { groupId: string; asked: string[] },
): Promise<{ group: Group; newIds: string[]; shows: (() => void)[] } | undefined> {
  return deps.db.begin(async (tx) => {
    // The actor's, too: whoever blocks them waits for this.
    const accounts = await deps.accounts.lockShared(tx, [...asked, actor.accountId]);
    const group = await lockGroupToAdminister(tx, groupId, actor.accountId);
    const newIds = await withoutMembers(tx, group, asked);
    const refusal = await refuseToBring(tx, deps, actor, newIds, {
      ...{ accounts, field: 'memberIds', isCreation: false },
    });
    if (refusal) throw refusal;
    if (newIds.length === 0) return undefined;
    const accountOf = new Map(accounts.map((account) => [account.accountId, account]));
    const added = newIds.flatMap((accountId) => accountOf.get(accountId) ?? []);
    const joined = await makeMembers(tx, deps, group, { accounts: added, from: actor.accountId });
    await forgetRemovals(tx, group, newIds);
    return { ...joined, newIds };
  });
}
