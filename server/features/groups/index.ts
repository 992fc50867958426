import type { AccountHook } from '#features/accounts/index.ts';
import type { ApplicationHook } from '#features/applications/index.ts';
import type { Db } from '#platform/database.ts';
import { withDeps } from '#platform/with-deps.ts';
import { viewGroup } from './announce.ts';
import { createGroup } from './create.ts';
import { selectGroupsAsked, selectOpenLinks } from './link-queries.ts';
import { announceDeparture, changeRole, type Departure, leaveAllGroups } from './members/change-members.ts';
import { findGroupsKnowing, findSharedGroups } from './members/list-members.ts';
import {
  deleteFormerMember,
  deleteRemovalsOf,
  type MemberKey,
  selectFormerGroups,
  selectGroupsOf,
  selectMemberBots,
  selectMembers,
  selectPeopleIn,
  selectReceiverBots,
  selectRemovalsOf,
} from './members/queries.ts';
import {
  clearDeletedGroup,
  type GroupKey,
  keepGroups,
  lockGroup,
  selectDeletedGroups,
  selectGroups,
} from './queries.ts';
import { groupRoutes, linkRoutes } from './routes.ts';
import { findGroupForActor, findGroupsForActors, type GroupDeps } from './service.ts';

export type { GroupHook, GroupNotice } from './announce.ts';
export { viewGroup } from './announce.ts';
export { findDeletedGroups, importGroup, importNewcomers, importOutsiders, isGroupHere } from './imported.ts';
export type { Member } from './queries.ts';
export {
  groupNotFound,
  isKnownIn,
  refuseMentions,
  refuseToAdminister,
  refuseToEdit,
  refuseToPost,
  refuseToRead,
} from './rules.ts';
export { type GroupActor, groupKey } from './service.ts';

/** Groups and broadcast lists, and their members. */
export type Groups = ReturnType<typeof createGroups>['api'];

export function createGroups(deps: GroupDeps) {
  const { db } = deps;
  const api = {
    ...withDeps(deps, { create: createGroup, changeRole }),
    find: (keys: GroupKey[], at: Db = db) => selectGroups(at, keys),
    findForActor: (groupId: string, accountId: string, at: Db = db) =>
      findGroupForActor(at, groupId, accountId),
    findForActors: (keys: MemberKey[]) => findGroupsForActors(db, keys),
    lock: lockGroup,
    keep: keepGroups,
    ...withDeps(db, {
      findDeleted: selectDeletedGroups,
      findOf: selectGroupsOf,
      findFormer: selectFormerGroups,
      findPeople: selectPeopleIn,
    }),
    clearDeleted: clearDeletedGroup,
    ...withDeps(deps, { findKnowing: findGroupsKnowing, findShared: findSharedGroups }),
    /**
     * The memberships of the given accounts in the given groups. With several groups, an account may also be found in a
     * group for which it was not asked.
     */
    findMembers: (keys: MemberKey[], at: Db = db) => selectMembers(at, keys),
    findBots: (keys: GroupKey[], at: Db = db) => selectMemberBots(at, keys),
    findReceiverBots: (keys: GroupKey[], at: Db = db) => selectReceiverBots(at, keys, deps.shards),
  };
  return {
    api,
    routes: [...groupRoutes(deps), ...linkRoutes(deps)],
    hooks: createHooks(deps),
  };
}

/** A deleted account leaves every group, and so does the bot of a deleted application (decisions: Identity). */
function createHooks(deps: GroupDeps): { account: AccountHook; application: ApplicationHook } {
  const { db, clock } = deps;
  /** Of deleted accounts and applications. */
  const departuresOf = new Map<string, Departure[]>();
  const afterDeletion = async (id: string) => {
    for (const departure of departuresOf.get(id) ?? []) announceDeparture(deps, departure);
    departuresOf.delete(id);
  };
  const application: ApplicationHook = {
    async deleted(tx, { appId, at }) {
      const accountId = await deps.bots.findAccountId(appId, tx);
      if (accountId !== undefined) departuresOf.set(appId, await leaveAllGroups(tx, deps, { accountId, at }));
    },
    afterDeletion,
  };
  const account: AccountHook = {
    sections: {
      async *groups(accountId) {
        for (const { groupId } of await selectGroupsOf(db, accountId)) {
          const found = await findGroupForActor(db, groupId, accountId);
          if (!found?.member) continue;
          const { isAdmin, joinedAt } = found.member;
          const open = await selectOpenLinks(db, found.group, clock.now());
          const links = open.flatMap(({ bucket, tokenHash, groupId, createdBy, ...link }) =>
            createdBy === accountId ? link : [],
          );
          yield { ...viewGroup(found.group), isAdmin, joinedAt, ...(links.length > 0 && { links }) };
        }
      },
      async *requestsToJoin(accountId) {
        for (const { groupId, requestedAt } of await selectGroupsAsked(db, accountId))
          yield { groupId, requestedAt };
      },
      async *formerGroups(accountId) {
        for (const { groupId } of await selectFormerGroups(db, accountId)) yield { groupId };
      },
      async *removedFromGroups(accountId) {
        yield* await selectRemovalsOf(db, accountId);
      },
    },
    async deleted(tx, { accountId, at }) {
      departuresOf.set(accountId, await leaveAllGroups(tx, deps, { accountId, at }));
      await deleteRemovalsOf(tx, accountId);
      await deleteFormerMember(tx, accountId);
    },
    afterDeletion,
  };
  return { account, application };
}
