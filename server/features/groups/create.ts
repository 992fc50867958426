import type { CreateGroup } from '#contract/groups.ts';
import { unauthenticated } from '#platform/errors.ts';
import { requireFileUrl } from '#platform/files/upload-links.ts';
import type { Reserved } from '#platform/http/serve.ts';
import { bucketOf } from '#platform/ids.ts';
import { announceJoined, noteMovement } from './announce.ts';
import { bringWithinLimits, refuseToBring, toMember } from './members/newcomers.ts';
import { insertListings, insertMembers } from './members/queries.ts';
import { type Group, insertGroup, selectGroups } from './queries.ts';
import { refuseSize } from './rules.ts';
import type { GroupActor, GroupDeps } from './service.ts';

/**
 * Creates a group or broadcast list; the creator is its first member and sole administrator (contract §2).
 *
 * @throws ApiError 404 for an unknown member, 403 for one whom a bot may not add, 429 for too many members or groups
 */
export async function createGroup(
  deps: GroupDeps,
  actor: GroupActor,
  sent: CreateGroup,
  { id: groupId, isResumed }: Reserved,
): Promise<{ groupId: string }> {
  const { db, clock } = deps;
  const creatorId = actor.accountId;
  const invited = [...new Set(sent.members)].filter((accountId) => accountId !== creatorId);
  const group: Group = {
    bucket: bucketOf(groupId),
    groupId,
    name: sent.name,
    description: sent.description ?? '',
    photoUrl: sent.photoUrl == null ? null : requireFileUrl('photoUrl', sent.photoUrl),
    photoSetBy: sent.photoUrl == null ? null : creatorId,
    isBroadcast: sent.isBroadcast ?? false,
    sendMessages: sent.sendMessages ?? true,
    editInfoOnlyAdmin: sent.editInfoOnlyAdmin ?? true,
    creatorId,
    memberCount: invited.length + 1,
    joinRequestCount: 0,
    createdAt: clock.now(),
  };
  if (isResumed && (await selectGroups(db, [group])).length > 0) return { groupId };
  const insert = () => insertWithMembers(deps, actor, { group, invited });
  const show =
    actor.kind === 'user'
      ? await deps.accounts.limits.groups.around(creatorId, 1, () =>
          bringWithinLimits(deps, actor, invited, insert),
        )
      : await insert();
  if (show) {
    announceJoined(deps, group, [creatorId, ...invited]);
    show();
  }
  return { groupId };
}

/** Undefined if the group already exists; else notifies bots, after the commit. */
function insertWithMembers(
  deps: GroupDeps,
  actor: GroupActor,
  { group, invited }: { group: Group; invited: string[] },
): Promise<(() => void) | undefined> {
  const { db, config } = deps;
  const creatorId = actor.accountId;
  const accountIds = [creatorId, ...invited];
  return db.begin(async (tx) => {
    const accounts = await deps.accounts.lockShared(tx, accountIds);
    if (accounts.find(({ accountId }) => accountId === creatorId)?.deletedAt !== null) {
      throw unauthenticated('credential.account-deleted');
    }
    const refusal =
      (await refuseToBring(tx, deps, actor, invited, { accounts, field: 'members', isCreation: true })) ??
      refuseSize(group.memberCount, config.maxGroupMembers);
    if (refusal) throw refusal;
    if (!(await insertGroup(tx, group))) return undefined;
    const members = accounts.map((account) =>
      toMember(account, { isAdmin: account.accountId === creatorId, joinedAt: group.createdAt }),
    );
    await insertMembers(tx, group, members);
    await insertListings(tx, group, { accountIds, createdAt: group.createdAt });
    return noteMovement(tx, deps, group, { joined: invited, from: creatorId, at: group.createdAt });
  });
}
