import type { AddMembers } from '#contract/groups.ts';
import type { Db } from '#platform/database.ts';
import { announceJoined } from '../announce.ts';
import { deleteJoinRequests } from '../link-queries.ts';
import { note, noteMovement } from '../notices.ts';
import { type Group, updateMemberCount } from '../queries.ts';
import { groupNotFound, refuseSize, refuseToAdminister } from '../rules.ts';
import { findGroupForActor, type GroupActor, type GroupDeps, lockGroupForActor } from '../service.ts';
import { bringWithinLimits, refuseToBring, toMember } from './newcomers.ts';
import { forgetRemovals, insertListings, insertMembers, selectMembers } from './queries.ts';

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
  const seen = await findGroupForActor(deps.db, groupId, actor.accountId);
  const early = seen ? refuseToAdminister(seen.member) : groupNotFound();
  if (!seen || early) throw early;
  const asked = [...new Set(memberIds)];
  const newIds = await withoutMembers(deps.db, seen.group, asked);
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
  const { db, clock, config } = deps;
  return db.begin(async (tx) => {
    const accounts = await deps.accounts.lockShared(tx, asked);
    const { group, member } = await lockGroupForActor(tx, groupId, actor.accountId);
    const late = refuseToAdminister(member);
    if (late) throw late;
    const newIds = await withoutMembers(tx, group, asked);
    const memberCount = group.memberCount + newIds.length;
    const refusal =
      (await refuseToBring(tx, deps, actor, newIds, { accounts, field: 'memberIds', isCreation: false })) ??
      refuseSize(memberCount, newIds.length === 0 ? memberCount : config.maxGroupMembers);
    if (refusal) throw refusal;
    if (newIds.length === 0) return undefined;
    const joinedAt = clock.now();
    const members = accounts
      .filter(({ accountId }) => newIds.includes(accountId))
      .map((account) => toMember(account, { isAdmin: false, joinedAt }));
    await insertMembers(tx, group, members);
    await forgetRemovals(tx, group, newIds);
    await updateMemberCount(tx, group, memberCount);
    const joinRequestCount = await deleteJoinRequests(tx, group, newIds);
    await insertListings(tx, group, { accountIds: newIds, createdAt: joinedAt });
    const notice = { kind: 'joined', userIds: newIds, from: actor.accountId, at: joinedAt } as const;
    const shows = [
      await note(tx, deps, group, notice),
      await noteMovement(tx, deps, group, { joined: newIds, from: actor.accountId, at: joinedAt }),
    ];
    return { group: { ...group, memberCount, joinRequestCount }, newIds, shows };
  });
}
